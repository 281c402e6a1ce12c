// What the steps at the end of lessons claim, which ask for a number.
#include <cmath>

#include "playground/lessons/lesson_claims.h"

namespace attn::test {
namespace {

double heads_of(const Seen& step) {
    return step.evaluation().sizes.num_heads;
}

double head_dim_of(const Seen& step) {
    return step.evaluation().sizes.head_dim();
}

}  // namespace

std::vector<Claim> claims_of_exercises() {
    return {
        {"no-weights", 7, "three products",
         [](const Seen& step) -> Numbers { return {static_cast<double>(step.row(kX, 0).size())}; }},
        {"scaling", 9, "by √512",
         [](const Seen& step) -> Numbers { return {std::pow(step.at(kScores, 10, 1) / step.at(kScaled, 10, 1), 2)}; }},
        {"scaling", 10, "Two words",
         [](const Seen& step) -> Numbers { return {step.evaluation().num_tokens() + 0.0}; }},
        {"scaling", 10, "the sum of the two. Will they be nearly equal",
         [](const Seen& step) -> Numbers {
             const bool is_own_seed = step.link().find("&seed=") == std::string::npos;  // with others it may be
             CHECK((!is_own_seed || step.at(kWeights, 0, 0) < 0.001));
             return {2};
         }},
        {"causal", 9, "the three weights that are left to “starts”",
         [](const Seen& step) -> Numbers {
             const Numbers raw = step.row(TensorId::unmasked_weights, 2);
             const double sum = raw[0] + raw[1] + raw[2];
             for (int c = 0; c < 3; ++c) {
                 CHECK(std::abs(step.at(kWeights, 2, c) - raw[static_cast<std::size_t>(c)] / sum) < 1e-6);
             }
             return {3};
         }},
        {"dropout", 6, "With p = 0.2 the marked weight is kept",
         [](const Seen& step) -> Numbers {
             CHECK(std::abs(step.at(kDropped, 2, 1) * 0.8 - step.at(kWeights, 2, 1)) < 1e-6);
             return {step.state().inputs.dropout};
         }},
        {"dropout", 7, "And with p = 0.75",
         [](const Seen& step) -> Numbers {
             CHECK(std::abs(step.at(kDropped, 2, 1) * 0.25 - step.at(kWeights, 2, 1)) < 1e-6);
             return {step.state().inputs.dropout};
         }},
        {"heads", 12, "Two heads give “brush” for “portrait” −0.0068 and −0.1614",
         [](const Seen& step) -> Numbers {
             const Seen two = step.with("heads=2");
             return {2, two.at(kScores, 10, 4, 1), two.at(kScores, 10, 4, 2)};
         }},
        {"heads", 13,
         "the first number of “brush” is −1.2097. To the token at place 10 the sine of 10 is added there, −0.5440",
         [](const Seen& step) -> Numbers {
             const double without = step.with("pos=none").at(kX, 10, 0);
             CHECK(std::abs(step.at(kX, 10, 0) - without - std::sin(10.0)) < 1e-6);
             return {without, 10, 10, std::sin(10.0)};
         }},
        {"split", 17, "In head 2, type the score of “two” for “three”",
         [](const Seen& step) -> Numbers { return {step.state().view.cell->head + 1.0, 2, 3}; }},
        {"split", 17, "the three matrices", [](const Seen&) -> Numbers { return {3}; }},
        {"batch", 5,
         "Sentence 2 with its 9 again. In sentence 1 the first query begins with −0.2365; here the first number "
         "of X is 8 more, and it is multiplied by 0.6323 of W_q",
         [](const Seen& step) -> Numbers {
             const Seen first = step.with("sentence=1");
             return {2,
                     step.at(kX, 0, 0),
                     1,
                     first.at(kQ, 0, 0),
                     step.at(kX, 0, 0) - first.at(kX, 0, 0),
                     static_cast<double>(step.learned(TensorId::w_query)(0, 0))};
         }},
        {"batch", 6, "sentence 2. Sentence 1 begins with 0.1462 0.0579 0.9873. Type what sentence 2 begins",
         [](const Seen& step) -> Numbers {
             const Seen first = step.with("sentence=1");
             CHECK(first.row(kOutput, 0) == step.row(kOutput, 0));
             return {2, 1, first.at(kOutput, 0, 0), first.at(kOutput, 0, 1), first.at(kOutput, 0, 2), 2};
         }},
        {"stacked", 5, "Four columns again: head 2 begins with column 2 of the large W_q",
         [](const Seen& step) -> Numbers {
             return {static_cast<double>(length(step.learned(TensorId::w_query), 1)),
                     step.state().view.cell->head + 1.0, head_dim_of(step)};
         }},
        {"cost", 5, "a score takes four products, and there are 121 scores",
         [](const Seen& step) -> Numbers {
             return {head_dim_of(step), heads_of(step) * static_cast<double>(step.matrix(kScores).size())};
         }},
        {"cost", 6, "head 1's score for the same two words",
         [](const Seen& step) -> Numbers {
             CHECK(2 * head_dim_of(step) == head_dim_of(step.with("heads=1")));
             return {step.state().view.cell->head + 1.0, 2};
         }},
        {"cost", 6, "And with two heads", [](const Seen& step) -> Numbers { return {heads_of(step)}; }},
        {"sentences", 3, ": 6 × 6",
         [](const Seen& step) -> Numbers {
             return {step.evaluation().num_tokens() + 0.0, step.evaluation().num_tokens() + 0.0};
         }},
        {"sentences", 3, "head 2's score",
         [](const Seen& step) -> Numbers { return {step.state().view.cell->head + 1.0}; }},
        {"sentences", 4, "may look at two words: type its two weights",
         [](const Seen& step) -> Numbers {
             CHECK(std::isinf(step.at(kWeights, 1, 2)));  // hidden
             return {2, 2};
         }},
    };
}

}  // namespace attn::test
