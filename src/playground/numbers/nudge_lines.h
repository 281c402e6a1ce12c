// A gradient's proof in words and numbers: inspector, text version and the attn command.
#pragma once

#include <string>
#include <vector>

#include "core/explain/explain.h"
#include "playground/numbers/evaluation.h"

namespace attn {

// "loss with scores + 0.0001: 0.1464117123", the same with − 0.0001, and their difference divided by 0.0002, which is
// the gradient. Nothing where the cell is no gradient, the loss is not finite, or it would take more than `most`
// multiply-adds.
std::vector<std::string> nudge_lines(const Evaluation& evaluation, const CellRef& gradient, double most);

}  // namespace attn
