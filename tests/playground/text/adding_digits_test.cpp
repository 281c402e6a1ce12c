// What the inspector prints adds up: checked on the text itself.
#include "playground/text/adding_digits.h"

#include <catch_amalgamated.hpp>
#include <cmath>

#include "playground/numbers/evaluation.h"
#include "playground/random_states.h"
#include "playground/text/format.h"

using namespace attn;
using namespace attn::test;

namespace {

Term product(double a, double b) {
    return {.a = {.value = a, .has_source = false, .source = {}},
            .b = {.value = b, .has_source = false, .source = {}},
            .label = ""};
}

// The printed products added up in units of 1e-12, where decimals are whole numbers and no rounding hides a mistake.
// Good for numbers below 1e5 that are not printed in scientific form.
double sum_of_print(const std::vector<Term>& terms, int digits) {
    long long units = 0;
    for (const Term& term : terms) units += std::llround(*parse_number(shown_number(term.product(), digits)) * 1e12);
    return static_cast<double>(units) / 1e12;
}

}  // namespace

TEST_CASE("four decimals are enough where their rounding cancels", "[explain]") {
    CHECK(adding_digits({product(0.5, 0.5), product(1, 0.25)}, 0.5) == 4);
    CHECK(adding_digits({}, 0) == 4);
}

TEST_CASE("thirds need a fifth decimal to add up", "[explain]") {
    // 0.3333 + 0.3333 + 0.3333 is 0.9999, and so is the sum with every further digit, up to rounding: 0.99999
    // is 1.0000.
    const std::vector<Term> thirds(3, product(1.0 / 3, 1));
    CHECK(adding_digits(thirds, 1) == 5);
}

TEST_CASE("the printed terms of every sum add up to its printed number", "[explain][property]") {
    Dice dice(5);
    for (int n = 0; n < 4000; ++n) {
        std::vector<Term> terms;
        for (int k = 1 + dice.below(40); k > 0; --k) {
            const double a = (dice.below(200001) - 100000) / 37777.0;
            const double b = (dice.below(200001) - 100000) / 91111.0;
            // Tiny products are printed in scientific form, with digits that sum_of_print would cut off.
            if (std::abs(a * b) > 1e-4) terms.push_back(product(a, b));
        }
        const double sum = sum_of(terms);
        if (std::abs(sum) < 1e-4) continue;
        const int digits = adding_digits(terms, sum);
        CAPTURE(n, digits, sum);
        CHECK(shown_number(sum_of_print(terms, digits)) == shown_number(sum));
        CHECK(digits <= 8);
    }
}

TEST_CASE("sums that are no numbers end the search", "[explain][bad-input]") {
    const double huge = 1e300;
    CHECK(adding_digits({product(huge, huge)}, huge * huge) == 4);
    CHECK(adding_digits({product(huge, huge), product(-huge, huge)}, std::nan("")) == 4);
}
