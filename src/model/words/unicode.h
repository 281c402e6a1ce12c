// What tokenizers ask about characters: general categories, lower case, accents. The same answers on every machine, by
// tables of our own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace attn::unicode {

// General categories (annex 44), a bit each.
using Categories = std::uint32_t;

// Those of a name: "Lu", or "L" for all letters; none for a name that Unicode does not have.
Categories categories_named(std::string_view name);
bool is_any_of(Categories categories, std::uint32_t code);

bool is_letter(std::uint32_t code);       // L*
bool is_number(std::uint32_t code);       // N*
bool is_punctuation(std::uint32_t code);  // P*
bool is_mark(std::uint32_t code);         // Mn
bool is_other(std::uint32_t code);        // Cc, Cf, Co: control characters, invisible ones, private ones
bool is_white_space(std::uint32_t code);  // White_Space: with U+0085, without U+FEFF
bool is_of_word(std::uint32_t code);      // \w of regular expressions (annex 18): letters, marks, digits, joiners

// The code points that it becomes in lower case, whatever stands around it (a capital sigma is never a final one), or
// without accents (its canonical decomposition without Mn; a Hangul syllable becomes its letters; an Mn nothing).
// Itself where nothing changes.
std::vector<std::uint32_t> lower_case_of(std::uint32_t code);
std::vector<std::uint32_t> without_accents_of(std::uint32_t code);

// A character of a text, and its bytes [begin, end) there.
struct Character {
    std::uint32_t code = 0;
    std::size_t begin = 0, end = 0;
    bool is_typed = false;  // it stands there, as it is
};

// Any bytes as characters: U+FFFD for each maximal part that is no UTF-8, with the bytes of that part.
std::vector<Character> characters_of(std::string_view bytes);

// Each character as what one of these makes of it, every part with the bytes of the whole.
std::vector<Character> changed(const std::vector<Character>& text, std::vector<std::uint32_t> (*change)(std::uint32_t));

// Its canonical decomposition, or the one by compatibility; itself where it has none.
std::vector<std::uint32_t> parts_of(std::uint32_t code);
std::vector<std::uint32_t> compatible_parts_of(std::uint32_t code);

// The normal forms of the Unicode Standard (annex 15): taken apart, with marks in their order (D), and put together
// again (C); by compatibility (K), which also makes "ﬁ" two letters and "²" a digit.
enum class NormalForm { nfc, nfd, nfkc, nfkd };

// The bytes of a character that is made of several are all of theirs; where marks change places, those of both. Rising.
std::vector<Character> normalized(std::vector<Character> text, NormalForm form);

// One code point in UTF-8 at the end of a text.
void append_utf8(std::string& text, std::uint32_t code);

// Characters in UTF-8, and where each begins there; one more place at the end.
struct Utf8 {
    std::string bytes;
    std::vector<std::size_t> places;
};
Utf8 utf8_of(std::span<const Character> text);

}  // namespace attn::unicode

namespace attn {

// A text on its way to its tokens: each character keeps the bytes of the typed text that it comes from.
using Text = std::vector<unicode::Character>;

}  // namespace attn
