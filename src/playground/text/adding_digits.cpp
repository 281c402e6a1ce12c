// Finds the fewest digits with which printed terms add up to the printed sum.
#include "playground/text/adding_digits.h"

#include <cmath>
#include <string>

#include "playground/text/format.h"

namespace attn {
namespace {

constexpr int kFewest = 4;
constexpr int kMost = 12;

// What a reader adds up. Infinities and NaN have no digits and count as they are.
double printed(double value, int digits) {
    return parse_number(shown_number(value, digits)).value_or(value);
}

// Whether `total` prints as `target`, and not only just: a reader's sum is exact, this one is a double.
bool prints_as(double total, const std::string& target) {
    const double hair = std::abs(total) * 1e-12;
    return shown_number(total - hair) == target && shown_number(total + hair) == target;
}

}  // namespace

int adding_digits(const std::vector<Term>& terms, double sum) {
    const std::string target = shown_number(sum);
    for (int digits = kFewest; digits < kMost; ++digits) {
        double total = 0;
        for (const Term& term : terms) total += printed(term.product(), digits);
        if (prints_as(total, target) || !std::isfinite(total)) return digits;
    }
    return kMost;
}

}  // namespace attn
