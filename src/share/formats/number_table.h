// Tables of numbers as spreadsheets, pandas and NumPy write them: CSV, TSV, semicolons, blanks, printed arrays. Text to
// rows of numbers; what stands in them is playground/number_block.h's business.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "core/ground/result.h"
#include "playground/state/state.h"
#include "playground/text/notes.h"
#include "playground/text/number_block.h"

namespace attn {

struct NumberTable {
    std::vector<NumberReading> readings;  // at least one; two where its commas may part numbers or be decimal points
    Notes notes;                          // what was taken for names and left out
};

// 64 bytes for each number of X, the largest table there can be: what has more is refused before it is parted.
inline constexpr std::size_t kMaxTableBytes = 64 * kMaxTypedNumbers;

// A first line of names is left out, and so is a first column of names or pandas' numbered one (whose name is empty).
// Double quotes around a cell do not count. The error is a sentence that says what is wrong and where, rows and columns
// counted from 0 and without the names.
Result<NumberTable> read_number_table(std::string_view text);

}  // namespace attn
