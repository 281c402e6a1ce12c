// Writes a matrix as rows of text.
#include "playground/numbers/matrix_table.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "core/ground/check.h"
#include "playground/numbers/stage_labels.h"
#include "playground/text/format.h"
#include "playground/text/notes.h"

namespace attn {

TextTable matrix_table(std::string title, const Matrix& matrix, const Label& row, const Label& column,
                       const CellTest& is_blank) {
    const int num_rows = std::min(length(matrix, 0), kTableCells);
    const int num_columns = std::min(length(matrix, 1), kTableCells);
    if (num_rows < length(matrix, 0)) {
        title += concat(", first ", num_rows, " of ", with_thousands(length(matrix, 0)), " rows");
    }
    if (num_columns < length(matrix, 1)) {
        title += concat(", first ", num_columns, " of ", with_thousands(length(matrix, 1)), " columns");
    }
    TextTable table = {.title = std::move(title), .columns = {""}, .rows = {}};
    for (int j = 0; j < num_columns; ++j) table.columns.push_back(column(j));
    for (int i = 0; i < num_rows; ++i) {
        std::vector<std::string> cells = {row(i)};
        for (int j = 0; j < num_columns; ++j) {
            const float value = matrix(i, j);
            const bool is_hidden = value == -std::numeric_limits<float>::infinity();
            const bool is_secret = !is_hidden && is_blank && is_blank(i, j);
            cells.push_back(is_hidden ? "hidden" : is_secret ? "?" : shown_number(static_cast<double>(value)));
        }
        table.rows.push_back(std::move(cells));
    }
    return table;
}

TextTable stage_table_of_text(std::string title, const Matrix& matrix, const Evaluation& evaluation, TensorId stage) {
    const StageInfo& info = stage_info(stage);
    const Label tokens = token_labels(evaluation);
    const Label words = [&](int column) { return column_text(evaluation, stage, column); };
    const Label columns = info.columns == Axis::channel ? Label(channel_label) : words;
    return matrix_table(std::move(title), matrix, info.rows == Axis::token ? tokens : Label(channel_label), columns);
}

std::string channel_label(int channel) {
    return concat("channel ", channel);
}

Label token_labels(const Evaluation& evaluation) {
    return [&evaluation](int token) { return evaluation.tokens.tokens[static_cast<std::size_t>(token)].text; };
}

}  // namespace attn
