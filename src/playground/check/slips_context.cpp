// Slips of the context and of putting the heads side by side.
#include "core/explain/stage_numbers.h"
#include "core/fast/attend.h"
#include "core/ground/check.h"
#include "playground/check/slip_list.h"

namespace attn {
namespace {

TensorId mixing_stage(const SlipPlace& at) {
    return weights_of_values(layer_parts(at.problem()));
}

// The context at the cell if the heads or the steps before had other numbers: the sentence is computed again.
double context_with(const SlipPlace& at, const AttentionSettings& settings, const Cell& cell) {
    AttentionProblem problem = at.problem();
    problem.settings = settings;
    const AttentionTrace trace = attend(problem);
    const Vector row = stage_row(problem, trace, TensorId::context, cell.head, cell.row);
    return static_cast<double>(row(cell.column));
}

void add_slips_of_steps_before(const SlipPlace& at, const Cell& cell) {
    AttentionSettings settings = at.settings();
    if (settings.scale != Scale::none) {
        settings.scale = Scale::none;
        at.add(context_with(at, settings, cell), "forget to divide the scores, and go on with such weights");
    }
    settings = at.settings();
    if (settings.mask_at != MaskAt::after_raw) {
        settings.mask_at = MaskAt::after_raw;
        at.add(context_with(at, settings, cell), "go on with weights that were masked after the softmax");
    }
}

void add_mixing_slips(const SlipPlace& at, const Cell& cell) {
    const Matrix mix = at.matrix(mixing_stage(at), cell.head);
    const Matrix value = at.matrix(TensorId::values, cell.head);
    const std::vector<float> channel = column_of(value, cell.column);
    at.add(dot(column_of(mix, cell.row), channel), "go down a column of the weights instead of along the row");
    at.add(dot(row_of(mix, cell.row), channel, 2), "round weights and values to two decimals before you multiply");
    if (mixing_stage(at) == TensorId::dropped_weights) {
        const Matrix weights = at.matrix(TensorId::weights, cell.head);
        at.add(dot(row_of(weights, cell.row), channel), "take the weights from before dropout");
    }
    if (at.head_dim() == at.num_tokens()) {
        at.add(dot(row_of(mix, cell.row), row_of(value, cell.column)), "go along a row of V instead of down a column");
    }
    double sum = 0;
    int num_visible = 0;
    for (int key = 0; key < at.num_tokens(); ++key) {
        if (!at.is_visible(cell.row, key)) continue;
        sum += static_cast<double>(value(key, cell.column));
        ++num_visible;
    }
    at.add(sum / num_visible, "take the plain mean of the values");
    at.add(sum, "add up the values without their weights");
    for (const TensorId wrong : {TensorId::queries, TensorId::keys}) {
        const Matrix other = at.matrix(wrong, cell.head);
        at.add(dot(row_of(mix, cell.row), column_of(other, cell.column)),
               concat("take the ", tensor_name(wrong), " for the values"));
    }
    for (int h = 0; h < at.num_heads(); ++h) {
        if (at.problem().kv_head(h) == at.problem().kv_head(cell.head)) continue;  // the same values
        const Matrix other = at.matrix(TensorId::values, h);
        at.add(dot(row_of(mix, cell.row), column_of(other, cell.column)), concat("take the values of head ", h + 1));
    }
}

}  // namespace

void add_context_slips(const SlipPlace& at) {
    Cell cell = at.cell;
    if (at.stage == TensorId::merged) {
        const auto& [none, row, column] = at.cell;
        cell = {.head = column / at.head_dim(), .row = row, .column = column % at.head_dim()};
        const Matrix interleaved = at.matrix(TensorId::context, column % at.num_heads());
        at.add(static_cast<double>(interleaved(row, column / at.num_heads())),
               "take one channel of each head in turn instead of head after head");
        for (int h = 0; h < at.num_heads(); ++h) {
            if (h == cell.head) continue;
            const Matrix other = at.matrix(TensorId::context, h);
            at.add(static_cast<double>(other(row, cell.column)), concat("take head ", h + 1));
        }
    }
    add_mixing_slips(at, cell);
    add_slips_of_steps_before(at, cell);
}

}  // namespace attn
