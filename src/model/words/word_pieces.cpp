// Cleaning keeps where each character came from.
#include "model/words/word_pieces.h"

#include <algorithm>
#include <array>
#include <string>

namespace attn {
namespace {

using unicode::Character;

// CJK Unified Ideographs, their extensions and compatibility ideographs: the blocks that BERT's cleaning names.
struct Block {
    std::uint32_t first, last;
};
constexpr std::array<Block, 8> kChinese = {{{0x4e00, 0x9fff},
                                            {0x3400, 0x4dbf},
                                            {0x20000, 0x2a6df},
                                            {0x2a700, 0x2b73f},
                                            {0x2b740, 0x2b81f},
                                            {0x2b820, 0x2ceaf},
                                            {0xf900, 0xfaff},
                                            {0x2f800, 0x2fa1f}}};

bool is_chinese(std::uint32_t code) {
    return std::any_of(kChinese.begin(), kChinese.end(),
                       [&](const Block& block) { return code >= block.first && code <= block.last; });
}

// Symbols of ASCII count, too: $, ` and ^ are no punctuation to Unicode.
bool parts_words(std::uint32_t code) {
    const bool is_ascii_symbol = (code >= 33 && code <= 47) || (code >= 58 && code <= 64) ||
                                 (code >= 91 && code <= 96) || (code >= 123 && code <= 126);
    return is_ascii_symbol || unicode::is_punctuation(code);
}

bool is_dropped(std::uint32_t code) {
    if (code == '\t' || code == '\n' || code == '\r') return false;
    return code == 0 || code == 0xfffd || unicode::is_other(code);
}

}  // namespace

std::vector<Character> clean_words(std::span<const Character> text, const WordCleaning& cleaning) {
    std::vector<Character> characters;
    for (const Character& one : text) {
        if (cleaning.drops_controls && is_dropped(one.code)) continue;
        const bool is_blank = cleaning.drops_controls && unicode::is_white_space(one.code);
        const bool is_alone = cleaning.parts_chinese && is_chinese(one.code);
        const Character blank = {.code = ' ', .begin = one.begin, .end = one.begin};
        if (is_alone) characters.push_back(blank);
        characters.push_back({.code = is_blank ? ' ' : one.code, .begin = one.begin, .end = one.end});
        if (is_alone) characters.push_back(blank);
    }
    if (cleaning.drops_accents) characters = unicode::changed(characters, unicode::without_accents_of);
    if (cleaning.makes_lower_case) characters = unicode::changed(characters, unicode::lower_case_of);
    return characters;
}

namespace {

void encode_word(const Vocabulary& vocabulary, const WordPieceRules& rules, std::span<const Character> word,
                 std::vector<ModelToken>& tokens) {
    const std::size_t num_before = tokens.size();
    const auto be_unknown = [&] {
        tokens.resize(num_before);
        tokens.push_back({.id = rules.unknown, .begin = word.front().begin, .end = word.back().end});
    };
    if (word.size() > rules.longest) return be_unknown();
    std::string letters;
    std::vector<std::size_t> places;  // where each character begins in them
    for (const Character& one : word) {
        places.push_back(letters.size());
        unicode::append_utf8(letters, one.code);
    }
    places.push_back(letters.size());
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

// Hands on each word: what stands between white space, and, with `parts`, each mark.
template <class Word>
void for_each_word(std::span<const Character> cleaned, bool parts, const Word& word) {
    std::size_t first = 0;
    const auto end_word = [&](std::size_t end) {
        if (end > first) word(cleaned.subspan(first, end - first));
    };
    for (std::size_t i = 0; i < cleaned.size(); ++i) {
        const bool is_space = unicode::is_white_space(cleaned[i].code);
        if (!is_space && !(parts && parts_words(cleaned[i].code))) continue;
        end_word(i);
        first = i + (is_space ? 1 : 0);
        if (!is_space) end_word(i + 1);
        first = i + 1;
    }
    end_word(cleaned.size());
}

}  // namespace

void encode_word_pieces(const Vocabulary& vocabulary, const WordPieceRules& rules, std::span<const Character> cleaned,
                        std::vector<ModelToken>& tokens) {
    for_each_word(cleaned, true,
                  [&](std::span<const Character> word) { encode_word(vocabulary, rules, word, tokens); });
}

void encode_whole_words(const Vocabulary& vocabulary, int unknown, bool parts_punctuation,
                        std::span<const Character> cleaned, std::vector<ModelToken>& tokens) {
    for_each_word(cleaned, parts_punctuation, [&](std::span<const Character> word) {
        std::string letters;
        for (const Character& one : word) unicode::append_utf8(letters, one.code);
        tokens.push_back(
            {.id = vocabulary.find(letters).value_or(unknown), .begin = word.front().begin, .end = word.back().end});
    });
}

}  // namespace attn
