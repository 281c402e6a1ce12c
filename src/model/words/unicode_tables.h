// How the tables of unicode_data.h are read. Of unicode.cpp and normal_forms.cpp.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace attn::unicode {

// The next number of a table, which is taken from it.
std::uint32_t take_number(std::string_view& text);

// A number of either sign, counted from `code`.
std::uint32_t unfolded(std::uint32_t code, std::uint32_t folded);

// What code points become.
struct Changes {
    std::vector<std::uint32_t> from;   // sorted
    std::vector<std::uint32_t> first;  // where in `to` its code points begin; one more at the end
    std::vector<std::uint32_t> to;

    std::vector<std::uint32_t> of(std::uint32_t code) const;  // itself where nothing changes
};
Changes changes_of(std::string_view table);

// The Unicode Standard 15, section 3.12: a syllable is its place among 19 x 21 x 28 letters.
constexpr std::uint32_t kFirstSyllable = 0xac00, kLastSyllable = 0xd7a3;
inline bool is_syllable(std::uint32_t code) {
    return code >= kFirstSyllable && code <= kLastSyllable;
}
std::vector<std::uint32_t> letters_of_syllable(std::uint32_t code);

}  // namespace attn::unicode
