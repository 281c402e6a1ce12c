#include "model/words/text_changes.h"

#include <algorithm>
#include <array>
#include <utility>

#include "core/ground/check.h"

namespace attn {
namespace {

using unicode::Character;

// CJK Unified Ideographs, their extensions and compatibility ideographs: the blocks that BERT's cleaning names.
constexpr std::array<std::pair<std::uint32_t, std::uint32_t>, 8> kChinese = {{{0x4e00, 0x9fff},
                                                                              {0x3400, 0x4dbf},
                                                                              {0x20000, 0x2a6df},
                                                                              {0x2a700, 0x2b73f},
                                                                              {0x2b740, 0x2b81f},
                                                                              {0x2b820, 0x2ceaf},
                                                                              {0xf900, 0xfaff},
                                                                              {0x2f800, 0x2fa1f}}};

bool is_chinese(std::uint32_t code) {
    return std::ranges::any_of(kChinese,
                               [&](const auto& block) { return code >= block.first && code <= block.second; });
}

bool is_dropped(std::uint32_t code) {
    if (code == '\t' || code == '\n' || code == '\r') return false;
    return code == 0 || code == 0xfffd || unicode::is_other(code);
}

bool is_space(const Character& one) {
    return unicode::is_white_space(one.code);
}

void append(Text& text, std::string_view content, std::size_t begin, std::size_t end) {
    for (const Character& one : unicode::characters_of(content))
        text.push_back({.code = one.code, .begin = begin, .end = end});
}

constexpr std::string_view kBase64Digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

}  // namespace

Text stripped(Text text, bool at_left, bool at_right) {
    const auto first = at_left ? std::ranges::find_if_not(text, is_space) : text.begin();
    text.erase(text.begin(), first);
    while (at_right && !text.empty() && is_space(text.back())) text.pop_back();
    return text;
}

Text without_marks(Text text) {
    std::erase_if(text, [](const Character& one) { return unicode::is_mark(one.code); });
    return text;
}

Text replaced(const Text& text, const Pattern& pattern, std::string_view content) {
    Text result;
    std::size_t at = 0;
    const auto copy_to = [&](std::size_t end) {
        result.insert(result.end(), text.begin() + static_cast<std::ptrdiff_t>(at),
                      text.begin() + static_cast<std::ptrdiff_t>(end));
        at = end;
    };
    for (const Pattern::Match& match : pattern.matches(text)) {
        copy_to(match.begin);
        append(result, content, text[match.begin].begin, text[match.end - 1].end);
        at = match.end;
    }
    copy_to(text.size());
    return result;
}

Text prepended(Text text, std::string_view content) {
    if (text.empty()) return text;
    Text result;
    append(result, content, text.front().begin, text.front().begin);
    result.insert(result.end(), text.begin(), text.end());
    return result;
}

Text with_single_blanks(const Text& text) {
    Text result;
    for (const Character& one : text) {
        const bool is_more = one.code == ' ' && (result.empty() || result.back().code == ' ');
        if (!is_more) result.push_back(one);
    }
    if (!result.empty() && result.back().code == ' ') result.pop_back();
    return result;
}

Text cleaned(const Text& text, const WordCleaning& cleaning) {
    Text characters;
    for (const Character& one : text) {
        if (cleaning.drops_controls && is_dropped(one.code)) continue;
        const bool is_blank = cleaning.drops_controls && is_space(one);
        const bool is_alone = cleaning.parts_chinese && is_chinese(one.code);
        const Character blank = {.code = ' ', .begin = one.begin, .end = one.begin};
        if (is_alone) characters.push_back(blank);
        characters.push_back({.code = is_blank ? ' ' : one.code,
                              .begin = one.begin,
                              .end = one.end,
                              .is_typed = one.is_typed && (!is_blank || one.code == ' ')});
        if (is_alone) characters.push_back(blank);
    }
    if (cleaning.drops_accents) characters = unicode::changed(characters, unicode::without_accents_of);
    if (cleaning.makes_lower_case) characters = unicode::changed(characters, unicode::lower_case_of);
    return characters;
}

Result<CharacterTable> CharacterTable::read(std::string_view bytes) {
    const auto number_at = [&](std::size_t at) {
        std::uint32_t number = 0;
        for (std::size_t i = 0; i < 4; ++i)
            number |= std::uint32_t{static_cast<unsigned char>(bytes[at + i])} << (8 * i);
        return number;
    };
    const std::size_t size = bytes.size() < 4 ? 0 : number_at(0);
    if (size == 0 || size % 4 != 0 || size > bytes.size() - 4 || bytes.back() != '\0')
        return Result<CharacterTable>::failure("The table of characters of the tokenizer is cut or damaged.");
    CharacterTable table;
    for (std::size_t at = 4; at < 4 + size; at += 4) table.trie_.push_back(number_at(at));
    table.texts_ = bytes.substr(4 + size);
    if (table.texts_.empty()) table.texts_.assign(1, '\0');
    return table;
}

std::vector<CharacterTable::Found> CharacterTable::prefixes_of(std::string_view text) const {
    const auto offset = [](std::uint32_t unit) -> std::size_t { return (unit >> 10U) << ((unit & (1U << 9U)) >> 6U); };
    std::vector<Found> found;
    std::size_t at = offset(trie_[0]);
    for (std::size_t i = 0; i < text.size() && text[i] != '\0'; ++i) {
        const auto byte = static_cast<unsigned char>(text[i]);
        at ^= byte;
        if (at >= trie_.size() || (trie_[at] & ((1U << 31U) | 0xffU)) != byte) break;
        const bool is_whole = (trie_[at] >> 8U & 1U) != 0;
        at ^= offset(trie_[at]);
        if (at >= trie_.size()) break;
        const std::size_t place = trie_[at] & ((1U << 31U) - 1);
        if (is_whole && place < texts_.size()) found.push_back({.size = i + 1, .becomes = texts_.c_str() + place});
    }
    return found;
}

Text CharacterTable::changed(const Text& text, Way way) const {
    constexpr std::size_t kLongestCluster = 5;  // bytes; in a longer one each character is looked up by itself
    static const unicode::Categories marks = unicode::categories_named("M");
    Text result;
    for (std::size_t first = 0; first < text.size();) {
        std::string letters;
        std::size_t last = first;
        const auto add = [&] { unicode::append_utf8(letters, text[last++].code); };
        add();
        if (way == Way::shortest_of_cluster) {
            const bool is_line_end = text[first].code == '\r' && last < text.size() && text[last].code == '\n';
            const auto goes_on = [&](std::uint32_t code) { return code == 0x200d || unicode::is_any_of(marks, code); };
            if (is_line_end) add();
            while (!is_line_end && last < text.size() && goes_on(text[last].code)) add();
            const auto found = letters.size() <= kLongestCluster ? prefixes_of(letters) : std::vector<Found>();
            if (!found.empty()) {
                append(result, found.front().becomes, text[first].begin, text[last - 1].end);
                first = last;
                continue;
            }
            for (; first < last; ++first) {
                letters.clear();
                unicode::append_utf8(letters, text[first].code);
                const auto of_one = prefixes_of(letters);
                if (of_one.empty())
                    result.push_back(text[first]);
                else
                    append(result, of_one.front().becomes, text[first].begin, text[first].end);
            }
            continue;
        }
        constexpr std::size_t kMostCharacters = 32;  // of one that changes; the longest that is known has 18
        while (last < text.size() && last - first < kMostCharacters) add();
        const auto found = prefixes_of(letters);
        if (found.empty()) {
            result.push_back(text[first++]);
            continue;
        }
        // As many characters as the longest one has.
        const std::size_t begin = first;
        for (std::size_t size = 0; size < found.back().size;) {
            std::string one;
            unicode::append_utf8(one, text[first++].code);
            size += one.size();
        }
        append(result, found.back().becomes, text[begin].begin, text[first - 1].end);
    }
    return result;
}

std::optional<std::string> from_base64(std::string_view text) {
    std::string bytes;
    std::uint32_t bits = 0;
    unsigned count = 0;
    while (text.ends_with('=')) text.remove_suffix(1);
    for (const char one : text) {
        const std::size_t digit = kBase64Digits.find(one);
        if (digit == std::string_view::npos) return std::nullopt;
        bits = bits << 6U | static_cast<std::uint32_t>(digit);
        count += 6;
        if (count < 8) continue;
        count -= 8;
        bytes += static_cast<char>(static_cast<unsigned char>(bits >> count & 0xffU));
    }
    return bytes;
}

std::string to_base64(std::string_view bytes) {
    std::string text;
    text.reserve((bytes.size() + 2) / 3 * 4);
    for (std::size_t at = 0; at < bytes.size(); at += 3) {
        const std::size_t count = std::min<std::size_t>(3, bytes.size() - at);
        std::uint32_t bits = 0;
        for (std::size_t n = 0; n < 3; ++n)
            bits = bits << 8U | (n < count ? static_cast<unsigned char>(bytes[at + n]) : 0U);
        for (std::size_t n = 0; n < 4; ++n) text += n <= count ? kBase64Digits[bits >> (18 - 6 * n) & 63U] : '=';
    }
    return text;
}

}  // namespace attn
