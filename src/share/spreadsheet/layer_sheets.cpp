#include "share/spreadsheet/layer_sheets.h"

#include <algorithm>

#include "core/explain/stage_numbers.h"
#include "core/ground/check.h"
#include "playground/state/shapes.h"
#include "playground/state/state_edits.h"

namespace attn {
namespace {

// The sheet's column in letters: A, B, ..., Z, AA.
std::string letters_of_column(int column) {
    std::string letters;
    for (int left = column + 1; left > 0; left = (left - 1) / 26)
        letters.insert(letters.begin(), static_cast<char>('A' + (left - 1) % 26));
    return letters;
}

// Whether the operation's formulas read the mask; a product with the weights needs none, as hidden ones are 0.
bool reads_mask(Operation operation) {
    return operation == Operation::mask || operation == Operation::mask_weights;
}

template <class Tensor>
Matrix matrix_of(const Tensor& flat, int rows, int columns) {
    Matrix matrix = zeros<Matrix>(rows, columns);
    std::copy(flat.begin(), flat.end(), matrix.begin());
    return matrix;
}

struct InputWords {
    TensorId tensor;
    std::string_view meaning;
};
constexpr InputWords kInputWords[] = {
    {TensorId::embeddings, "One vector for each token (X)."},
    {TensorId::token_vectors, "One vector for each token, before positions are added."},
    {TensorId::positions, "One vector for each position."},
    {TensorId::mask, "1 hides the key (column) from the query (row); 0 shows it."},
    {TensorId::keep_mask, "Dropout: 1 keeps a weight, 0 drops it. Drawn once from the link's seed."},
    {TensorId::vocabulary, "One vector for each word that may follow."},
    {TensorId::sink_logits, "One number a head: the logit of its sink, which has no key and no value."},
};

}  // namespace

std::string cell_name(int row, int column, Fixed fixed) {
    const bool keeps_column = fixed == Fixed::column || fixed == Fixed::both;
    const bool keeps_row = fixed == Fixed::row || fixed == Fixed::both;
    return concat(keeps_column ? "$" : "", letters_of_column(column), keeps_row ? "$" : "", row + 1);
}

std::string_view meaning_of_input(TensorId tensor) {
    const auto* const found = std::ranges::find(kInputWords, tensor, &InputWords::tensor);
    if (found != std::end(kInputWords)) return found->meaning;
    if (tensor == TensorId::q_norm || tensor == TensorId::k_norm) return "The weights of a norm, one a channel.";
    return is_bias(tensor) ? "A learned bias, one number a column." : "A learned matrix.";
}

std::string angle_cell(int token, int column) {
    return concat(kAngleSheet, "!", cell_name(kFrequencyRow + 1 + token, kPositionColumn + 1 + column));
}

LayerSheets::LayerSheets(const Inputs& inputs, int sentence, const Evaluation& evaluation)
    : inputs_(inputs), sentence_(sentence), evaluation_(evaluation) {
    std::vector<FoundRow> rows = forward_rows(LayerKind(problem()));
    std::erase_if(rows, [](const FoundRow& row) { return row.result == TensorId::embeddings; });
    if (evaluation.parts.positions.size() != 0) {
        add(TensorId::token_vectors, std::nullopt);
        add(TensorId::positions, std::nullopt);
        add(TensorId::embeddings, FoundRow{.result = TensorId::embeddings,
                                           .operation = Operation::add_positions,
                                           .operands = {TensorId::token_vectors, TensorId::positions}});
    } else {
        add(TensorId::embeddings, std::nullopt);
    }
    std::vector<TensorId> given;
    for (const FoundRow& row : rows) {
        for (const std::optional<TensorId>& operand : row.operands) {
            if (!operand || is_stage(*operand)) continue;
            if (*operand != TensorId::mask || reads_mask(row.operation)) given.push_back(*operand);
        }
    }
    std::ranges::sort(given);
    given.erase(std::ranges::unique(given).begin(), given.end());
    for (const TensorId tensor : given) add(tensor, std::nullopt);
    for (const FoundRow& row : rows) add(row.result, row);
}

void LayerSheets::add(TensorId tensor, std::optional<FoundRow> row) {
    const Extent extent = extent_of(evaluation_.sizes, tensor);
    sheets_.push_back({.tensor = tensor,
                       .name = std::string(tensor == TensorId::embeddings ? "X" : tensor_name(tensor)),
                       .num_matrices = num_matrices(evaluation_.sizes, tensor),
                       .rows = extent.rows,
                       .columns = extent.columns,
                       .row = row});
}

const LayerSheet& LayerSheets::of(TensorId tensor) const {
    const auto found = std::ranges::find(sheets_, tensor, &LayerSheet::tensor);
    ATTN_CHECK(found != sheets_.end(), "no sheet for ", tensor_name(tensor));
    return *found;
}

const LayerSheet* LayerSheets::find(Operation operation, const OperandIds& operands) const {
    const auto is_it = [&](const LayerSheet& sheet) {
        return sheet.row && sheet.row->operation == operation && sheet.row->operands == operands;
    };
    const auto found = std::ranges::find_if(sheets_, is_it);
    return found == sheets_.end() ? nullptr : &*found;
}

bool LayerSheets::uses(Operation operation) const {
    return std::ranges::any_of(sheets_,
                               [&](const LayerSheet& sheet) { return sheet.row && sheet.row->operation == operation; });
}

const Matrix& LayerSheets::matrix(TensorId tensor, int n) const {
    constexpr std::size_t kMostKept = 64;  // what one matrix asks for, with room to spare
    const std::pair<TensorId, int> key = {tensor, n};
    const auto found = matrices_.find(key);
    if (found != matrices_.end()) return found->second;
    ATTN_CHECK(matrices_.size() < kMostKept, "begin_matrix() was not called");
    return matrices_.emplace(key, made_matrix(tensor, n)).first->second;
}

void LayerSheets::begin_matrix() {
    matrices_.clear();
}

Matrix LayerSheets::made_matrix(TensorId tensor, int n) const {
    const Extent extent = extent_of(evaluation_.sizes, tensor);
    if (tensor == TensorId::token_vectors) return evaluation_.parts.token_vectors;
    if (tensor == TensorId::positions) return evaluation_.parts.positions;
    if (tensor == TensorId::vocabulary) return problem().goal.vocabulary;
    if (tensor == TensorId::mask) return matrix_of(problem().hidden, extent.rows, extent.columns);
    if (is_learned(tensor)) return matrix_of(numbers_of(*problem().projections, tensor), extent.rows, extent.columns);
    if (tensor == TensorId::keep_mask) {
        Matrix keep = zeros<Matrix>(extent.rows, extent.columns);
        for (int i = 0; i < extent.rows; ++i) {
            for (int j = 0; j < extent.columns; ++j) keep(i, j) = evaluation_.trace.keep(n, i, j) != 0 ? 1.0F : 0.0F;
        }
        return keep;
    }
    return stage_matrix(problem(), evaluation_.trace, tensor, first_reader(evaluation_.sizes, tensor, n));
}

bool LayerSheets::is_typed(TensorId tensor, int n, int row, int column) const {
    if (tensor == TensorId::embeddings) return find_edit(inputs_, tensor, sentence_, row, column) != nullptr;
    const int merged = n * of(tensor).columns + column;
    return std::ranges::any_of(problem().typed_roles, [&](const TypedNumber& typed) {
        return typed.role == tensor && typed.row == row && typed.column == merged;
    });
}

std::string LayerSheets::cell(TensorId tensor, int n, int row, int column, Fixed fixed) const {
    const LayerSheet& sheet = of(tensor);
    return concat(sheet.name, "!", cell_name(sheet.row_of(n, row), LayerSheet::column_of(column), fixed));
}

std::string LayerSheets::row(TensorId tensor, int n, int row, Fixed fixed) const {
    const LayerSheet& sheet = of(tensor);
    const int at = sheet.row_of(n, row);
    return concat(sheet.name, "!", cell_name(at, LayerSheet::column_of(0), fixed), ":",
                  cell_name(at, LayerSheet::column_of(sheet.columns - 1), fixed));
}

std::string LayerSheets::part_of_row(TensorId tensor, int n, int row, int first, int end) const {
    const LayerSheet& sheet = of(tensor);
    const int at = sheet.row_of(n, row);
    return concat(sheet.name, "!", cell_name(at, LayerSheet::column_of(first), Fixed::both), ":",
                  cell_name(at, LayerSheet::column_of(end - 1), Fixed::both));
}

std::string LayerSheets::column(TensorId tensor, int n, int column) const {
    const LayerSheet& sheet = of(tensor);
    const int at = LayerSheet::column_of(column);
    return concat(sheet.name, "!", cell_name(sheet.row_of(n, 0), at, Fixed::row), ":",
                  cell_name(sheet.row_of(n, sheet.rows - 1), at, Fixed::row));
}

int LayerSheets::shared_matrix(TensorId tensor, int n, TensorId shared) const {
    return n / (of(tensor).num_matrices / of(shared).num_matrices);
}

}  // namespace attn
