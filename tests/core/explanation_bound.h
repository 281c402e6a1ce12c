// How far the sum of an explanation's terms may be from the number shown.
#pragma once

#include <cmath>

#include "core/explain/explain.h"

namespace attn::test {

// Float sums of n products are off by at most (n + 1) units of the sum of their sizes (Higham 2002, section 3.1);
// dividing adds one. A weight's exponent s - row_max is rounded before exp, and exp carries that over as a relative
// error; exp, row sum and division add less than 10 units; weights below 1.2e-38, the smallest float, are shown as 0.
inline double allowed_error(const Explanation& explanation) {
    constexpr double kUnit = 0x1p-24;  // a float operation is off by at most this part of its result
    double size = 0;
    for (const Term& term : explanation.terms) {
        size += std::abs(term.product());
        // The average that is taken off is a float, too, whose own terms may cancel.
        if (term.label != "average") continue;
        for (const Term& part : explanation.average_terms) size += std::abs(part.product() * term.b.value);
    }
    const double n = static_cast<double>(explanation.terms.size());
    const double exponent = std::abs(explanation.score - explanation.row_max);
    const double units = explanation.divisor_terms.empty() ? n + 2 : exponent + 10;
    return units * kUnit * size / explanation.divisor + 1.3e-38;
}

}  // namespace attn::test
