// The matrix of view=edit, and what its numbers change, as text tables.
#include "views/edit/edit_text.h"

#include "core/ground/check.h"
#include "playground/numbers/changes.h"
#include "playground/numbers/matrix_table.h"
#include "playground/state/state_edits.h"
#include "playground/text/format.h"
#include "playground/text/notes.h"
#include "views/edit/edit_table.h"

namespace attn {
namespace {

bool is_of_tokens(TensorId tensor) {
    return tensor == TensorId::embeddings || tensor == TensorId::mask || is_role(tensor);
}

// Counts the cells of each stage that the typed numbers changed.
TextTable changes_table(const Inputs& inputs, const Evaluator& evaluator) {
    TextTable table = {
        .title = "What the typed numbers changed", .columns = {"stage", "changed cells", "cells"}, .rows = {}};
    for (const TensorId stage : present_stages(inputs)) {
        if (!is_ready(evaluator.shown().trace, stage, 0)) continue;  // nobody looked at it
        const StageChanges changes = count_changes(*evaluator.unedited(), evaluator.shown(), stage);
        table.rows.push_back(
            {std::string(tensor_name(stage)), with_thousands(changes.num_changed), with_thousands(changes.num_cells)});
    }
    return table;
}

}  // namespace

std::string_view table_meaning(TensorId tensor) {
    switch (tensor) {
        case TensorId::embeddings:
            return "one row per token, positions added; one column per channel";
        case TensorId::queries:
            return "one row per token, one column per channel of the query: no longer X times w_query where typed over";
        case TensorId::keys:
            return "one row per token, one column per channel of the key: no longer X times w_key where typed over";
        case TensorId::values:
            return "one row per token, one column per channel of the value: no longer X times w_value where typed over";
        case TensorId::w_query:
            return "one row per channel of X (or of the query latent), one column per channel of the query";
        case TensorId::w_key:
            return "one row per channel of X (or of the latent), one column per channel of the key";
        case TensorId::w_value:
            return "one row per channel of X (or of the latent), one column per channel of the value";
        case TensorId::w_down_query:
            return "one row per channel of X, one column per number of the query latent";
        case TensorId::w_down_kv:
            return "one row per channel of X, one column per number of the latent";
        case TensorId::w_query_rope:
            return "one row per channel of X (or of the query latent), for each head a column per turned number";
        case TensorId::w_key_rope:
            return "one row per channel of X, one column per turned number, which all heads share";
        case TensorId::b_query:
            return "added to every query";
        case TensorId::b_key:
            return "added to every key";
        case TensorId::b_value:
            return "added to every value";
        case TensorId::w_out:
            return "one row per channel of the merged heads, one column per channel of the output";
        case TensorId::b_out:
            return "added to every output";
        case TensorId::q_norm:
            return "one number per channel of a head, which each head's normed queries are multiplied by";
        case TensorId::k_norm:
            return "one number per channel of a head, which each head's normed keys are multiplied by";
        case TensorId::sink_logits:
            return "one number a head, which takes part in the softmax of each of its rows";
        default:
            return "one row per query, one column per key; 1 hides the key from the query";
    }
}

std::string table_row_label(const Evaluation& evaluation, TensorId tensor, int row) {
    if (tensor == TensorId::sink_logits) return "logit";
    if (tensor == TensorId::q_norm || tensor == TensorId::k_norm) return "weight";
    if (is_bias(tensor)) return "bias";
    return is_of_tokens(tensor) ? evaluation.tokens.tokens[static_cast<std::size_t>(row)].text : concat(row);
}

std::string table_column_label(const Evaluation& evaluation, TensorId tensor, int column) {
    if (tensor == TensorId::sink_logits) return concat("head ", column + 1);
    if (tensor != TensorId::mask) return concat(column);
    return evaluation.tokens.tokens[static_cast<std::size_t>(column)].text;
}

bool has_head_columns(TensorId tensor) {
    return is_role(tensor) || tensor == TensorId::w_query || tensor == TensorId::w_key || tensor == TensorId::w_value ||
           tensor == TensorId::b_query || tensor == TensorId::b_key || tensor == TensorId::b_value;
}

bool has_head_rows(TensorId tensor) {
    return tensor == TensorId::w_out;
}

std::vector<TextTable> tables_of_edit(const PlaygroundState& state, const Evaluator& evaluator) {
    const TensorId tensor = state.view.tensor;
    const Evaluation& evaluation = evaluator.shown();
    const Extent extent = table_extent(evaluation, tensor);
    if (extent.rows == 0) {
        return {{.title = concat(tensor_name(tensor), " is not there: ", why_absent(state.inputs, tensor)),
                 .columns = {},
                 .rows = {}}};
    }
    Matrix matrix = zeros<Matrix>(extent.rows, extent.columns);
    for (int row = 0; row < extent.rows; ++row) {
        for (int column = 0; column < extent.columns; ++column) {
            matrix(row, column) = number_at(evaluation, tensor, row, column);
        }
    }
    TextTable table = matrix_table(
        concat(tensor_name(tensor), " (", extent.rows, ", ", extent.columns, "): ", table_meaning(tensor)), matrix,
        [&](int row) { return table_row_label(evaluation, tensor, row); },
        [&](int column) { return table_column_label(evaluation, tensor, column); });
    for (std::size_t row = 0; row < table.rows.size(); ++row) {
        for (std::size_t cell = 1; cell < table.rows[row].size(); ++cell) {
            const int i = static_cast<int>(row);
            const int c = static_cast<int>(cell) - 1;
            if (!is_typed_over(state, tensor, i, c)) continue;
            const Evaluation* before = evaluator.unedited();
            const std::string was =
                before == nullptr ? "typed over" : concat("was ", shown_number(number_at(*before, tensor, i, c)));
            table.rows[row][cell] += concat(" (", was, ")");
        }
    }
    std::vector<TextTable> tables = {table};
    if (evaluator.unedited() != nullptr) tables.push_back(changes_table(state.inputs, evaluator));
    return tables;
}

}  // namespace attn
