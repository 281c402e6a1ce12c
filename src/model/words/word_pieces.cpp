#include "model/words/word_pieces.h"

#include <string>

namespace attn {

using unicode::Character;

void encode_word_pieces(const Vocabulary& vocabulary, const WordPieceRules& rules, std::span<const Character> word,
                        std::vector<ModelToken>& tokens) {
    if (word.empty()) return;
    const std::size_t num_before = tokens.size();
    const auto be_unknown = [&] {
        tokens.resize(num_before);
        tokens.push_back({.id = rules.unknown, .begin = word.front().begin, .end = word.back().end});
    };
    if (word.size() > rules.longest) return be_unknown();
    const auto [letters, places] = unicode::utf8_of(word);
    for (std::size_t first = 0; first < word.size();) {
        std::optional<int> id;
        std::size_t end = word.size();
        for (; end > first && !id; --end) {
            const std::string piece = letters.substr(places[first], places[end] - places[first]);
            id = vocabulary.find(first == 0 ? piece : rules.prefix + piece);
            if (id) break;
        }
        if (!id) return be_unknown();
        tokens.push_back({.id = *id, .begin = word[first].begin, .end = word[end - 1].end});
        first = end;
    }
}

void encode_whole_word(const Vocabulary& vocabulary, int unknown, std::span<const Character> word,
                       std::vector<ModelToken>& tokens) {
    if (word.empty()) return;
    std::string letters;
    for (const Character& one : word) unicode::append_utf8(letters, one.code);
    tokens.push_back(
        {.id = vocabulary.find(letters).value_or(unknown), .begin = word.front().begin, .end = word.back().end});
}

}  // namespace attn
