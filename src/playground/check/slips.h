// The slips people make with each step of attention, and the number each slip leads to, found by making the slip.
// Knows no answers and no screen.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "playground/check/slip.h"
#include "playground/numbers/evaluation.h"

namespace attn {

// Every slip that can be made at this cell of `stage`, with its number, whether or not it differs from the right one.
std::vector<Slip> slips_at(const Evaluation& evaluation, TensorId stage, const Cell& cell);

// Those whose number is `typed` within `tolerance`, and so far from the right `number` that the two cannot be taken for
// each other; each number once.
std::vector<Slip> matching_slips(const Evaluation& evaluation, TensorId stage, const Cell& cell, double typed,
                                 double tolerance);

// Those that nobody can take for the right number or for another one of the list, answers being judged within
// `tolerance`: of slips whose numbers are so near each other the first stays, as it is named first.
std::vector<Slip> distinct_slips(const Evaluation& evaluation, TensorId stage, const Cell& cell, double tolerance);

// What is said to a number that mistakes lead to: "Not yet, because 0.4086 comes out when you forget to divide by √2.".
// `ways`: the words of the slips, ", or when you " between them.
std::string remark_on_mistake(double number, std::string_view ways);

}  // namespace attn
