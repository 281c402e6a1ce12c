// Special tokens are cut out first; the rest goes to byte pairs, word pieces or whole words.
#include "model/words/model_tokenizer.h"

#include <algorithm>
#include <utility>

namespace attn {
namespace {

std::vector<unicode::Character> apply(Normalizer normalizer, std::vector<unicode::Character> text) {
    switch (normalizer) {
        case Normalizer::nfc:
            return unicode::normalized(std::move(text), unicode::NormalForm::nfc);
        case Normalizer::nfd:
            return unicode::normalized(std::move(text), unicode::NormalForm::nfd);
        case Normalizer::lower_case:
            return unicode::changed(text, unicode::lower_case_of);
    }
    return text;
}

}  // namespace

const ModelTokenizer::AddedToken* ModelTokenizer::added_at(std::string_view text) const {
    // Sorted by text, what begins with the same letters stands together, the shorter first.
    const AddedToken* longest = nullptr;
    auto from = added_.begin();
    for (std::size_t size = 1; size <= text.size(); ++size) {
        const std::string_view begin = text.substr(0, size);
        from = std::lower_bound(from, added_.end(), begin,
                                [](const AddedToken& one, std::string_view wanted) { return one.text < wanted; });
        if (from == added_.end() || !from->text.starts_with(begin)) break;
        if (from->text.size() == size) longest = &*from;
    }
    return longest;
}

void ModelTokenizer::encode_part(std::string_view text, std::size_t begin, std::size_t end,
                                 std::vector<ModelToken>& tokens) const {
    if (begin == end) return;
    std::vector<unicode::Character> characters = unicode::characters_of(text.substr(begin, end - begin));
    for (unicode::Character& one : characters) {
        one.begin += begin;
        one.end += begin;
    }
    if (has_whole_words_) {
        encode_whole_words(vocabulary_, unknown_, parts_punctuation_, clean_words(characters, cleaning_), tokens);
        return;
    }
    if (!pairs_) {
        encode_word_pieces(vocabulary_, rules_, clean_words(characters, cleaning_), tokens);
        return;
    }
    for (const Normalizer one : normalizers_) characters = apply(one, std::move(characters));
    if (characters.empty()) return;
    if (adds_blank_ && characters.front().code != ' ')
        characters.insert(characters.begin(), {.code = ' ', .begin = begin, .end = begin});
    std::size_t first = 0;
    for (const std::size_t last : split_words(characters, split_, digits_)) {
        // The word's bytes, and for each of them the bytes of the text that it stands for.
        std::string word;
        std::vector<std::size_t> begins, ends;
        for (std::size_t i = first; i < last; ++i) {
            const std::size_t at = word.size();
            unicode::append_utf8(word, characters[i].code);
            const std::size_t size = word.size() - at;
            // Not where a normal form made it of others.
            const std::string_view typed = text.substr(characters[i].begin, characters[i].end - characters[i].begin);
            const bool is_same = typed == std::string_view(word).substr(at);
            for (std::size_t k = 0; k < size; ++k) {
                begins.push_back(is_same ? characters[i].begin + k : characters[i].begin);
                ends.push_back(is_same ? characters[i].begin + k + 1 : characters[i].end);
            }
        }
        const std::size_t num_before = tokens.size();
        pairs_->encode(vocabulary_, word, 0, tokens);
        for (std::size_t i = num_before; i < tokens.size(); ++i) {
            const std::size_t last_byte = tokens[i].end - 1;
            tokens[i].begin = begins[tokens[i].begin];
            tokens[i].end = ends[last_byte];
        }
        first = last;
    }
}

ModelTokens ModelTokenizer::encode(std::string_view text, bool adds_special) const {
    ModelTokens result;
    std::vector<ModelToken>& tokens = result.tokens;
    if (adds_special) {
        for (const int id : before_) tokens.push_back({.id = id, .begin = 0, .end = 0});
    }
    const auto is_blank_at = [&](std::size_t at) {
        return text[at] == ' ' || text[at] == '\t' || text[at] == '\n' || text[at] == '\r';
    };
    std::size_t begin = 0, at = 0;
    while (at < text.size()) {
        const AddedToken* added = added_at(text.substr(at));
        if (added == nullptr) {
            ++at;
            continue;
        }
        std::size_t end = at, behind = at + added->text.size();
        while (added->takes_space_before && end > begin && is_blank_at(end - 1)) --end;
        while (added->takes_space_behind && behind < text.size() && is_blank_at(behind)) ++behind;
        encode_part(text, begin, end, tokens);
        tokens.push_back({.id = added->id, .begin = end, .end = behind});
        begin = at = behind;
    }
    encode_part(text, begin, text.size(), tokens);
    if (adds_special) {
        for (const int id : behind_) tokens.push_back({.id = id, .begin = text.size(), .end = text.size()});
    }
    for (const ModelToken& token : tokens) result.num_unknown += token.id < 0 || token.id == unknown_ ? 1 : 0;
    return result;
}

std::string ModelTokenizer::written_text_of(int id) const {
    const std::string_view text = vocabulary_.text(id);
    const bool is_added =
        std::any_of(added_.begin(), added_.end(), [&](const AddedToken& one) { return one.id == id; });
    if (pairs_) return is_added ? std::string(text) : bytes_of_token(text);
    if (!is_added && !has_whole_words_ && text.starts_with(rules_.prefix) && text.size() > rules_.prefix.size())
        return std::string(text.substr(rules_.prefix.size()));
    return " " + std::string(text);
}

}  // namespace attn
