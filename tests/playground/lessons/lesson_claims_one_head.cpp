// What the lessons about one short sentence claim: no-weights and trainable.
#include <algorithm>
#include <cmath>

#include "playground/check/check_me.h"
#include "playground/lessons/lesson_claims.h"

namespace attn::test {
namespace {

constexpr int kYour = 0, kJourneyWord = 1, kStarts = 2, kWith = 3, kOne = 4, kStep = 5;

// From the query of "journey" to a key.
double degrees_to(const Seen& step, int key) {
    return degrees_between(step.row(kQ, kJourneyWord), step.row(kK, key));
}

double key_length(const Seen& step, int key) {
    return length_of(step.row(kK, key));
}

Numbers context_by(const Seen& step, const Numbers& shares) {
    Numbers sum(2, 0.0);
    for (int j = 0; j < 6; ++j) {
        for (int c = 0; c < 2; ++c) {
            sum[static_cast<std::size_t>(c)] += shares[static_cast<std::size_t>(j)] * step.at(kV, j, c);
        }
    }
    return sum;
}

Numbers all_learned(const Seen& step) {
    Numbers all;
    for (const TensorId tensor : {TensorId::w_query, TensorId::w_key, TensorId::w_value}) {
        for (const double number : all_of(step.learned(tensor))) all.push_back(number);
    }
    return all;
}

}  // namespace

std::vector<Claim> claims_of_one_head() {
    return {
        {"no-weights", 1, "Six tokens, three numbers each",
         [](const Seen& step) -> Numbers {
             return {static_cast<double>(step.evaluation().num_tokens()), static_cast<double>(step.row(kX, 0).size())};
         }},
        {"no-weights", 2, "“starts” is only 1.5° away, “with” 11.0° and “Your” 38.7°",
         [](const Seen& step) -> Numbers {
             return {degrees_to(step, kStarts), degrees_to(step, kWith), degrees_to(step, kYour)};
         }},
        {"no-weights", 2, "“Your” is the longer of the two: 0.9997 against 0.7026",
         [](const Seen& step) -> Numbers {
             CHECK(key_length(step, kYour) > key_length(step, kWith));
             return {2, key_length(step, kYour), key_length(step, kWith)};
         }},
        {"no-weights", 2, "where two arrows point", [](const Seen&) -> Numbers { return {2}; }},
        {"no-weights", 3, "“Your”, with 0.9544 against 0.8434",
         [](const Seen& step) -> Numbers {
             CHECK(degrees_to(step, kYour) > degrees_to(step, kWith));
             CHECK(step.at(kScores, kJourneyWord, kYour) > step.at(kScores, kJourneyWord, kWith));
             return {step.at(kScores, kJourneyWord, kYour), step.at(kScores, kJourneyWord, kWith)};
         }},
        {"no-weights", 3, "the table is the same across its diagonal",
         [](const Seen& step) -> Numbers {
             const Matrix scores = step.matrix(kScores);
             for (int i = 0; i < 6; ++i) {
                 for (int j = 0; j < 6; ++j) CHECK(scores(i, j) == scores(j, i));
             }
             return {};
         }},
        {"no-weights", 4, "takes the row's largest score off first: that keeps the powers small and changes no weight",
         [](const Seen& step) -> Numbers {
             const Numbers scores = step.row(kScores, kJourneyWord);
             double sum = 0;
             for (const double score : scores) sum += std::exp(score);  // nothing taken off
             for (int j = 0; j < 6; ++j)
                 CHECK(std::abs(std::exp(scores[static_cast<std::size_t>(j)]) / sum -
                                step.at(kWeights, kJourneyWord, j)) < 1e-6);
             return {};
         }},
        {"no-weights", 4, "all positive, and together 1",
         [](const Seen& step) -> Numbers {
             CHECK(smallest_of(all_of(step.matrix(kWeights))) > 0);
             return {step.sums(kWeights)[kJourneyWord]};
         }},
        {"no-weights", 5, "0.1385 of “Your”, 0.2379 of “journey”",
         [](const Seen& step) -> Numbers {
             return {step.at(kWeights, kJourneyWord, kYour), step.at(kWeights, kJourneyWord, kJourneyWord)};
         }},
        {"no-weights", 5, "0.1385 × 0.43 + 0.2379 × 0.55 + …",
         [](const Seen& step) -> Numbers {
             return {step.at(kWeights, kJourneyWord, kYour), step.at(kX, kYour, 0),
                     step.at(kWeights, kJourneyWord, kJourneyWord), step.at(kX, kJourneyWord, 0)};
         }},
        {"no-weights", 6, ": 0.4419", [](const Seen& step) -> Numbers { return {step.at(kContext, kJourneyWord, 0)}; }},

        {"trainable", 1,
         "Each of the three matrices has 3 rows, as X has 3 columns; that they have 2 columns was chosen",
         [](const Seen& step) -> Numbers {
             const Matrix& w_query = step.learned(TensorId::w_query);
             return {3, static_cast<double>(length(w_query, 0)), static_cast<double>(step.row(kX, 0).size()),
                     static_cast<double>(length(w_query, 1))};
         }},
        {"trainable", 2, "“journey” is found by (0.4433, 1.1419)",
         [](const Seen& step) -> Numbers { return step.row(kK, kJourneyWord); }},
        {"trainable", 3, "with itself 0.4306 × 0.4433 + 1.4551 × 1.1419 = 1.8524",
         [](const Seen& step) -> Numbers {
             return {step.at(kQ, kJourneyWord, 0), step.at(kK, kJourneyWord, 0), step.at(kQ, kJourneyWord, 1),
                     step.at(kK, kJourneyWord, 1), step.at(kScores, kJourneyWord, kJourneyWord)};
         }},
        {"trainable", 4, "the score of “journey” for “step” is 1.5440, that of “step” for “journey” 1.3165",
         [](const Seen& step) -> Numbers {
             return {step.at(kScores, kJourneyWord, kStep), step.at(kScores, kStep, kJourneyWord)};
         }},
        {"trainable", 5, "A key has 2 entries, so the scores are divided by √2",
         [](const Seen& step) -> Numbers {
             return {static_cast<double>(step.row(kK, 0).size()),
                     std::pow(step.at(kScores, 1, 1) / step.at(TensorId::scaled_scores, 1, 1), 2)};
         }},
        {"trainable", 5, "“journey” pays 15 % of its attention to “Your”, 23 % to itself and 9 % to “one”",
         [](const Seen& step) -> Numbers {
             return {100 * step.at(kWeights, kJourneyWord, kYour), 100 * step.at(kWeights, kJourneyWord, kJourneyWord),
                     100 * step.at(kWeights, kJourneyWord, kOne)};
         }},
        {"trainable", 5, ": “step”: it gives 0.2092 and gets 0.1820",
         [](const Seen& step) -> Numbers {
             return {step.at(kWeights, kStep, kJourneyWord), step.at(kWeights, kJourneyWord, kStep)};
         }},
        {"trainable", 6, "at 90° a score would be 0",
         [](const Seen&) -> Numbers { return {degrees_between({1, 0}, {0, 1}), dot_of({1, 0}, {0, 1})}; }},
        {"trainable", 6, "best aligned with itself, but “step” is: 2.3° against 4.7°",
         [](const Seen& step) -> Numbers {
             Numbers degrees;
             for (int key = 0; key < 6; ++key) degrees.push_back(degrees_to(step, key));
             CHECK(place_of_smallest(degrees) == kStep);
             CHECK(place_of_largest(step.row(kScores, kJourneyWord)) == kJourneyWord);
             return {degrees[kStep], degrees[kJourneyWord]};
         }},
        {"trainable", 6, "the key of “journey” is the longest, 1.2249",
         [](const Seen& step) -> Numbers {
             Numbers lengths;
             for (int key = 0; key < 6; ++key) lengths.push_back(key_length(step, key));
             CHECK(place_of_largest(lengths) == kJourneyWord);
             return {lengths[kJourneyWord]};
         }},
        {"trainable", 7, "rounded percentages lead to (0.3026, 0.8123), which is not close enough",
         [](const Seen& step) -> Numbers {
             const Numbers rough = context_by(step, {0.15, 0.22, 0.22, 0.13, 0.09, 0.18});
             CHECK(judge(step.at(kContext, kJourneyWord, 0), "0.3026").verdict == Verdict::wrong);
             CHECK(judge(step.at(kContext, kJourneyWord, 1), "0.8123").verdict == Verdict::wrong);
             return rough;
         }},
        {"trainable", 8, ": 0.3061 and 0.8210",
         [](const Seen& step) -> Numbers {
             CHECK(step.row(kContext, kJourneyWord)[0] ==
                   Catch::Approx(context_by(step, step.row(kWeights, kJourneyWord))[0]).margin(1e-6));
             return step.row(kContext, kJourneyWord);
         }},
        {"trainable", 9, "softmax(Q · Kᵀ / √2) · V",
         [](const Seen& step) -> Numbers { return {static_cast<double>(step.evaluation().sizes.head_dim())}; }},
        {"trainable", 9, "All weights lie between 0.0906 and 0.2264, not far from 1/6",
         [](const Seen& step) -> Numbers {
             const Numbers weights = all_of(step.matrix(kWeights));
             return {smallest_of(weights), largest_of(weights), 1, static_cast<double>(step.evaluation().num_tokens())};
         }},
        {"trainable", 9, "so the six rows stay near the plain mean of the values, (0.2799, 0.7564)",
         [](const Seen& step) -> Numbers {
             const Numbers mean = context_by(step, Numbers(6, 1.0 / 6));
             for (int i = 0; i < 6; ++i) {
                 CHECK(std::abs(step.at(kContext, i, 0) - mean[0]) < 0.03);
                 CHECK(std::abs(step.at(kContext, i, 1) - mean[1]) < 0.07);
             }
             return {6, mean[0], mean[1]};
         }},
        {"trainable", 9, "keys.shape[-1]**0.5, dim=-1",
         [](const Seen& step) -> Numbers {
             const double last_extent = static_cast<double>(length(step.matrix(kK), 1));
             CHECK(step.at(kScores, 1, 1) / step.at(TensorId::scaled_scores, 1, 1) ==
                   Catch::Approx(std::pow(last_extent, 0.5)));
             CHECK(step.sums(kWeights)[1] == Catch::Approx(1));  // along the last axis
             return {1, 0.5, 1};
         }},
        {"trainable", 10, "from −1/√3 to 1/√3 instead of 0 to 1",
         [](const Seen& step) -> Numbers {
             const auto d_in = static_cast<double>(step.row(kX, 0).size());
             for (const double number : all_learned(step)) CHECK(std::abs(number) <= 1 / std::sqrt(d_in));
             const Numbers others = all_learned(step.with("init=torch.rand"));
             CHECK(smallest_of(others) >= 0);
             CHECK(largest_of(others) < 1);
             return {-1, d_in, 1, d_in, 0, 1};
         }},
        {"trainable", 10, "10 of 18 are negative, so these contexts are near 0",
         [](const Seen& step) -> Numbers {
             const Numbers all = all_learned(step);
             for (const double number : all_of(step.matrix(kContext))) CHECK(std::abs(number) < 0.08);
             return {static_cast<double>(std::count_if(all.begin(), all.end(), [](double x) { return x < 0; })),
                     static_cast<double>(all.size()), 0};
         }},
        {"trainable", 11, "all between 0.1477 and 0.2041, near 1/6",
         [](const Seen& step) -> Numbers {
             const Numbers weights = all_of(step.matrix(kWeights));
             return {smallest_of(weights), largest_of(weights), 1, static_cast<double>(step.evaluation().num_tokens())};
         }},
        {"trainable", 11, "With 2 or 3 numbers per token",
         [](const Seen& step) -> Numbers {
             return {static_cast<double>(step.row(kQ, 0).size()), static_cast<double>(step.row(kX, 0).size())};
         }},
        {"trainable", 12, "Every row gives everything to one token: its largest weight is 1.000",
         [](const Seen& step) -> Numbers { return {smallest_of(step.largest(kWeights))}; }},
        {"trainable", 13, "near 1/11.\nNo row gives more than 0.183 to one token",
         [](const Seen& step) -> Numbers {
             CHECK(step.state().inputs.seed == step.with("step=12").state().inputs.seed);
             return {1, static_cast<double>(step.evaluation().num_tokens()), largest_of(step.largest(kWeights))};
         }},
        {"trainable", 13, "here up to 1/√768 = 0.036 either way",
         [](const Seen& step) -> Numbers {
             const Numbers all = all_learned(step);
             CHECK(largest_of(all) <= 1 / std::sqrt(768.0));
             CHECK(smallest_of(all) >= -1 / std::sqrt(768.0));
             return {1, static_cast<double>(step.row(kX, 0).size()), largest_of(all)};
         }},
    };
}

}  // namespace attn::test
