// Reads each table once, at its first use, into sorted lists.
#include "model/words/unicode.h"

#include <algorithm>

#include "core/ground/check.h"
#include "model/words/unicode_data.h"

namespace attn::unicode {
namespace {

std::uint32_t take_number(std::string_view& text) {
    std::uint32_t number = 0;
    for (unsigned shift = 0;; shift += 5) {
        ATTN_CHECK(!text.empty(), "a table ends inside a number");
        const char digit = text.front();
        text.remove_prefix(1);
        std::uint32_t value = 0;
        if (digit >= 'A' && digit <= 'Z') value = static_cast<std::uint32_t>(digit - 'A');
        if (digit >= 'a' && digit <= 'z') value = static_cast<std::uint32_t>(digit - 'a' + 26);
        if (digit >= '0' && digit <= '9') value = static_cast<std::uint32_t>(digit - '0' + 52);
        if (digit == '+') value = 62;
        if (digit == '/') value = 63;
        number |= (value & 31U) << shift;
        if (value < 32) return number;
    }
}

// Where a set begins and ends, in turns.
using Borders = std::vector<std::uint32_t>;

Borders borders_of(std::string_view table) {
    Borders borders;
    std::uint32_t at = 0;
    while (!table.empty()) borders.push_back(at += take_number(table));
    return borders;
}

bool is_inside(const Borders& borders, std::uint32_t code) {
    const auto above = std::upper_bound(borders.begin(), borders.end(), code);
    return (above - borders.begin()) % 2 == 1;
}

struct Changes {
    std::vector<std::uint32_t> from;   // sorted
    std::vector<std::uint32_t> first;  // where in `to` its code points begin; one more at the end
    std::vector<std::uint32_t> to;

    std::vector<std::uint32_t> of(std::uint32_t code) const {
        const auto found = std::lower_bound(from.begin(), from.end(), code);
        if (found == from.end() || *found != code) return {code};
        const auto at = static_cast<std::size_t>(found - from.begin());
        return {to.begin() + first[at], to.begin() + first[at + 1]};
    }
};

Changes changes_of(std::string_view table) {
    Changes changes;
    std::uint32_t code = 0;
    while (!table.empty()) {
        changes.from.push_back(code += take_number(table));
        changes.first.push_back(static_cast<std::uint32_t>(changes.to.size()));
        for (std::uint32_t count = take_number(table); count > 0; --count) {
            const std::uint32_t folded = take_number(table);
            changes.to.push_back(folded % 2 == 0 ? code + folded / 2 : code - (folded + 1) / 2);
        }
    }
    changes.first.push_back(static_cast<std::uint32_t>(changes.to.size()));
    return changes;
}

// The Unicode Standard 15, section 3.12: a syllable is its place among 19 x 21 x 28 letters.
constexpr std::uint32_t kFirstSyllable = 0xac00, kLastSyllable = 0xd7a3;
std::vector<std::uint32_t> letters_of_syllable(std::uint32_t code) {
    const std::uint32_t place = code - kFirstSyllable;
    std::vector<std::uint32_t> parts = {0x1100 + place / (21 * 28), 0x1161 + place / 28 % 21};
    if (place % 28 != 0) parts.push_back(0x11a7 + place % 28);
    return parts;
}

}  // namespace

bool is_letter(std::uint32_t code) {
    static const Borders borders = borders_of(letters);
    return is_inside(borders, code);
}
bool is_number(std::uint32_t code) {
    static const Borders borders = borders_of(numbers);
    return is_inside(borders, code);
}
bool is_punctuation(std::uint32_t code) {
    static const Borders borders = borders_of(punctuation);
    return is_inside(borders, code);
}
bool is_mark(std::uint32_t code) {
    static const Borders borders = borders_of(marks);
    return is_inside(borders, code);
}
bool is_other(std::uint32_t code) {
    static const Borders borders = borders_of(others);
    return is_inside(borders, code);
}
bool is_white_space(std::uint32_t code) {
    static const Borders borders = borders_of(white_space);
    return is_inside(borders, code);
}

std::vector<std::uint32_t> lower_case_of(std::uint32_t code) {
    static const Changes changes = changes_of(lower_case);
    return changes.of(code);
}

std::vector<std::uint32_t> without_accents_of(std::uint32_t code) {
    static const Changes changes = changes_of(without_accents);
    if (code >= kFirstSyllable && code <= kLastSyllable) return letters_of_syllable(code);
    if (is_mark(code)) return {};
    return changes.of(code);
}

std::vector<Character> characters_of(std::string_view bytes) {
    std::vector<Character> characters;
    const auto byte = [&](std::size_t at) { return static_cast<std::uint32_t>(static_cast<unsigned char>(bytes[at])); };
    for (std::size_t at = 0; at < bytes.size();) {
        const std::uint32_t first = byte(at);
        const std::size_t length = first < 0x80   ? 1
                                   : first < 0xc2 ? 0
                                   : first < 0xe0 ? 2
                                   : first < 0xf0 ? 3
                                   : first < 0xf5 ? 4
                                                  : 0;
        // What the second byte may be, so that nothing is overlong, a surrogate or beyond 10FFFF.
        const std::uint32_t lowest = first == 0xe0 ? 0xa0 : first == 0xf0 ? 0x90 : 0x80;
        const std::uint32_t highest = first == 0xed ? 0x9f : first == 0xf4 ? 0x8f : 0xbf;
        std::uint32_t code = length < 2 ? first : first & (0x7fU >> length);
        std::size_t size = 1;
        while (size < length && at + size < bytes.size()) {
            const std::uint32_t next = byte(at + size);
            if (next < (size == 1 ? lowest : 0x80) || next > (size == 1 ? highest : 0xbf)) break;
            code = code << 6U | (next & 0x3fU);
            ++size;
        }
        characters.push_back({.code = size == length ? code : 0xfffd, .begin = at, .end = at + size});
        at += size;
    }
    return characters;
}

void append_utf8(std::string& text, std::uint32_t code) {
    const auto add = [&](std::uint32_t byte) { text += static_cast<char>(static_cast<unsigned char>(byte)); };
    const auto add_tail = [&](unsigned shift) { add(0x80 | (code >> shift & 0x3fU)); };
    if (code < 0x80) {
        add(code);
    } else if (code < 0x800) {
        add(0xc0 | code >> 6U);
        add_tail(0);
    } else if (code < 0x10000) {
        add(0xe0 | code >> 12U);
        add_tail(6);
        add_tail(0);
    } else {
        add(0xf0 | code >> 18U);
        add_tail(12);
        add_tail(6);
        add_tail(0);
    }
}

}  // namespace attn::unicode
