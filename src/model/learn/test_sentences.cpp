// Places follow from the slots of a sentence's template: slot k is token k + 1, behind <s>.
#include "model/learn/test_sentences.h"

#include <algorithm>
#include <string>
#include <utility>

namespace attn {
namespace {

constexpr std::uint64_t kTestSeed = 20'241'125;
constexpr int kVerb = 5, kSubject = 1;
constexpr int kDrawsASentence = 100;

int place_of_number(const SentenceTemplate& from, int number) {
    for (std::size_t k = 0; k < from.slots.size(); ++k) {
        if (from.slots[k].kind == GrammarSlot::Kind::draw && from.slots[k].number == number)
            return static_cast<int>(k) + 1;
    }
    return -1;
}

// The slot whose word is asked for: the last one that repeats.
std::size_t answer_slot(const SentenceTemplate& from) {
    for (std::size_t k = from.slots.size(); k-- > 0;) {
        if (from.slots[k].kind == GrammarSlot::Kind::repeat) return k;
    }
    return 0;
}

// The same text but for the answer.
bool differs_in_answer(const SentenceTemplate& a, const SentenceTemplate& b) {
    const auto question = [](const SentenceTemplate& one) { return one.text.substr(0, one.text.rfind('#')); };
    return a.text != b.text && question(a) == question(b);
}

// These return false where the template does not have what is asked for.
bool find_answer(const Grammar& grammar, const SentenceTemplate& from, TestSentence& sentence) {
    const std::size_t slot = answer_slot(from);
    const int number = from.slots[slot].number;
    const int place = static_cast<int>(slot) + 1;
    if (from.slots[slot].kind != GrammarSlot::Kind::repeat) return false;
    sentence.targets = {{.row = place - 1, .token = sentence.ids[slot + 1]}};
    sentence.owner = place_of_number(from, number);
    sentence.other = place_of_number(from, number == 1 ? 2 : 1);
    if (sentence.other < 0 || sentence.other >= place) return false;
    sentence.right = {sentence.targets.front().token};
    sentence.wrong = {sentence.ids[static_cast<std::size_t>(sentence.other)]};
    for (const SentenceTemplate& one : grammar.templates())
        sentence.is_ambiguous = sentence.is_ambiguous || differs_in_answer(one, from);
    return true;
}

bool find_verb(const Grammar& grammar, const SentenceTemplate& from, TestSentence& sentence) {
    const int place = place_of_number(from, kVerb);
    sentence.owner = place_of_number(from, kSubject);
    if (sentence.owner < 0 || sentence.owner >= place) return false;
    const int token = sentence.ids[static_cast<std::size_t>(place)];
    sentence.targets = {{.row = place - 1, .token = token}};
    for (const SentenceTemplate& one : grammar.templates()) {
        const int verb = place_of_number(one, kVerb);
        if (one.kind != from.kind || verb < 0) continue;
        const std::span<const int> words =
            grammar.words_of_class(one.slots[static_cast<std::size_t>(verb) - 1].word_class);
        std::vector<int>& side =
            std::find(words.begin(), words.end(), token) != words.end() ? sentence.right : sentence.wrong;
        if (side.empty()) side.assign(words.begin(), words.end());
    }
    return !sentence.wrong.empty();
}

// From the second word of the second copy on, each word but the first of a copy, before which the sentence may end.
bool find_copies(const SentenceTemplate& from, TestSentence& sentence) {
    const auto is_draw = [](const GrammarSlot& slot) { return slot.kind == GrammarSlot::Kind::draw; };
    const auto size = static_cast<std::size_t>(std::count_if(from.slots.begin(), from.slots.end(), is_draw));
    for (std::size_t k = size; k < from.slots.size(); ++k) {
        if (from.slots[k].kind != GrammarSlot::Kind::repeat || k % size == 0) continue;
        sentence.targets.push_back({.row = static_cast<int>(k), .token = sentence.ids[k + 1]});
    }
    return !sentence.targets.empty();
}

bool find_targets(const Grammar& grammar, const SentenceTemplate& from, TestSentence& sentence) {
    if (from.kind == "agreement") return find_verb(grammar, from, sentence);
    if (from.kind == "copying") return find_copies(from, sentence);
    return find_answer(grammar, from, sentence);
}

}  // namespace

std::vector<TestSentence> test_sentences(const Grammar& grammar, std::string_view kind, int count, int most_tokens) {
    std::vector<TestSentence> sentences;
    TorchGenerator generator(kTestSeed);
    const auto is_meant = [&](const SentenceTemplate& one) {
        return one.is_held_out && one.kind == kind && std::cmp_less(one.slots.size(), most_tokens);
    };
    if (std::ranges::none_of(grammar.templates(), is_meant)) return {};
    for (int draw = 0; draw < kDrawsASentence * count && std::cmp_less(sentences.size(), count); ++draw) {
        const SentenceTemplate& from = grammar.draw(generator, true);
        if (!is_meant(from)) continue;
        TestSentence sentence;
        sentence.ids = grammar.make(from, generator);
        sentence.ids.insert(sentence.ids.begin(), Grammar::kBegin);
        if (find_targets(grammar, from, sentence)) sentences.push_back(std::move(sentence));
    }
    return sentences;
}

}  // namespace attn
