// Walks the rows of the layer from the blanks on.
#include "playground/check/withheld.h"

#include <algorithm>

#include "core/ground/check.h"
#include "core/operations/layer_rows.h"
#include "playground/link/blanks.h"
#include "playground/state/shapes.h"
#include "playground/state/targets.h"

namespace attn {
namespace {

// Whether all numbers of `one` are among those of `other`.
bool is_part_of(const HiddenValue& one, const HiddenValue& other) {
    const auto fits = [](int part, int all) { return all < 0 || part == all; };
    const bool has_heads = stage_info(one.stage).has_heads;
    return one.stage == other.stage && (!has_heads || fits(one.head, other.head)) && fits(one.row, other.row) &&
           fits(one.column, other.column);
}

// Whether an operation takes row i of this operand for row i of its result.
bool is_row_by_row(Operation operation, std::size_t operand) {
    switch (operation) {
        case Operation::dot:
        case Operation::mix:
        case Operation::rotate:
            return operand == 0;
        default:
            return true;
    }
}

// Whether somebody is to fill in numbers of the stage. A stage that is only left out of the picture is no question.
bool has_question(const PlaygroundState& state, const Blanks& blanks, TensorId stage) {
    return blanks.has_values_of(stage) ||
           (blanks.has_stage(stage) && copies_of(state.inputs, state.view.check).contains(stage));
}

// What is left out of a row so that no blank of the state is alone in it.
std::vector<HiddenValue> company_of_blanks(const PlaygroundState& state) {
    const Inputs& inputs = state.inputs;
    const std::vector<HiddenValue> hidden = hidden_values(state.view);
    const bool has_gaps = hides_by_window_or_hand(inputs);  // else a row sees its own key and all before it, or all
    const bool is_causal = inputs.mask == Mask::causal;
    std::vector<HiddenValue> company;
    for (const HiddenValue& value : hidden) {
        const std::set<TensorId> copies = copies_of(inputs, {value.stage});
        if (value.column < 0 || std::ranges::none_of(copies, row_has_known_sum)) continue;
        const auto add = [&](int column) {
            company.push_back({.stage = value.stage, .head = value.head, .row = value.row, .column = column});
        };
        const auto is_whole_row = [&](const HiddenValue& other) {
            return other.stage == value.stage && other.head == value.head && other.row == value.row && other.column < 0;
        };
        if (std::ranges::any_of(hidden, is_whole_row)) continue;
        if (has_gaps) {
            add(-1);
            continue;
        }
        const auto is_beside = [&](const HiddenValue& other) {
            return other.stage == value.stage && other.head == value.head && other.row == value.row &&
                   other.column != value.column && is_causal && other.column <= value.row;
        };
        if (std::ranges::none_of(hidden, is_beside)) add(value.column > 0 ? value.column - 1 : 1);
    }
    return company;
}

// What is withheld, stage by stage.
class Withheld {
public:
    explicit Withheld(const PlaygroundState& state) : inputs_(state.inputs) {
        const Blanks blanks(state);
        head_dim_ = inputs_.d_out / inputs_.num_heads;
        for (const TensorId stage : present_stages(inputs_)) {
            if (blanks.has_stage(stage) && has_question(state, blanks, stage)) add(whole(stage));
        }
        for (const HiddenValue& value : hidden_values(state.view)) add_with_copies(value);
        for (const HiddenValue& value : company_of_blanks(state)) add_with_copies(value);
        add_what_follows();
        for (const TensorId stage : present_stages(inputs_)) {
            if (blanks.has_stage(stage)) add(whole(stage));
        }
    }

    std::vector<HiddenValue> take() {
        std::ranges::stable_sort(values_, {}, [](const HiddenValue& value) { return value.stage; });
        return std::move(values_);
    }

private:
    static HiddenValue whole(TensorId stage) { return {.stage = stage, .head = -1, .row = -1, .column = -1}; }

    void add(HiddenValue value) {
        if (!is_present(inputs_, value.stage)) return;
        if (!stage_info(value.stage).has_heads) value.head = -1;
        if (std::ranges::any_of(values_, [&](const HiddenValue& other) { return is_part_of(value, other); })) return;
        std::erase_if(values_, [&](const HiddenValue& other) { return is_part_of(other, value); });
        values_.push_back(value);
    }

