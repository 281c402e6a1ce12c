// What the next step of training does to one number, in words and numbers: inspector, text version and the attn
// command.
#pragma once

#include <string>
#include <vector>

#include "core/graph/explanation.h"
#include "playground/numbers/evaluation.h"

namespace attn {

// Of the number that this gradient belongs to, a line for each operation in the optimizer's order: the running means,
// the means corrected, the new number. Nothing where the cell is no gradient, its number
// does not learn, or training has stopped.
std::vector<std::string> step_lines(const Evaluation& evaluation, const CellRef& gradient);

}  // namespace attn
