// What the lessons about one step of training claim: one-step, way-back, saturated.
#include <algorithm>
#include <cmath>

#include "core/ground/check.h"
#include "playground/lessons/lesson_claims.h"

namespace attn::test {
namespace {

constexpr int kI = 0, kLike = 1, kTea = 2, kArtistToken = 1;
constexpr double kRoundings = 2e-6;  // of a few sums of floats

bool is_equal_rounded(double a, double b) {
    return std::abs(a - b) <= kRoundings * std::max(1.0, std::abs(b));
}

double total_of(const Numbers& numbers) {
    double sum = 0;
    for (const double number : numbers) sum += number;
    return sum;
}

// The weights of the keys that the row sees, times the gradients of these weights.
double average_at(const Seen& step, int row) {
    double sum = 0;
    for (int j = 0; j <= row; ++j) sum += step.at(kWeights, row, j) * step.at(kGradWeights, row, j);
    return sum;
}

// The largest gradient of a score of the row, without its sign.
double largest_gradient(const Seen& step, int row) {
    double largest = 0;
    for (const double number : step.row(kGradMasked, row)) {
        if (std::isfinite(number)) largest = std::max(largest, std::abs(number));
    }
    return largest;
}

// Every gradient of W_q and W_k squared, added up.
double squares_of_gradients(const Seen& step) {
    double sum = 0;
    for (const TensorId id : {TensorId::grad_w_query, TensorId::grad_w_key}) {
        for (const double number : all_of(step.matrix(id))) sum += number * number;
    }
    return sum;
}

// That the row of gradients is the row of weights without the target of “like”.
void check_minus_target(const Seen& step, int row, int target) {
    for (int j = 0; j <= row; ++j)
        CHECK(is_equal_rounded(step.at(kGradMasked, row, j), step.at(kWeights, row, j) - (j == target ? 1 : 0)));
}

}  // namespace

std::vector<Claim> claims_of_learning() {
    return {
        {"one-step", 1, "so far “tea” gives “like” 0.1714",
         [](const Seen& step) -> Numbers {
             CHECK(step.evaluation().sizes.head_dim() == 1);
             CHECK(step.state().inputs.targets ==
                   std::vector<TargetCell>{{.sentence = 0, .head = 0, .query = kTea, .key = kLike, .share = 1}});
             return {step.at(kWeights, kTea, kLike)};
         }},
        {"one-step", 2, "−ln 0.1714 = 1.7639. A weight of 1 has a loss of 0.\nWhat is the loss of a weight of 0.5",
         [](const Seen& step) -> Numbers {
             CHECK(is_equal_rounded(step.loss(), -std::log(step.at(kWeights, kTea, kLike))));
             return {step.at(kWeights, kTea, kLike), step.loss(), 1, -std::log(1.0), 0.5};
         }},
        {"one-step", 3, ": 0.6931", [](const Seen&) -> Numbers { return {-std::log(0.5)}; }},
        {"one-step", 3, "“I” has no target: 0.4658 − 0 = 0.4658",
         [](const Seen& step) -> Numbers {
             check_minus_target(step, kTea, kLike);
             return {step.at(kWeights, kTea, kI), 0, step.at(kGradMasked, kTea, kI)};
         }},
        {"one-step", 4, "“like” has a weight of 0.1714, and its target is 1. Type its gradient. Is it above 0",
         [](const Seen& step) -> Numbers {
             check_minus_target(step, kTea, kLike);
             return {step.at(kWeights, kTea, kLike), 1, 0};
         }},
        {"one-step", 5, ": −0.8286",
         [](const Seen& step) -> Numbers { return {step.with("step=4").at(kGradMasked, kTea, kLike)}; }},
        {"one-step", 5, "0.4658 × 1 + (−0.8286) × (−1) + 0.3628 × 0.5 = 1.4759",
         [](const Seen& step) -> Numbers {
             Numbers all;
             for (int j = 0; j < 3; ++j) {
                 all.push_back(step.at(kGradScores, kTea, j));
                 all.push_back(step.at(kK, j, 0));
             }
             CHECK(is_equal_rounded(all[0] * all[1] + all[2] * all[3] + all[4] * all[5], step.at(kGradQ, kTea, 0)));
             all.push_back(step.at(kGradQ, kTea, 0));
             return all;
         }},
        {"one-step", 6,
         "the two numbers of “tea”, 0.5 and 1. So its first number gets 0.5 × 1.4759 = 0.7379 and its second "
         "1 × 1.4759",
         [](const Seen& step) -> Numbers {
             const Numbers x = step.row(kX, kTea);
             const double query = step.at(kGradQ, kTea, 0);
             CHECK(step.at(kGradQ, kI, 0) == 0);
             CHECK(step.at(kGradQ, kLike, 0) == 0);
             CHECK(step.at(TensorId::grad_w_query, 1, 0) == query);
             return {static_cast<double>(x.size()),         x[0], x[1], x[0], query,
                     step.at(TensorId::grad_w_query, 0, 0), x[1], query};
         }},
        {"one-step", 7,
         "W_q was 1 and 0, its gradients are 0.7379 and 1.4759, the rate is 0.1. The new query of “tea” is 0.5 times",
         [](const Seen& step) -> Numbers {
             const Seen before = step.with("steps=0");
             const Numbers old = all_of(before.learned(TensorId::w_query));
             const Numbers gradient = all_of(before.matrix(TensorId::grad_w_query));
             const double rate = step.state().inputs.rate;
             const Numbers x = step.row(kX, kTea);
             CHECK(step.state().inputs.optimizer == OptimizerKind::sgd);
             CHECK(x[1] == 1);
             CHECK(is_equal_rounded(step.at(kQ, kTea, 0),
                                    x[0] * (old[0] - rate * gradient[0]) + (old[1] - rate * gradient[1])));
             return {old[0], old[1], gradient[0], gradient[1], rate, x[0]};
         }},
        {"one-step", 8, ": 0.3155", [](const Seen& step) -> Numbers { return {step.with("step=7").at(kQ, kTea, 0)}; }},
        {"one-step", 8, "“like” now gets 0.2309, and the loss fell by 0.2981 to 1.4658",
         [](const Seen& step) -> Numbers {
             return {step.at(kWeights, kTea, kLike), step.with("steps=0").loss() - step.loss(), step.loss()};
         }},
        {"one-step", 8, "had promised 0.3321",
         [](const Seen& step) -> Numbers {
             const Seen before = step.with("steps=0");
             const double promised = step.state().inputs.rate * squares_of_gradients(before);
             CHECK(promised > before.loss() - step.loss());
             return {promised};
         }},
        {"one-step", 9, "After 40 such steps “like” gets 0.9717 and the loss is 0.0287",
         [](const Seen& step) -> Numbers {
             return {static_cast<double>(step.state().inputs.steps), step.at(kWeights, kTea, kLike), step.loss()};
         }},

        {"way-back", 1, "now with two numbers a word",
         [](const Seen& step) -> Numbers { return {static_cast<double>(step.evaluation().sizes.head_dim())}; }},
        {"way-back", 1, "Its weights are 0.3454, 0.2425 and 0.4121",
         [](const Seen& step) -> Numbers { return step.row(kWeights, kTea); }},
        {"way-back", 1, "the gradients 0.3454, −0.7575 and 0.4121, and these sum to 0",
         [](const Seen& step) -> Numbers {
             check_minus_target(step, kTea, kLike);
             Numbers row = step.row(kGradMasked, kTea);
             row.push_back(total_of(row));
             return row;
         }},
        {"way-back", 2, "Through ÷ √2", [](const Seen& step) -> Numbers { return {step.state().inputs.d_out + 0.0}; }},
        {"way-back", 2, "The scores were divided by √2",
         [](const Seen& step) -> Numbers {
             return {std::pow(step.at(kScores, kTea, kI) / step.at(TensorId::scaled_scores, kTea, kI), 2)};
         }},
        {"way-back", 2, "That of “like” is −0.7575 before",
         [](const Seen& step) -> Numbers {
             const double before = step.at(TensorId::grad_scaled_scores, kTea, kLike);
             CHECK(is_equal_rounded(step.at(kGradScores, kTea, kLike), before / std::sqrt(2.0)));
             return {before};
         }},
        {"way-back", 3, ": −0.5356",
         [](const Seen& step) -> Numbers { return {step.with("step=2").at(kGradScores, kTea, kLike)}; }},
        {"way-back", 3, "0.2442 × 0 + (−0.5356) × 1 + 0.2914 × 0.5 = −0.3899",
         [](const Seen& step) -> Numbers {
             Numbers all;
             for (int j = 0; j < 3; ++j) {
                 all.push_back(step.at(kGradScores, kTea, j));
                 all.push_back(step.at(kK, j, 1));
             }
             CHECK(is_equal_rounded(all[0] * all[1] + all[2] * all[3] + all[4] * all[5], step.at(kGradQ, kTea, 1)));
             all.push_back(step.at(kGradQ, kTea, 1));
             return all;
         }},
        {"way-back", 4, "its query is 1 and 0.5", [](const Seen& step) -> Numbers { return step.row(kQ, kTea); }},
        {"way-back", 4, "−0.5356 times that of the query",
         [](const Seen& step) -> Numbers {
             CHECK(
                 is_equal_rounded(step.at(kGradK, kLike, 1), step.at(kGradScores, kTea, kLike) * step.at(kQ, kTea, 1)));
             return {step.at(kGradScores, kTea, kLike)};
         }},
        {"way-back", 5, ": −0.2678",
         [](const Seen& step) -> Numbers { return {step.with("step=4").at(kGradK, kLike, 1)}; }},
        {"way-back", 5, "0.5 × (−0.3899) = −0.1950",
         [](const Seen& step) -> Numbers {
             CHECK(total_of(step.row(kGradQ, kI)) == 0);
             CHECK(total_of(step.row(kGradQ, kLike)) == 0);
             return {step.at(kX, kTea, 1), step.at(kGradQ, kTea, 1), step.at(TensorId::grad_w_query, 1, 1)};
         }},
        {"way-back", 6, "−0.3899 + 0.1457 = −0.2442",
         [](const Seen& step) -> Numbers {
             const double query = step.at(kGradQ, kTea, 1);
             const double key = step.at(kGradK, kTea, 1);
             CHECK(is_equal_rounded(step.at(kGradX, kTea, 1), query + key));
             return {query, key, step.at(kGradX, kTea, 1)};
         }},
        {"way-back", 7, "It has a probability of 0.3676. Minus 1, divided by the 2 words that have a next one: −0.3162",
         [](const Seen& step) -> Numbers {
             const double probability = step.at(TensorId::probabilities, kLike, kTea);
             const double gradient = step.at(TensorId::grad_logits, kLike, kTea);
             CHECK(is_equal_rounded(gradient, (probability - 1) / 2));
             CHECK(total_of(step.row(TensorId::grad_logits, kTea)) == 0);  // the last word has none
             return {probability, 1, 2, gradient};
         }},
        {"way-back", 8,
         "The context of “like” got −0.1847. It had taken 0.6698 of its own value, so that value gets "
         "0.6698 × (−0.1847) = −0.1237",
         [](const Seen& step) -> Numbers {
             const double context = step.at(TensorId::grad_context, kLike, 0);
             const double weight = step.at(kWeights, kLike, kLike);
             CHECK(total_of(step.row(TensorId::grad_context, kTea)) == 0);
             CHECK(is_equal_rounded(step.at(kGradV, kLike, 0), weight * context));
             return {context, weight, weight, context, step.at(kGradV, kLike, 0)};
         }},
        {"way-back", 9, "(−0.1847) × 1 + 0.0266 × 0 = −0.1847",
         [](const Seen& step) -> Numbers {
             const Numbers context = step.row(TensorId::grad_context, kLike);
             const Numbers value = step.row(kV, kI);
             CHECK(is_equal_rounded(step.at(kGradWeights, kLike, kI), dot_of(context, value)));
             return {context[0], value[0], context[1], value[1], step.at(kGradWeights, kLike, kI)};
         }},
        {"way-back", 10, "shares out a single 1",
         [](const Seen& step) -> Numbers { return {step.sums(kWeights)[kLike]}; }},
        {"way-back", 10, "The weight is 0.3302, the gradient −0.1847, the average −0.0432",
         [](const Seen& step) -> Numbers {
             const double weight = step.at(kWeights, kLike, kI);
             const double gradient = step.at(kGradWeights, kLike, kI);
             const double average = average_at(step, kLike);
             CHECK(is_equal_rounded(step.at(kGradMasked, kLike, kI), weight * (gradient - average)));
             return {weight, gradient, average};
         }},
        {"way-back", 11, ": −0.0467",
         [](const Seen& step) -> Numbers { return {step.with("step=10").at(kGradMasked, kLike, kI)}; }},
        {"way-back", 11,
         "X was used three times: −0.0330 comes from the query, 0 from the key and −0.1237 from the value. Together "
         "that is −0.1567",
         [](const Seen& step) -> Numbers {
             const Numbers ways = {step.at(kGradQ, kLike, 0), step.at(kGradK, kLike, 0), step.at(kGradV, kLike, 0)};
             CHECK(is_equal_rounded(step.at(kGradX, kLike, 0), total_of(ways)));
             return {3, ways[0], ways[1], ways[2], step.at(kGradX, kLike, 0)};
         }},
        {"way-back", 11, "Three ways into X", [](const Seen&) -> Numbers { return {3}; }},

        {"saturated", 1, "“like” gives “I” 0.3302 and itself 0.6698",
         [](const Seen& step) -> Numbers { return {step.at(kWeights, kLike, kI), step.at(kWeights, kLike, kLike)}; }},
        {"saturated", 1, "here −0.0467", [](const Seen& step) -> Numbers { return {step.at(kGradMasked, kLike, kI)}; }},
        {"saturated", 2, "Twice the X gives four times the scores",
         [](const Seen& step) -> Numbers {
             const double before = step.with("step=1").at(kScores, kLike, kLike);
             return {step.at(kScores, kLike, kLike) / before};
         }},
        {"saturated", 2, "a weight of 0.0558 with the gradient −1.6423, and the row's average is 0.6615",
         [](const Seen& step) -> Numbers {
             return {step.at(kWeights, kLike, kI), step.at(kGradWeights, kLike, kI), average_at(step, kLike)};
         }},
        {"saturated", 2, "if X is three times as large",
         [](const Seen& step) -> Numbers {
             return {step.with("step=3").at(kX, kI, 0) / step.with("step=1").at(kX, kI, 0)};
         }},
        {"saturated", 3, ": −0.1286.\nWith three times the X",
         [](const Seen& step) -> Numbers {
             return {step.with("step=2").at(kGradMasked, kLike, kI), step.at(kX, kI, 0)};
         }},
        {"saturated", 3, "the weights are 0.0001 and 0.9999",
         [](const Seen& step) -> Numbers { return {step.at(kWeights, kLike, kI), step.at(kWeights, kLike, kLike)}; }},
        {"saturated", 3,
         "gradient −4.4499 lies 6.6738 below the row's average, but the weight 0.00012 lets hardly any of that "
         "through: −0.0008",
         [](const Seen& step) -> Numbers {
             const Numbers gradients = step.row(kGradWeights, kLike), weights = step.row(kWeights, kLike);
             double average = 0;
             for (int j = 0; j <= kLike; ++j) average += gradients[j] * weights[j];
             return {gradients[kI], average - gradients[kI], weights[kI], step.at(kGradMasked, kLike, kI)};
         }},
        {"saturated", 4, "After 20 steps the loss went from 7.1014 to 7.1011",
         [](const Seen& step) -> Numbers {
             CHECK(step.state().inputs.train == std::set<TensorId>{TensorId::w_query, TensorId::w_key});
             return {static_cast<double>(step.state().inputs.steps), step.with("steps=0").loss(), step.loss()};
         }},
        {"saturated", 5, "The same 20 steps bring the loss from 7.0907 to 4.9315",
         [](const Seen& step) -> Numbers {
             Inputs inputs = step.state().inputs;
             inputs.scale = Scale::none;
             CHECK(inputs == step.with("step=4").state().inputs);
             return {static_cast<double>(inputs.steps), step.with("steps=0").loss(), step.loss()};
         }},
        {"saturated", 5, "is −0.0115, 14 times what it was",
         [](const Seen& step) -> Numbers {
             const double divided = step.with("steps=0").at(kGradMasked, kLike, kI);
             return {divided, divided / step.with("step=3").at(kGradMasked, kLike, kI)};
         }},
        {"saturated", 6, "A query has 128 numbers. A is not divided, B is divided by √128",
         [](const Seen& step) -> Numbers {
             CHECK(step.state().inputs.scale == Scale::none);
             CHECK(step.evaluator().other_state()->inputs.scale == Scale::sqrt);
             return {static_cast<double>(step.row(kQ, 0).size()), 128};
         }},
        {"saturated", 6, "no gradient of A is above 0.0005; in B the largest is 0.3526",
         [](const Seen& step) -> Numbers {
             CHECK(step.evaluation().tokens.tokens[kArtistToken].text == "artist");
             return {largest_gradient(step, kArtistToken), largest_gradient(step.with("scale=sqrt"), kArtistToken)};
         }},
        {"saturated", 7, "The weight is 0.0001",
         [](const Seen& step) -> Numbers {
             CHECK(step.matrix(kWeights) == step.with("step=3").matrix(kWeights));
             check_minus_target(step, kLike, kI);
             return {step.at(kWeights, kLike, kI)};
         }},
        {"saturated", 8, ": −0.9999",
         [](const Seen& step) -> Numbers { return {step.with("step=7").at(kGradMasked, kLike, kI)}; }},
        {"saturated", 8, "never passes the cap, 50 there and 3 here",
         [](const Seen& step) -> Numbers { return {50, step.state().inputs.score_cap}; }},  // 2408.00118, section 2
        {"saturated", 8, "a score of 9 with itself, and tanh 3 is 0.9951",
         [](const Seen& step) -> Numbers {
             const double score = step.at(kScaled, kLike, kLike), cap = step.state().inputs.score_cap;
             return {score, score / cap, std::tanh(score / cap)};
         }},
        {"saturated", 9, ": 2.9852.\n“I” keeps its score of 0: the weights are 0.0481 and 0.9519",
         [](const Seen& step) -> Numbers {
             return {step.at(TensorId::capped_scores, kLike, kLike), step.at(TensorId::capped_scores, kLike, kI),
                     step.at(kWeights, kLike, kI), step.at(kWeights, kLike, kLike)};
         }},
        {"saturated", 9, "The score of “I” gets −0.3025, where it got −0.0008",
         [](const Seen& step) -> Numbers {
             return {step.at(TensorId::grad_scaled_scores, kLike, kI),
                     step.with("score_cap=0").at(TensorId::grad_scaled_scores, kLike, kI)};
         }},
        {"saturated", 9, "is 1 − (2.9852 / 3)² = 0.0099, so of 0.3025 only 0.0030 reach the score of 9",
         [](const Seen& step) -> Numbers {
             const double capped = step.at(TensorId::capped_scores, kLike, kLike), cap = step.state().inputs.score_cap;
             return {1,
                     capped,
                     cap,
                     1 - capped / cap * capped / cap,
                     step.at(TensorId::grad_capped_scores, kLike, kLike),
                     step.at(TensorId::grad_scaled_scores, kLike, kLike),
                     step.at(kScaled, kLike, kLike)};
         }},
        {"saturated", 10, "The query of “like” is (0, 3), the mean of 0 and 9 is 4.5, and its root 2.1213",
         [](const Seen& step) -> Numbers {
             const double x = step.at(TensorId::queries, kLike, 0), y = step.at(TensorId::queries, kLike, 1);
             const double mean = (x * x + y * y) / 2;
             return {x, y, x * x, y * y, mean, std::sqrt(mean)};
         }},
        {"saturated", 11, "is √2 long now, so no score is above 2, however large X is",
         [](const Seen& step) -> Numbers {
             for (const int token : {kI, kLike, kTea}) {
                 const double x = step.at(TensorId::normed_queries, token, 0);
                 const double y = step.at(TensorId::normed_queries, token, 1);
                 CHECK(std::abs(x * x + y * y - 2) < 1e-5);
             }
             return {2, 2};  // the square of a length, and the largest product of two vectors of that length
         }},
        {"saturated", 11, "“like” has 2.0000 with itself and 0 with “I”, and the weights are 0.8808 and 0.1192",
         [](const Seen& step) -> Numbers {
             return {step.at(kScaled, kLike, kLike), step.at(kScaled, kLike, kI), step.at(kWeights, kLike, kLike),
                     step.at(kWeights, kLike, kI)};
         }},
        {"saturated", 11, "the score of “I” gets −0.6705",
         [](const Seen& step) -> Numbers { return {step.at(kGradMasked, kLike, kI)}; }},
        {"saturated", 12, "gets the gradients −0.9483 and 0.9483. Of the second, along (0, 3), only rounding is left",
         [](const Seen& step) -> Numbers {
             CHECK(std::abs(step.at(TensorId::grad_queries, kLike, 1)) < 1e-6);
             return {step.at(TensorId::grad_normed_queries, kLike, 0), step.at(TensorId::grad_normed_queries, kLike, 1),
                     step.at(TensorId::queries, kLike, 0), step.at(TensorId::queries, kLike, 1)};
         }},
        {"saturated", 12, "−0.9483 / 2.1213 = −0.4470",
         [](const Seen& step) -> Numbers {
             return {step.at(TensorId::grad_normed_queries, kLike, 0), std::sqrt(4.5),
                     step.at(TensorId::grad_queries, kLike, 0)};
         }},
    };
}

}  // namespace attn::test
