// Several heads in one picture, and what one row of the weights amounts to: mean and maximum over the heads of a
// (num_heads, T, T) stage; sum, entropy and largest weight of a row. Knows no screen.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/explain/explain.h"
#include "playground/numbers/evaluation.h"
#include "playground/state/state.h"
#include "playground/text/text_table.h"

namespace attn {

// Whether this stage can be combined (it is (num_heads, T, T)) and the view asks for it, with more than one head.
bool is_combined(const Evaluation& evaluation, TensorId stage, Combine combine);

// Whether the view that is on puts them together: of those that show one head each, only matrix, lines and numbers do.
bool shows_combined(const Evaluation& evaluation, const View& view);

// "Mean of 12 heads", "Largest of 12 heads". `combine` is mean or max.
std::string combined_title(Combine combine, int num_heads);

// The mean (added in double) or the largest over all heads of a stage that is_combined: (T, T), -inf in hidden cells as
// in shown_matrix. Where any head has NaN the result has.
Matrix combined_matrix(const Evaluation& evaluation, TensorId stage, Combine combine);

// Its rows [first, end): (end - first, T).
Matrix combined_rows(const Evaluation& evaluation, TensorId stage, Combine combine, int first, int end);

// One cell of it. Mean: a term for each head, labelled "head 3", divided by their number. Largest: one term, of the
// first head that has it.
Explanation explain_combined(const Evaluation& evaluation, TensorId stage, Combine combine, int row, int column);

// The same in words and numbers, one line each: "mean = the sum over all heads / their number", "= 0.5875 / 4",
// "= 0.1469"; "largest of all heads", "= 0.2017, of head 2".
std::vector<std::string> combined_lines(const Explanation& explanation, Combine combine);

// Whether the stage holds weights: 0 or more, with a sum, an entropy and a largest one in each row.
bool has_row_stats(TensorId stage);

// Of the visible keys of one row; -inf marks a hidden one, as in shown_matrix.
double row_sum(std::span<const float> weights);
// -sum of w log2 w, with 0 log 0 = 0. Bits: 0 when one key has all the weight, log2 n when n keys share it equally. A
// row that does not sum to 1 is taken as it is.
double row_entropy_bits(std::span<const float> weights);
double row_largest(std::span<const float> weights);

// The chosen one of these three; `stat` is not none.
double row_stat(std::span<const float> weights, RowStat stat);

// For each row of a matrix, or of a head's weights; empty for RowStat::none.
std::vector<double> row_stats(const Matrix& shown, RowStat stat);
std::vector<double> row_stats(const Evaluation& evaluation, TensorId stage, int head, RowStat stat);

// How far from 1 a row's sum may be and still be taken for 1: far more than float rounding, far less than a weight that
// matters.
inline constexpr double kSumTolerance = 1e-3;

// The combined picture and the numbers beside the rows as text, where the view shows them: around the pinned cell, at
// most kMirrorCells rows and columns.
std::vector<TextTable> tables_of_heads_together(const View& view, const Evaluation& evaluation);

}  // namespace attn