    // A value in each stage that has its number: cell by cell, or heads side by side.
    void add_with_copies(const HiddenValue& value) {
        for (const TensorId stage : copies_of(inputs_, {value.stage})) {
            const bool is_split = stage_info(stage).has_heads, was_split = stage_info(value.stage).has_heads;
            HiddenValue copy = {.stage = stage, .head = value.head, .row = value.row, .column = value.column};
            if (is_split && !was_split) {
                copy.head = value.column < 0 ? -1 : value.column / head_dim_;
                copy.column = value.column < 0 ? -1 : value.column % head_dim_;
            } else if (!is_split && was_split) {
                copy.column = value.head < 0 || value.column < 0 ? -1 : value.head * head_dim_ + value.column;
            }
            add(copy);
        }
    }

    // What `operand` of the row leaves of its result.
    void add_result(const FoundRow& row, std::size_t operand) {
        const TensorId source = *row.operands[operand];
        const std::vector<HiddenValue> before = values_;
        for (const HiddenValue& value : before) {
            if (value.stage != source) continue;
            HiddenValue result = whole(row.result);
            if (is_row_by_row(row.operation, operand)) {
                result.row = value.row;
                const bool keeps_heads = stage_info(source).has_heads && !has_kv_heads(source);
                if (keeps_heads) result.head = value.head;
                if (row.operation == Operation::merge && value.head >= 0 && value.column >= 0)
                    result.column = value.head * head_dim_ + value.column;
            }
            add(result);
        }
    }

    // The rest of a row that two stages share out, a softmax and its sink.
    void add_rest(TensorId part, TensorId other) {
        const std::vector<HiddenValue> earlier = values_;
        for (const HiddenValue& value : earlier) {
            if (value.stage == part || value.stage == other)
                add({.stage = value.stage == part ? other : part, .head = value.head, .row = value.row});
        }
    }

    void add_what_follows() {
        if (values_.empty()) return;
        const LayerKind layer(layer_parts(inputs_), inputs_.goal);
        const bool is_forward =
            std::ranges::any_of(values_, [](const HiddenValue& value) { return !is_gradient(value.stage); });
        const std::vector<FoundRow> rows = forward_rows(layer);
        for (const FoundRow& row : rows) {
            for (std::size_t n = 0; n < row.operands.size(); ++n) {
                if (row.operands[n] && is_stage(*row.operands[n])) add_result(row, n);
            }
            if (row.operation != Operation::sink_share) continue;
            for (const FoundRow& other : rows) {
                const bool is_shared = other.operands == row.operands;
                if (other.operation == Operation::softmax && is_shared) add_rest(row.result, other.result);
            }
        }
        for (const TensorId stage : present_stages(inputs_)) {
            if (is_forward && (is_gradient(stage) || (is_block_stage(stage) && stage != TensorId::before)))
                add(whole(stage));
        }
        if (is_forward || inputs_.goal == GoalKind::none) return;
        for (const FoundRow& row : backward_rows(layer)) {
            const auto is_withheld = [&](const std::optional<TensorId>& operand) {
                return operand &&
                       std::ranges::any_of(values_, [&](const HiddenValue& value) { return value.stage == *operand; });
            };
            if (std::ranges::any_of(row.operands, is_withheld)) add(whole(row.result));
        }
    }

    const Inputs& inputs_;
    int head_dim_ = 1;
    std::vector<HiddenValue> values_;
};

}  // namespace

std::vector<HiddenValue> withheld_values(const PlaygroundState& state) {
    if (Blanks(state).empty()) return {};
    return Withheld(state).take();
}

PlaygroundState with_withheld(const PlaygroundState& state) {
    PlaygroundState with = state;
    for (const HiddenValue& value : withheld_values(state))
        with.view.hide.insert(value.is_whole() ? concat("stage.", tensor_name(value.stage)) : name_of_value(value));
    return with;
}

bool is_up_to_blanks(const PlaygroundState& state, TensorId stage) {
    const Blanks blanks(state);
    const std::vector<TensorId> stages = present_stages(state.inputs);
    const auto asks = [&](TensorId one) { return has_question(state, blanks, one); };
    if (std::ranges::none_of(stages, asks)) return true;
    return std::any_of(std::ranges::find(stages, stage), stages.end(), asks);
}

}  // namespace attn
