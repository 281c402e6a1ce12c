// What changes each number alone: scores over their divisor; cap * tanh(score / cap), which keeps them between -cap and
// cap (Gemma 2, 2408.00118, section 2), with the backward pass grad_x = grad_y (1 - (y / cap)^2); minus slope *
// distance (ALiBi, Press et al. 2021, 2108.12409), and dropout, which keeps a weight over 1 - p or makes it 0
// (Srivastava et al. 2014).
#include <cmath>
#include <cstdlib>
#include <xtensor/core/xmath.hpp>

#include "core/attention/score_changes.h"
#include "core/ground/portable_math.h"
#include "core/operations/operations.h"

namespace attn {
namespace {

double divisor_of(const AttentionProblem& problem) {
    return static_cast<double>(score_divisor(problem.settings, problem.head_dim()));
}

// The cap of the scores or of the logits, by a tensor of their shape.
double cap_of(const AttentionProblem& problem, TensorId tensor) {
    const bool is_of_words = dims_of(tensor).columns == Dim::words;
    return static_cast<double>(is_of_words ? problem.settings.logit_cap : problem.settings.score_cap);
}

// The number of another tensor at the same place.
Factor same_cell(const Cells& in, TensorId tensor, const CellRef& cell) {
    return in.factor({tensor, cell.head, cell.row, cell.column});
}

}  // namespace

void scale_value(const Operands& in, CubeD& y) {
    y += in[0] / divisor_of(in.problem);
}

void scale_terms(const Cells& in, const OperandIds& ids, Explanation& explanation) {
    explanation.terms.push_back(single(same_cell(in, *ids[0], explanation.cell)));
    explanation.divisor = divisor_of(in.problem);
}

void cap_value(const Operands& in, CubeD& y) {
    const double cap = cap_of(in.problem, in.result);
    y += cap * xt::tanh(in[0] / cap);
}

void cap_terms(const Cells& in, const OperandIds& ids, Explanation& explanation) {
    const CellRef& cell = explanation.cell;
    const double cap = cap_of(in.problem, cell.tensor);
    Factor tangent = same_cell(in, *ids[0], cell);
    tangent.value = portable::tanh(tangent.value / cap);
    explanation.terms.push_back(product(tangent, constant(cap), "tanh"));
}

void cap_grad_value(const Operands& in, CubeD& grad_x) {
    const double cap = cap_of(in.problem, in.result);
    grad_x += in[0] * (1 - xt::square(in[1] / cap));
}

void cap_grad_terms(const Cells& in, const OperandIds& ids, Explanation& explanation) {
    const CellRef& cell = explanation.cell;
    const float y = in.number({*ids[1], cell.head, cell.row, cell.column});
    const Factor slope =
        constant(static_cast<double>(cap_slope(y, static_cast<float>(cap_of(in.problem, cell.tensor)))));
    explanation.terms.push_back(product(same_cell(in, *ids[0], cell), slope));
}

void add_alibi_value(const Operands& in, CubeD& y) {
    for_each_cell(y, [&](int h, int i, int j) {
        y(h, i, j) += in[0](h, i, j) - slope_of_head(in.problem.settings, h) * std::abs(i - j);
    });
}

void add_alibi_terms(const Cells& in, const OperandIds& ids, Explanation& explanation) {
    const CellRef& cell = explanation.cell;
    const auto slope = static_cast<double>(static_cast<float>(slope_of_head(in.problem.settings, cell.head)));
    explanation.terms.push_back(single(same_cell(in, *ids[0], cell)));
    explanation.terms.push_back(product(constant(-slope), constant(std::abs(cell.row - cell.column)), "distance"));
}

void copy_value(const Operands& in, CubeD& y) {
    y += in[0];
}

void copy_terms(const Cells& in, const OperandIds& ids, Explanation& explanation) {
    explanation.terms.push_back(single(same_cell(in, *ids[0], explanation.cell)));
}

void drop_value(const Operands& in, CubeD& y) {
    y += in[0] * in[1] / (1 - in.problem.settings.dropout);
}

void drop_terms(const Cells& in, const OperandIds& ids, Explanation& explanation) {
    const Factor keep = same_cell(in, *ids[1], explanation.cell);
    const Factor factor =
        keep.value == 0 ? keep : constant(static_cast<double>(keep_scale(in.problem.settings.dropout)));
    explanation.terms.push_back(product(same_cell(in, *ids[0], explanation.cell), factor));
}

}  // namespace attn
