// Rotary positions: pairs of columns (x, y) become (x cos - y sin, y cos + x sin), with an angle that grows with the
// position. Su et al. 2021, 2104.09864, section 3.4.2. With decoupled RoPE (DeepSeek-V2, 2405.04434, section 2.1.3) the
// second operand is rotated, and its columns follow those of the first, which stay as they are. Backward: the gradient
// turned by the opposite angle.
#include <cmath>

#include "core/ground/portable_math.h"
#include "core/operations/operations.h"

namespace attn {
namespace {

// How many columns of a row are turned: the last ones.
int num_turned(const RotarySettings& rotary, int columns) {
    return rotary.own_dim == 0 ? columns : rotary.own_dim;
}

// The last columns of each row, turned by `direction` times their angle.
CubeD turned(const RotarySettings& rotary, const CubeD& x, int direction) {
    CubeD y = x;
    const int size = num_turned(rotary, length(x, 2)), begin = length(x, 2) - size;
    for (int h = 0; h < length(x, 0); ++h) {
        for (int i = 0; i < length(x, 1); ++i) {
            for (int pair = 0; pair < size / 2; ++pair) {
                const double angle = direction * (i + rotary.shift) * std::pow(rotary.base, -2.0 * pair / size);
                const int first = begin + first_of_pair(rotary.pairs, size, pair);
                const int second = begin + second_of_pair(rotary.pairs, size, pair);
                y(h, i, first) = x(h, i, first) * std::cos(angle) - x(h, i, second) * std::sin(angle);
                y(h, i, second) = x(h, i, second) * std::cos(angle) + x(h, i, first) * std::sin(angle);
            }
        }
    }
    return y;
}

// The terms of a number that is turned: its own times the cosine, then its partner's times the sine, which comes with a
// minus in the pair's first number. `column` counts the turned ones; `source` has them from column `begin` on.
void add_turned_terms(const Cells& in, const CellRef& source, int begin, int column, int direction,
                      Explanation& explanation) {
    const RotarySettings& rotary = in.problem.settings.rotary;
    const int size = num_turned(rotary, in.problem.head_dim());
    const int pair = pair_of(rotary.pairs, size, column), partner = partner_of(rotary.pairs, size, column);
    const bool is_first = column == first_of_pair(rotary.pairs, size, pair);
    explanation.is_turned = true;
    explanation.position = explanation.cell.row + rotary.shift;
    explanation.angle = rotary_angle(explanation.position, pair, size, rotary.base);
    const double sine = (is_first ? -direction : direction) * portable::sin(explanation.angle);
    const auto add = [&](int at, double factor, const char* label) {
        explanation.terms.push_back(
            product(in.factor({source.tensor, source.head, source.row, begin + at}), constant(factor), label));
    };
    add(column, portable::cos(explanation.angle), "cos");
    add(partner, sine, "sin");
}

}  // namespace

void rotate_value(const Operands& in, CubeD& y) {
    CubeD both = zeros<CubeD>(y.shape(0), y.shape(1), y.shape(2));
    const int head_dim = length(in[0], 2);
    for_each_cell(y, [&](int h, int i, int c) {
        both(h, i, c) = c < head_dim ? in[0](h, i, c) : in[1](shared_head(h, length(y, 0), in[1]), i, c - head_dim);
    });
    y += turned(in.problem.settings.rotary, both, 1);
}

void rotate_terms(const Cells& in, const OperandIds& ids, Explanation& explanation) {
    const CellRef& cell = explanation.cell;
    if (!ids[1]) return add_turned_terms(in, {*ids[0], cell.head, cell.row, 0}, 0, cell.column, 1, explanation);
    const int own_column = cell.column - in.columns_of(*ids[0]);
    if (own_column < 0) {
        explanation.terms.push_back(single(in.factor({*ids[0], cell.head, cell.row, cell.column})));
        return;
    }
    add_turned_terms(in, {*ids[1], in.head_in(*ids[1], cell.head), cell.row, 0}, 0, own_column, 1, explanation);
}

void rotate_grad_value(const Operands& in, CubeD& grad_x) {
    const CubeD grad = in.has(1) ? in[0] : turned(in.problem.settings.rotary, in[0], -1);
    for_each_cell(grad_x, [&](int h, int i, int c) { grad_x(h, i, c) += grad(h, i, c); });
}

void rotate_grad_terms(const Cells& in, const OperandIds& ids, Explanation& explanation) {
    const CellRef& cell = explanation.cell;
    const CellRef source = {*ids[0], cell.head, cell.row, cell.column};
    if (!ids[1]) return add_turned_terms(in, source, 0, cell.column, -1, explanation);
    explanation.terms.push_back(single(in.factor(source)));
}

void rotate_own_grad_value(const Operands& in, CubeD& grad_own) {
    const CubeD grad = turned(in.problem.settings.rotary, in[0], -1);
    const int head_dim = length(grad, 2) - length(grad_own, 2);
    for_each_cell(grad, [&](int h, int i, int c) {
        if (c >= head_dim) grad_own(shared_head(h, length(grad, 0), grad_own), i, c - head_dim) += grad(h, i, c);
    });
}

void rotate_own_grad_terms(const Cells& in, const OperandIds& ids, Explanation& explanation) {
    const CellRef& cell = explanation.cell;
    const bool is_shared = !stage_info(cell.tensor).has_heads;  // then all key heads add to it
    const int step = in.readers_of(*ids[0]);
    const int first = is_shared ? 0 : cell.head, end = is_shared ? in.problem.settings.num_heads : first + 1;
    for (int h = first; h < end; h += step)
        add_turned_terms(in, {*ids[0], h, cell.row, 0}, in.problem.head_dim(), cell.column, -1, explanation);
}

}  // namespace attn
