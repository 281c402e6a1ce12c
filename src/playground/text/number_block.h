// Blocks of numbers as people copy them: from a spreadsheet, a file, a notebook. Text to rows of numbers and back.
// Knows no matrix and no screen.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "core/ground/result.h"

namespace attn {

// Rows of equal length, at least one number.
using NumberBlock = std::vector<std::vector<float>>;

inline constexpr std::size_t kMaxBlockNumbers = 1 << 20;  // of the largest matrix there can be: 1024 x 1024
inline constexpr std::size_t kMaxBlockSide = 2048;        // rows, and columns: the mask's, one a token

// Reads a block in any of these ways of writing, in which a comma is never a decimal point:
// - a spreadsheet's: a row a line, tabs between the numbers;
// - CSV with commas or semicolons, or numbers with blanks between them; a row a line;
// - a link's: commas between numbers, semicolons between rows;
// - NumPy's, PyTorch's and Python's: "[[ 1.  2.]\n [-3.e-01 4.]]", "tensor([[1., 2.]], grad_fn=<...>)", "x = [[1, 2]]".
//   A row is what stands in the innermost brackets, over however many lines; axes of length 1 before it are left out.
// The minus may be U+2212. Everything else is refused with half a sentence that says what and where, rows and columns
// counted from 0: words, NaN, infinity, numbers too large for a float, empty cells, rows of different lengths, several
// matrices, "..." for what was not printed, no numbers at all, more rows, columns or numbers than any matrix has. Goes
// over the text row by row and stops where it is refused: beside the text it needs memory for the numbers alone.
Result<NumberBlock> parse_number_block(std::string_view text);

// All ways to read a text as a block, at least one, the one of parse_number_block first; where that refuses it and no
// other reads it, its half sentence. Another is of numbers with decimal commas, "0,5;1,25", where every comma stands
// between digits and no number has two.
struct NumberReading {
    NumberBlock block;
    bool has_decimal_commas = false;
};
Result<std::vector<NumberReading>> number_readings(std::string_view text);

// Turns the decimal comma of a single number into a point: "0,5" gives "0.5". Any other text comes back as it is.
std::string with_decimal_point(std::string_view text);

// The note for a comma that may have been meant to separate thousands, "1,500 was read as 1.5 ..."; else empty.
std::string comma_note(std::string_view text);

// The block as a spreadsheet takes it: tabs between the numbers, a new line after each row; each number reads back as
// the same float. Empty for an empty block.
std::string write_number_block(const NumberBlock& block);

}  // namespace attn
