// The editable tensors in words: what their rows and columns mean, and the table as text. Knows no screen.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "playground/numbers/evaluation.h"
#include "playground/text/text_table.h"

namespace attn {

// "one row a channel of X, one column a channel of the query".
std::string_view table_meaning(TensorId tensor);

// The label of a row or column: a token's text, or a channel's number; a bias has the row "bias".
std::string table_row_label(const Evaluation& evaluation, TensorId tensor, int row);
std::string table_column_label(const Evaluation& evaluation, TensorId tensor, int column);

// Whether the columns (of w_query, b_key, values, ...) or the rows (of w_out) are cut into heads.
bool has_head_columns(TensorId tensor);
bool has_head_rows(TensorId tensor);

// view=edit: the edited tensor, typed numbers as "0.5000 (was 0.1234)", and how many cells of each stage they changed.
std::vector<TextTable> tables_of_edit(const PlaygroundState& state, const Evaluator& evaluator);

}  // namespace attn
