// What explanations are put together of: factors, terms, and the numbers of a trace with the cells they stand in.
#pragma once

#include <algorithm>
#include <string>
#include <utility>

#include "core/explain/explanation.h"
#include "core/explain/stage_numbers.h"
#include "core/ground/portable_math.h"

namespace attn {

inline Factor constant(double value) {
    return {.value = value, .has_source = false, .source = {}};
}

inline Factor cell_value(float value, CellRef source) {
    return {.value = static_cast<double>(value), .has_source = true, .source = source};
}

inline Term single(Factor factor, std::string label = "") {
    return {.a = factor, .b = constant(1), .label = std::move(label)};
}

struct TraceCells {
    const AttentionProblem& problem;
    const AttentionTrace& trace;

    // Row i of a stage for head h.
    Vector row(TensorId stage, int h, int i) const { return stage_row(problem, trace, stage, h, i); }

    Factor factor(const CellRef& cell) const {
        return cell_value(row(cell.tensor, cell.head, cell.row)(cell.column), cell);
    }

    // One number taken over from the same cell of another stage, or from another cell.
    Term copied(TensorId stage, const CellRef& cell) const {
        return single(factor({stage, cell.head, cell.row, cell.column}));
    }
};

// The number of a pair that is turned, of the stage before (`direction` 1), or of the gradient behind (-1): its own
// number times the cosine, then its partner's times the sine, which comes in with a minus in the pair's first number.
inline void explain_turn(const TraceCells& in, int direction, Explanation& explanation) {
    const CellRef& cell = explanation.cell;
    const RotarySettings& rotary = in.problem.settings.rotary;
    const int own = in.problem.rope_dim();
    const int size = own == 0 ? in.problem.head_dim() : own;
    // Numbers that are turned alone stand behind the others, and are a stage of their own before they are turned.
    const int first_turned = own != 0 && is_turned_stage(cell.tensor) ? in.problem.head_dim() : 0;
    const int column = cell.column - first_turned;
    const int partner = partner_of(rotary.pairs, size, column);
    const int pair = pair_of(rotary.pairs, size, column);
    const bool is_first = column == first_of_pair(rotary.pairs, size, pair);
    const auto stage_before = [&] {
        switch (cell.tensor) {
            case TensorId::rotated_queries:
                return own == 0 ? TensorId::queries : TensorId::position_queries;
            case TensorId::rotated_keys:
                return own == 0 ? TensorId::keys : TensorId::position_keys;
            case TensorId::grad_queries:
            case TensorId::grad_position_queries:
                return TensorId::grad_rotated_queries;
            default:
                return TensorId::grad_rotated_keys;
        }
    };
    const TensorId before = stage_before();
    explanation.is_turned = true;
    explanation.position = cell.row + rotary.shift;
    explanation.angle = rotary_angle(explanation.position, pair, size, rotary.base);
    const double sine = (is_first ? -direction : direction) * portable::sin(explanation.angle);
    const double cosine = portable::cos(explanation.angle);
    const int head = before == TensorId::position_keys ? 0 : cell.head;
    const int offset = own != 0 && is_turned_stage(before) ? in.problem.head_dim() : 0;
    const auto add = [&](int of_head) {
        explanation.terms.push_back(
            {.a = in.factor({before, of_head, cell.row, offset + column}), .b = constant(cosine), .label = "cos"});
        explanation.terms.push_back(
            {.a = in.factor({before, of_head, cell.row, offset + partner}), .b = constant(sine), .label = "sin"});
    };
    if (cell.tensor != TensorId::grad_position_keys) return add(head);
    // Read by all key heads: each of them, named by the first head that reads it.
    for (int h = 0; h < in.problem.settings.num_heads; h += in.problem.heads_per_kv_head()) add(h);
}

// Whether this number of a role was typed: the gradient stops there. `column` counts before the cut into heads.
inline bool is_typed(const AttentionProblem& problem, TensorId role, int row, int column) {
    return std::ranges::any_of(problem.typed_roles, [&](const TypedNumber& typed) {
        return typed.role == role && typed.row == row && typed.column == column;
    });
}

}  // namespace attn
