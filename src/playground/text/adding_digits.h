// How many decimals a sum needs on the screen. A reader adds what is printed, so what is printed must add up.
#pragma once

#include <vector>

#include "core/explain/explain.h"

namespace attn {

// The fewest decimals, 4 to 12, with which the products of the terms, printed by shown_number and added up by a reader,
// give the four decimals that are printed for `sum`. With 4 each product may be off by half a unit of the last place,
// so that many terms would often miss by a unit or more.
int adding_digits(const std::vector<Term>& terms, double sum);

}  // namespace attn
