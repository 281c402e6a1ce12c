// y = cap * tanh(x / cap) keeps a score between -cap and cap (Gemma 2, 2408.00118, section 2). Backward:
// grad_x = grad_y (1 - (y / cap)^2), the slope of the tangent.
#include <xtensor/core/xmath.hpp>

#include "core/attention/score_cap.h"
#include "core/ground/portable_math.h"
#include "core/operations/operations.h"

namespace attn {

void cap_value(const Operands& in, CubeD& y) {
    const auto cap = static_cast<double>(in.problem.settings.score_cap);
    y += cap * xt::tanh(in[0] / cap);
}

void cap_terms(const Cells& in, const OperandIds& ids, Explanation& explanation) {
    const CellRef& cell = explanation.cell;
    const auto cap = static_cast<double>(in.problem.settings.score_cap);
    Factor tangent = in.factor({*ids[0], cell.head, cell.row, cell.column});
    tangent.value = portable::tanh(tangent.value / cap);
    explanation.terms.push_back(product(tangent, constant(cap), "tanh"));
}

void cap_grad_value(const Operands& in, CubeD& grad_x) {
    const auto cap = static_cast<double>(in.problem.settings.score_cap);
    grad_x += in[0] * (1 - xt::square(in[1] / cap));
}

void cap_grad_terms(const Cells& in, const OperandIds& ids, Explanation& explanation) {
    const CellRef& cell = explanation.cell;
    const float y = in.number({*ids[1], cell.head, cell.row, cell.column});
    const Factor slope = constant(static_cast<double>(cap_slope(y, in.problem.settings.score_cap)));
    explanation.terms.push_back(product(in.factor({*ids[0], cell.head, cell.row, cell.column}), slope));
}

}  // namespace attn
