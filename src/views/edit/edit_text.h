// The editable tensors in words: what rows and columns of each stand for, and the table as text. Knows no screen.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "playground/numbers/evaluation.h"
#include "playground/text/text_table.h"

namespace attn {

// "one row a channel of X, one column a channel of the query".
std::string_view table_meaning(TensorId tensor);

// What a row or column is labelled with: a token's text, or the number of a channel; the row of a bias is "bias".
std::string table_row_label(const Evaluation& evaluation, TensorId tensor, int row);
std::string table_column_label(const Evaluation& evaluation, TensorId tensor, int column);

// Whether the columns (of w_query, b_key, values, ...) or the rows (of w_out) are cut into heads.
bool has_head_columns(TensorId tensor);
bool has_head_rows(TensorId tensor);

// view=edit: the edited tensor, typed numbers as "0.5000 (was 0.1234)", and how many cells of each stage they changed.
std::vector<TextTable> tables_of_edit(const PlaygroundState& state, const Evaluator& evaluator);

}  // namespace attn
