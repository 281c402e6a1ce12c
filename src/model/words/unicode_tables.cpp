// Five bits a character.
#include "model/words/unicode_tables.h"

#include <algorithm>

#include "core/ground/check.h"

namespace attn::unicode {

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

std::uint32_t unfolded(std::uint32_t code, std::uint32_t folded) {
    return folded % 2 == 0 ? code + folded / 2 : code - (folded + 1) / 2;
}

std::vector<std::uint32_t> Changes::of(std::uint32_t code) const {
    const auto found = std::lower_bound(from.begin(), from.end(), code);
    if (found == from.end() || *found != code) return {code};
    const auto at = static_cast<std::size_t>(found - from.begin());
    return {to.begin() + first[at], to.begin() + first[at + 1]};
}

Changes changes_of(std::string_view table) {
    Changes changes;
    std::uint32_t code = 0;
    while (!table.empty()) {
        changes.from.push_back(code += take_number(table));
        changes.first.push_back(static_cast<std::uint32_t>(changes.to.size()));
        for (std::uint32_t count = take_number(table); count > 0; --count)
            changes.to.push_back(unfolded(code, take_number(table)));
    }
    changes.first.push_back(static_cast<std::uint32_t>(changes.to.size()));
    return changes;
}

std::vector<std::uint32_t> letters_of_syllable(std::uint32_t code) {
    const std::uint32_t place = code - kFirstSyllable;
    std::vector<std::uint32_t> parts = {0x1100 + place / (21 * 28), 0x1161 + place / 28 % 21};
    if (place % 28 != 0) parts.push_back(0x11a7 + place % 28);
    return parts;
}

}  // namespace attn::unicode
