// Matrices as tables of text. Knows numbers and labels, no view.
#pragma once

#include <functional>
#include <string>

#include "core/ground/tensor.h"
#include "playground/numbers/evaluation.h"
#include "playground/text/text_table.h"

namespace attn {

inline constexpr int kTableCells = 64;  // rows and columns of a table; of a larger matrix the first ones

// The label of row or column `index`.
using Label = std::function<std::string(int)>;

// Numbers as the picture prints them, "hidden" for -inf, "?" where `is_blank` says so. Where rows or columns are left
// out the title says so.
using CellTest = std::function<bool(int row, int column)>;
TextTable matrix_table(std::string title, const Matrix& matrix, const Label& row, const Label& column,
                       const CellTest& is_blank = {});

// The same with the labels of a stage: tokens, and tokens or channels.
TextTable stage_table_of_text(std::string title, const Matrix& matrix, const Evaluation& evaluation, TensorId stage);

// "channel 3": the label of a column of channels.
std::string channel_label(int channel);

// The text of a token.
Label token_labels(const Evaluation& evaluation);

}  // namespace attn
