// A grammar's words become the model's tokens last.
#include "model/learn/test_sets.h"

#include <algorithm>
#include <optional>
#include <sstream>
#include <utility>

#include "core/ground/check.h"
#include "core/words/code_points.h"

namespace attn {
namespace {

Lecture lecture_of(const Grammar& grammar) {
    const std::optional<int> artist = grammar.find("artist"), woman = grammar.find("woman");
    if (!artist || !woman) return {};
    Lecture lecture{.ids = {Grammar::kBegin}, .artist = {*artist}, .woman = {*woman}};
    std::istringstream words{std::string(kLectureSentence)};
    for (std::string word; words >> word;) {
        const std::optional<int> id = grammar.find(word);
        if (!id) return {};
        lecture.ids.push_back(*id);
    }
    return lecture;
}

Lecture lecture_of(const ModelTokenizer& tokenizer) {
    const auto ids_of = [&](std::string_view text, bool begins) {
        std::vector<int> ids;
        for (const ModelToken& token : tokenizer.encode(text, begins).tokens) ids.push_back(token.id);
        return ids;
    };
    return {.ids = ids_of(kLectureText, true), .artist = ids_of(" artist", false), .woman = ids_of(" woman", false)};
}

// Words of a grammar as the tokens of a model that reads texts.
class WordTokens {
public:
    WordTokens(const Grammar& grammar, const TrainingTexts& texts) {
        for (const std::string& word : grammar.words()) {
            const bool is_beginning = tokens_.empty();
            const std::optional<int> token = is_beginning ? texts.tokenizer().size() - 1 : texts.token_of_word(word);
            if (!token && problem_.empty())
                problem_ = concat("The word ", attn::quoted(word),
                                  " of the recipe's templates is not one token of its tokenizer.");
            tokens_.push_back(token.value_or(0));
        }
    }

    const std::string& problem() const { return problem_; }  // empty: each word is one token
    void put(std::vector<TestSentence>& sentences) const {
        for (TestSentence& one : sentences) {
            for (std::vector<int>* ids : {&one.ids, &one.right, &one.wrong}) {
                for (int& id : *ids) id = tokens_[static_cast<std::size_t>(id)];
            }
            for (Target& target : one.targets) target.token = tokens_[static_cast<std::size_t>(target.token)];
        }
    }

private:
    std::vector<int> tokens_;
    std::string problem_;
};

}  // namespace

TestSets::TestSets(const Recipe& recipe, int count, const TrainingTexts* texts) {
    const Grammar& grammar = recipe.grammar;
    const int most = recipe.shape.positions;
    has_texts = texts != nullptr || std::ranges::any_of(grammar.templates(), &SentenceTemplate::is_held_out);
    copying = test_sentences(grammar, "copying", count, most);
    agreement = test_sentences(grammar, "agreement", count, most);
    attachment = test_sentences(grammar, "attachment", 2 * count, most);
    std::erase_if(attachment, [](const TestSentence& one) { return one.is_ambiguous; });
    names = test_sentences(grammar, "names", count, most);
    if (texts != nullptr) {
        const WordTokens tokens(grammar, *texts);
        for (std::vector<TestSentence>* sentences : {&copying, &agreement, &attachment, &names}) tokens.put(*sentences);
    }
    lecture = texts != nullptr ? lecture_of(texts->tokenizer()) : lecture_of(grammar);
    if (std::cmp_greater(lecture.ids.size() + std::max(lecture.artist.size(), lecture.woman.size()), most + 1))
        lecture = {};
}

std::string find_word_problem(const Recipe& recipe, const TrainingTexts& texts) {
    return WordTokens(recipe.grammar, texts).problem();
}

}  // namespace attn
