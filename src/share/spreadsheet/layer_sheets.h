// Where each tensor of a layer stands in the workbook, its numbers, and the names of cells in formulas. A tensor has a
// sheet; its matrices (one a head, or one for all) stand one below the other.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/operations/layer_rows.h"
#include "playground/numbers/evaluation.h"

namespace attn {

// A tensor's sheet. Of inputs `row` is empty.
struct LayerSheet {
    TensorId tensor = {};
    std::string name;  // "scaled_scores", "X"
    int num_matrices = 1, rows = 0, columns = 0;
    std::optional<FoundRow> row;  // how the stage is made

    // The sheet's row where matrix n has its headings; its numbers follow from the next row and the second column on.
    int heading_row(int n) const { return kFirstHeading + n * (rows + 2); }
    int row_of(int n, int i) const { return heading_row(n) + 1 + i; }
    static int column_of(int c) { return 1 + c; }
    // What a stage's numbers are made of besides stands behind them and an empty column.
    int first_helper() const { return columns + 2; }

    static constexpr int kFirstHeading = 4;  // after title, formula, meaning and an empty row
};

// "B5" of a cell counted from 0; with the dollars that keep the column or the row when a formula is copied.
enum class Fixed { none, row, column, both };
std::string cell_name(int row, int column, Fixed fixed = Fixed::none);

class LayerSheets {
public:
    // Both stay; the evaluation is complete and not empty.
    LayerSheets(const Inputs& inputs, int sentence, const Evaluation& evaluation);

    // Inputs first, then the stages in the order in which they are computed.
    const std::vector<LayerSheet>& all() const { return sheets_; }
    const LayerSheet& of(TensorId tensor) const;
    // The stage that this operation makes of these; null where there is none.
    const LayerSheet* find(Operation operation, const OperandIds& operands) const;
    // Whether some stage is made by this operation.
    bool uses(Operation operation) const;

    // The numbers of matrix n of a tensor with a sheet, as the page shows them. They stay until the next
    // begin_matrix(), which comes before each matrix.
    const Matrix& matrix(TensorId tensor, int n) const;
    void begin_matrix();
    // A number that was typed over what the formula gives stays a number.
    bool is_typed(TensorId tensor, int n, int row, int column) const;

    // Names for formulas: one cell, "scores!B5"; a whole row of a matrix, or columns `first` to `end` of it,
    // "queries!$B5:$E5"; a whole column, "values!B$5:B$10".
    std::string cell(TensorId tensor, int n, int row, int column, Fixed fixed = Fixed::none) const;
    std::string row(TensorId tensor, int n, int row, Fixed fixed = Fixed::column) const;
    std::string part_of_row(TensorId tensor, int n, int row, int first, int end) const;
    std::string column(TensorId tensor, int n, int column) const;
    // The matrix of `shared` that goes with matrix n of `tensor`, where several heads share one.
    int shared_matrix(TensorId tensor, int n, TensorId shared) const;

    const AttentionProblem& problem() const { return *evaluation_.problem; }
    const AttentionSettings& settings() const { return evaluation_.problem->settings; }
    const Evaluation& evaluation() const { return evaluation_; }
    const Inputs& inputs() const { return inputs_; }

private:
    void add(TensorId tensor, std::optional<FoundRow> row);
    Matrix made_matrix(TensorId tensor, int n) const;

    const Inputs& inputs_;
    int sentence_;
    const Evaluation& evaluation_;
    std::vector<LayerSheet> sheets_;
    mutable std::map<std::pair<TensorId, int>, Matrix> matrices_;  // since begin_matrix()
};

// What an input's numbers are, one sentence.
std::string_view meaning_of_input(TensorId tensor);

// The sheet with the angles of rotary positions: a row of frequencies, then one a token, whose position stands before.
inline constexpr int kFrequencyRow = 5, kPositionColumn = 1;
inline constexpr const char* kAngleSheet = "rope_angles";
std::string angle_cell(int token, int column);

}  // namespace attn
