// Finds and cleans characters that a line or a file should not hold as they are, in text from strangers. Knows UTF-8,
// no file format.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace attn {

// Whether a byte of UTF-8 goes on with the code point that earlier bytes began.
constexpr bool continues_code_point(char byte) {
    return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U;
}

struct CodePoint {
    std::uint32_t number;
    std::string_view bytes;  // in UTF-8
};

// Takes one code point off the front of `text`, which is valid UTF-8 and not empty.
CodePoint take_code_point(std::string_view& text);

// False for what cannot be seen, joins what stands before it, or turns the direction of writing.
bool is_seen(std::uint32_t code_point);

// The marks that turn the direction of writing for what stands behind them.
bool turns_writing(std::uint32_t code_point);

// What will never be a character (U+FFFE, U+FFFF, ...). XML cannot hold all of them.
bool is_no_character(std::uint32_t code_point);

// Valid UTF-8 for one line, as clean_utf8 makes it: tabs and line breaks are blanks, what is no character is left out,
// and marks that turn the direction of writing are named, "<U+202e>". A pair of U+2068 and U+2069, which turns nothing
// outside of it, remains; where its end is missing, it comes last.
std::string one_line(std::string_view bytes);

// A stranger's text inside a sentence: in double quotes, valid, without line breaks, cut after about 80 bytes. Who
// writes the sentence to a terminal or a picture names what turns the direction of writing (one_line).
std::string quoted(std::string_view text);

// In hexadecimal with so many digits: "0041".
std::string hexadecimal(std::uint32_t number, int num_digits);

}  // namespace attn
