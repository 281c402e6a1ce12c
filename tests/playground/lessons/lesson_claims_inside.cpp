// What the lessons about the inside of one head claim: scaling, causal, dropout.
#include <algorithm>
#include <cmath>

#include "core/ground/check.h"
#include "playground/lessons/lesson_claims.h"
#include "playground/lessons/lessons.h"
#include "views/compare/comparison.h"
#include "views/dots/dot_experiment.h"
#include "views/softmax/softmax_experiment.h"

namespace attn::test {
namespace {

double variance_at(const Seen& step) {
    const View& view = step.state().view;
    DotExperiment experiment(view.pairs, view.pairs_seed, view.pairs_dim);
    experiment.draw(view.pairs);
    return experiment.variance(view.pairs_dim);
}

// The weights of view=softmax.
Numbers softmax_at(const Seen& step) {
    return softmax_of(step.state().view.vector, step.state().view.gain).weights;
}

double last_weight(const Seen& step) {
    return softmax_at(step).back();
}

int count_above(const Numbers& numbers, double bound) {
    return static_cast<int>(std::count_if(numbers.begin(), numbers.end(), [&](double x) { return x > bound; }));
}

Comparison comparison_at(const Seen& step) {
    REQUIRE(step.evaluator().other() != nullptr);
    return compare(step.evaluation(), *step.evaluator().other(), step.state().view.stage, 0, 0);
}

}  // namespace

std::vector<Claim> claims_inside_one_head() {
    return {
        {"scaling", 1, "each of 5 numbers with mean 0 and variance 1",
         [](const Seen& step) -> Numbers { return {static_cast<double>(step.state().view.pairs_dim), 0, 1}; }},
        {"scaling", 1, "a sum of 5 products, and the thousand spread with a variance of about 5",
         [](const Seen& step) -> Numbers {
             return {static_cast<double>(step.state().view.pairs_dim), variance_at(step)};
         }},
        {"scaling", 1, "A thousand",
         [](const Seen& step) -> Numbers {
             CHECK(step.state().view.pairs == 1000);
             return {};
         }},
        {"scaling", 2, "With 100 numbers each, the variance is near 100, here 88.6",
         [](const Seen& step) -> Numbers {
             const auto dim = static_cast<double>(step.state().view.pairs_dim);
             return {dim, dim, variance_at(step)};
         }},
        {"scaling", 2, "it stays near 1 for every d; divided by d it shrinks to 1/d",
         [](const Seen& step) -> Numbers {
             for (const int dim : {5, 20, 50, 100, 200, 400}) {
                 const Seen other = step.with(concat("pairs_dim=", dim));
                 CHECK(std::abs(variance_at(other) / dim - 1) < 0.12);
             }
             return {1, 1};
         }},
        {"scaling", 3, "the five numbers of the lecture: 0.1, −0.2, 0.3, −0.2, 0.5",
         [](const Seen& step) -> Numbers {
             const std::vector<float>& vector = step.state().view.vector;
             Numbers numbers = {static_cast<double>(vector.size())};
             numbers.insert(numbers.end(), vector.begin(), vector.end());
             return numbers;
         }},
        {"scaling", 3, "the largest gets 0.2872",
         [](const Seen& step) -> Numbers { return {largest_of(softmax_at(step))}; }},
        {"scaling", 3, "when all five are multiplied by 8",
         [](const Seen& step) -> Numbers {
             return {static_cast<double>(step.state().view.vector.size()), step.with("step=4").state().view.gain};
         }},
        {"scaling", 4, "times 8", [](const Seen& step) -> Numbers { return {step.state().view.gain}; }},
        {"scaling", 4, "the largest then takes 0.8000",
         [](const Seen& step) -> Numbers { return {largest_of(softmax_at(step))}; }},
        {"scaling", 4, "5, 25 and 270 times as much as the others. (The lecture estimates 10 to 15 times.)",
         [](const Seen& step) -> Numbers {
             Numbers weights = softmax_at(step);
             std::sort(weights.begin(), weights.end());
             for (std::size_t k = 0; k < 4; ++k) {
                 const double ratio = weights[4] / weights[k];
                 CHECK((ratio < 10 || ratio > 15));
             }
             CHECK(weights[0] == weights[1]);
             return {weights[4] / weights[3], weights[4] / weights[2], weights[4] / weights[0], 10, 15};
         }},
        {"scaling", 5, "The last number is now 0.6 instead of 0.5. At gain 8 its weight jumps from 0.8000 to 0.8990",
         [](const Seen& step) -> Numbers {
             const Seen before = step.with("step=4");
             return {static_cast<double>(step.state().view.vector.back()),
                     static_cast<double>(before.state().view.vector.back()), step.state().view.gain,
                     last_weight(before), last_weight(step)};
         }},
        {"scaling", 5, "at gain 1 it moves from 0.2872 to 0.3081",
         [](const Seen& step) -> Numbers {
             return {1, last_weight(step.with("step=4&gain=1")), last_weight(step.with("gain=1"))};
         }},
        {"scaling", 5, "At gain 20 it is 0.9817 for 0.5 and 0.9975 for 0.6",
         [](const Seen& step) -> Numbers {
             return {20, last_weight(step.with("step=4&gain=20")), 0.5, last_weight(step.with("gain=20")), 0.6};
         }},
        {"scaling", 6, "ten of eleven rows give one token more than 0.85",
         [](const Seen& step) -> Numbers {
             const Numbers largest = step.largest(kWeights);
             return {static_cast<double>(count_above(largest, 0.85)), static_cast<double>(largest.size()), 0.85};
         }},
        {"scaling", 7, "that of “woman”, with 0.509",
         [](const Seen& step) -> Numbers {
             const Numbers largest = step.with("step=6").largest(kWeights);
             CHECK(place_of_smallest(largest) == 7);
             CHECK(count_above(largest, 0.85) == 10);
             return {largest[7]};
         }},
        {"scaling", 7, "divided by √512, about 22.6: no row gives more than 0.25",
         [](const Seen& step) -> Numbers {
             const auto head_dim = static_cast<double>(step.evaluation().sizes.head_dim());
             CHECK(largest_of(step.largest(kWeights)) < 0.25);
             return {head_dim, std::sqrt(head_dim), 0.25};
         }},
        {"scaling", 8, "the largest weight of every row lies between 0.092 and 0.096, near 1/11 = 0.0909",
         [](const Seen& step) -> Numbers {
             CHECK(smallest_of(all_of(step.matrix(kWeights))) > 1.0 / 11 - 0.005);
             const Numbers largest = step.largest(kWeights);
             return {smallest_of(largest), largest_of(largest), 1, static_cast<double>(step.evaluation().num_tokens()),
                     1.0 / 11};
         }},

        {"causal", 1, "looks at all six words, also at the four that come later",
         [](const Seen& step) -> Numbers {
             const int num_tokens = step.evaluation().num_tokens();
             return {static_cast<double>(num_tokens), static_cast<double>(num_tokens - 2)};
         }},
        {"causal", 2, "e to the power of −∞ is 0", [](const Seen&) -> Numbers { return {std::exp(-INFINITY)}; }},
        {"causal", 3, "What is hidden gets weight 0, and what is left sums to 1",
         [](const Seen& step) -> Numbers { return {0, step.sums(kWeights)[1]}; }},
        {"causal", 3, "The first word can only look at itself, with weight 1",
         [](const Seen& step) -> Numbers { return {step.at(kWeights, 0, 0)}; }},
        {"causal", 4, "everything after the diagonal is set to 0", [](const Seen&) -> Numbers { return {0}; }},
        {"causal", 4, "all sums but the last are less than 1",
         [](const Seen& step) -> Numbers {
             const Numbers sums = step.sums(kWeights);
             CHECK(largest_of(Numbers(sums.begin(), sums.end() - 1)) < 1);
             return {sums.back()};
         }},
        {"causal", 4, "By what must 0.2041 and 0.1659 be divided",
         [](const Seen& step) -> Numbers { return {step.at(kWeights, 1, 0), step.at(kWeights, 1, 1)}; }},
        {"causal", 5,
         "by the sum of their row, 0.3700.\nDivided by the sum of their row, 0.2041 and 0.1659 become 0.5517 and "
         "0.4483",
         [](const Seen& step) -> Numbers {
             const Seen before = step.with("step=4");
             return {before.sums(kWeights)[1], before.at(kWeights, 1, 0), before.at(kWeights, 1, 1),
                     step.at(kWeights, 1, 0), step.at(kWeights, 1, 1)};
         }},
        {"causal", 6, "The difference is 0",
         [](const Seen& step) -> Numbers {
             const Comparison comparison = comparison_at(step);
             CHECK(comparison.is_rounding());
             return {static_cast<double>(comparison.largest)};
         }},
        {"causal", 6, "A minus B is drawn too: it is 0, or as little as rounding leaves of it",
         [](const Seen& step) -> Numbers { return {static_cast<double>(comparison_at(step).largest)}; }},
        {"causal", 7, "Every row but the last differs",
         [](const Seen& step) -> Numbers {
             const Matrix difference = comparison_at(step).difference;
             for (int i = 0; i < 6; ++i) {
                 double largest = 0;
                 for (int j = 0; j <= i; ++j) largest = std::max(largest, std::abs(double{difference(i, j)}));
                 CHECK((largest > 1e-3) == (i < 5));
             }
             return {};
         }},
        {"causal", 8, "may look at two words, and its scores are 0.1655 and 0.2602",
         [](const Seen& step) -> Numbers { return {2, step.at(kScores, 1, 0), step.at(kScores, 1, 1)}; }},
        {"causal", 8, "Divide both by √2",
         [](const Seen& step) -> Numbers { return {static_cast<double>(step.evaluation().sizes.head_dim())}; }},

        {"dropout", 1, "every row with its sum beside it: 1",
         [](const Seen& step) -> Numbers { return {smallest_of(step.sums(kWeights))}; }},
        {"dropout", 1, "set to 0 next, and a row is still to sum to 1", [](const Seen&) -> Numbers { return {0, 1}; }},
        {"dropout", 2,
         "multiplied by 1/(1 − p).\nWith p = 0.5 the weights that are kept are multiplied by 2: 0.3800 becomes 0.7599",
         [](const Seen& step) -> Numbers {
             const double p = step.state().inputs.dropout;
             return {1, 1, p, 1 / (1 - p), step.at(kWeights, 2, 0), step.at(kDropped, 2, 0)};
         }},
        {"dropout", 2, "“journey” lost both of its weights, so its context vector is (0, 0)",
         [](const Seen& step) -> Numbers {
             CHECK(step.sums(kDropped)[1] == 0);
             return step.row(kContext, 1);
         }},
        {"dropout", 3, "With p = 0.1 the kept weights are multiplied by 1/0.9",
         [](const Seen& step) -> Numbers { return {step.state().inputs.dropout, 1, 1 - step.state().inputs.dropout}; }},
        {"dropout", 3, "One weight of 21 was dropped: five rows sum to 1.111, one to 0.891",
         [](const Seen& step) -> Numbers {
             const Numbers sums = step.sums(kDropped);
             int num_weights = 0, num_fallen = 0;
             for (int i = 0; i < 6; ++i) {
                 for (int j = 0; j <= i; ++j) {
                     ++num_weights;
                     num_fallen += step.at(kDropped, i, j) == 0 ? 1 : 0;
                 }
             }
             CHECK(num_fallen == 1);
             return {static_cast<double>(num_weights), static_cast<double>(count_above(sums, 1.1)), largest_of(sums),
                     smallest_of(sums)};
         }},
        {"dropout", 4, ": “one” → “starts”",
         [](const Seen& step) -> Numbers {
             CHECK(step.with("step=3").at(kDropped, 4, 2) == 0);
             return {};
         }},
        {"dropout", 5, "p is 0", [](const Seen& step) -> Numbers { return {step.state().inputs.dropout}; }},
    };
}

}  // namespace attn::test
