// Characters of a stranger's text that a file had better not hold as they are. Knows UTF-8, no file format.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace attn {

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

// "0041": so many digits.
std::string hexadecimal(std::uint32_t number, int num_digits);

}  // namespace attn
