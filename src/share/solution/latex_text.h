// Markdown with LaTeX as text: numbers, vectors, matrices and sums that add up as printed. Knows numbers, no state.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "core/explain/explain.h"
#include "core/ground/tensor.h"

namespace attn {

// Stands for a number that somebody is to fill in.
inline constexpr std::string_view kLatexBlank = "\\square";

// "-0.1234", "1.5000\times 10^{6}", "-\infty", "\text{NaN}": shown_number in LaTeX.
std::string latex_number(double value, int digits = 4);

// A stranger's text between other words of Markdown: what Markdown or LaTeX would take for a sign is escaped, marks
// that turn the writing and what is no character are named ("U+202e"), and after kMostLetters code points comes "…".
// `text` is valid UTF-8.
std::string markdown_text(std::string_view text);
inline constexpr int kMostLetters = 40;

// --- vectors and matrices
// ----------------------------------------------------------------------------------------------

// Which of `count` rows or columns are printed: all up to `most`, else the first ones, a gap and the last one.
std::vector<int> printed_indices(int count, int most);
inline constexpr int kGap = -1;  // in the list

// What stands in a cell of a matrix.
using LatexCell = std::function<std::string(int row, int column)>;

// "\begin{pmatrix} … \end{pmatrix}": at most kMostRows and kMostColumns of the cells, asked for row by row, and dots
// for the others.
std::string latex_matrix(int rows, int columns, const LatexCell& cell);
inline constexpr int kMostRows = 12;
inline constexpr int kMostColumns = 8;  // a page is no wider, and LaTeX itself wants at most 10

// --- sums
// --------------------------------------------------------------------------------------------------------------

// One summand; `shows_a`, `shows_b`: whether its factors may be read. Its product may when both may.
struct LatexTerm {
    Term term;
    bool shows_a = true, shows_b = true;

    bool shows_product() const { return shows_a && shows_b; }
};

// "s_{3} &= a \cdot b + c \cdot d \\", "&= 0.3973 + 0.0109 \\", "&= 0.4082": rows of an `aligned`. The products are
// printed with so many decimals that they add up, as printed, to the result. Of many terms the middle ones are dots
// over their sum. `result` is printed already; `sum` is its number. Where the result is blank, so are the products.
std::string latex_sum(std::string_view symbol, const std::vector<LatexTerm>& terms, double sum,
                      const std::string& result);

// The rows in "$$\begin{aligned} … \end{aligned}$$", on lines of their own.
std::string latex_aligned(const std::vector<std::string>& rows);

}  // namespace attn
