// Some rows of a stage, as they are and as the screen shows them, for what is made in bands: no frame has to make a
// whole large matrix. Knows no screen.
#pragma once

#include <limits>

#include "playground/numbers/evaluation.h"

namespace attn {

// What a cell of a hidden key holds in place of its number.
inline constexpr float kHiddenCell = -std::numeric_limits<float>::infinity();

// Rows [first, end) of stage_matrix(problem, trace, stage, head): (end - first, columns), the same bits.
Matrix stage_rows(const Evaluation& evaluation, TensorId stage, int head, int first, int end);

// Rows [first, end) of shown_matrix(evaluation, stage, head): (end - first, columns), the same bits.
Matrix shown_rows(const Evaluation& evaluation, TensorId stage, int head, int first, int end);

// The same for one row, quicker: (columns).
Vector shown_row(const Evaluation& evaluation, TensorId stage, int head, int row);

// Whether the rows of this head lie in the trace as they are shown, but for 0 in place of -inf in hidden cells: then
// row_of(evaluation.trace.weights, head, row) is quicker for a caller that needs only what is not hidden.
bool keeps_rows(const Evaluation& evaluation, TensorId stage, int head);

}  // namespace attn
