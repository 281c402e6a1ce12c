// What the lessons about the softmax claim: why-softmax and dictionary. The numbers that they quote are NumPy's: its
// numpy.exp in double, on the scores that are typed in the steps; torch.softmax gives the same four decimals.
#include <algorithm>
#include <cmath>
#include <limits>

#include "playground/lessons/lesson_claims.h"
#include "playground/numbers/softmax.h"

namespace attn::test {
namespace {

constexpr int kPortraitRow = 4;                           // the row whose scores are typed
constexpr int kAnt = 0, kCat = 1, kBird = 2, kAsker = 4;  // “?”
constexpr int kLegs = 0, kWings = 1, kEyes = 2;

// NumPy's six decimals, and as much again for float rounding.
void check_close(const Numbers& computed, const Numbers& numpy) {
    REQUIRE(computed.size() >= numpy.size());
    for (std::size_t i = 0; i < numpy.size(); ++i) {
        CAPTURE(i);
        CHECK(std::abs(computed[i] - numpy[i]) < 1e-6);
    }
}

const Numbers kSoftmaxOfFive = {0.636409, 0.234122, 0.086129, 0.031685, 0.011656};  // of 2, 1, 0, −1, −2

Numbers both(const Numbers& a, const Numbers& b) {
    Numbers all = a;
    all.insert(all.end(), b.begin(), b.end());
    return all;
}

// Of a positive number, before its point.
double num_digits(double log10_of_number) {
    return std::floor(log10_of_number) + 1;
}

Numbers softmax_at(const Seen& step, double gain) {
    return softmax_of(step.state().view.vector, gain).weights;
}

}  // namespace

std::vector<Claim> claims_of_softmax() {
    return {
        {"why-softmax", 1, "The five scores of “portrait” are typed in here: 2, 1, 0, −1 and −2",
         [](const Seen& step) -> Numbers { return both({5}, step.row(kScores, kPortraitRow)); }},
        {"why-softmax", 1, "the five value vectors are added up. No share may be below 0, and together they are 1",
         [](const Seen& step) -> Numbers {
             const Numbers shares = step.row(kWeights, kPortraitRow);
             CHECK(smallest_of(shares) > 0);
             return {static_cast<double>(step.evaluation().num_tokens()), 0, step.sums(kWeights)[kPortraitRow]};
         }},
        {"why-softmax", 1, "the sum of all five", [](const Seen&) -> Numbers { return {5}; }},
        {"why-softmax", 2, "as their sum is 0",
         [](const Seen& step) -> Numbers { return {step.sums(kScores)[kPortraitRow]}; }},
        {"why-softmax", 2, "the largest score takes all, as that of “The” does here, and the other four words",
         [](const Seen& step) -> Numbers {
             const Numbers weights = step.row(kWeights, kPortraitRow);
             CHECK(weights[0] == 1);
             return {static_cast<double>(std::count(weights.begin(), weights.end(), 0.0))};
         }},
        {"why-softmax", 2, "A temperature of 0.001 makes it so; step 7 tells how",
         [](const Seen& step) -> Numbers { return {step.state().inputs.temperature, 7}; }},
        {"why-softmax", 2, "grows from 1.99 to 2.01",
         [](const Seen& step) -> Numbers {
             CHECK(softmax_of(std::vector<float>{2, 1.99F, 0, -1, -2}, 1000).weights[1] < 1e-4);  // e^-10
             CHECK(softmax_of(std::vector<float>{2, 2.01F, 0, -1, -2}, 1000).weights[1] > 0.9999);
             CHECK(step.state().inputs.temperature == 0.001);
             return {1.99, 2.01};
         }},
        {"why-softmax", 3, "A softmax raises e = 2.7183 to the power of each score",
         [](const Seen& step) -> Numbers {
             check_close(step.row(kWeights, kPortraitRow), kSoftmaxOfFive);
             return {std::exp(1.0)};
         }},
        {"why-softmax", 3, "all shares are above 0, and together they are 1",
         [](const Seen& step) -> Numbers {
             CHECK(smallest_of(all_of(step.matrix(kWeights))) > 0);
             return {0, step.sums(kWeights)[kPortraitRow]};
         }},
        {"why-softmax", 3, "“painted”, with the score 0, gets 0.0861",
         [](const Seen& step) -> Numbers {
             return {step.at(kScores, kPortraitRow, 2), step.at(kWeights, kPortraitRow, 2)};
         }},
        {"why-softmax", 3, "the weight of “artist”, with the score 1",
         [](const Seen& step) -> Numbers {
             // What the step asks for: e times as much.
             CHECK(std::abs(step.at(kWeights, kPortraitRow, 1) - std::exp(1.0) * step.at(kWeights, kPortraitRow, 2)) <
                   1e-6);
             return {step.at(kScores, kPortraitRow, 1)};
         }},
        {"why-softmax", 4, "“artist” gets e times as much as “painted”, and “The” e times as much as “artist”",
         [](const Seen& step) -> Numbers {
             const Numbers weights = step.row(kWeights, kPortraitRow);
             for (std::size_t j = 0; j < 2; ++j) CHECK(std::abs(weights[j] / weights[j + 1] - std::exp(1.0)) < 1e-5);
             return {};
         }},
        {"why-softmax", 4, "How far apart two scores", [](const Seen&) -> Numbers { return {2}; }},
        {"why-softmax", 4, "to “portrait” it is 4, so “The” gets e to the power of 4, or 54.6 times as much",
         [](const Seen& step) -> Numbers {
             const Numbers scores = step.row(kScores, kPortraitRow), weights = step.row(kWeights, kPortraitRow);
             return {scores[0] - scores[4], scores[0] - scores[4], weights[0] / weights[4]};
         }},
        {"why-softmax", 4, "All five scores grow by 100",
         [](const Seen& step) -> Numbers {
             const Seen grown = step.with("step=5");
             const Numbers before = step.row(kScores, kPortraitRow), after = grown.row(kScores, kPortraitRow);
             for (std::size_t j = 0; j < 5; ++j) CHECK(after[j] - before[j] == 100);
             CHECK(grown.row(kWeights, kPortraitRow) == step.row(kWeights, kPortraitRow));
             return {5, 100};
         }},
        {"why-softmax", 5, "the row's largest score, 102, so its largest power is 1",
         [](const Seen& step) -> Numbers {
             const double largest = largest_of(step.row(kScores, kPortraitRow));
             return {largest, std::exp(largest - largest)};
         }},
        {"why-softmax", 5, "e to the power of 102, a number of 45 digits, and the largest 32-bit float has 39",
         [](const Seen&) -> Numbers {
             CHECK(std::isinf(std::exp(102.0F)));
             return {102, num_digits(102 * std::log10(std::exp(1.0))), 8.0 * sizeof(float),
                     num_digits(std::log10(static_cast<double>(std::numeric_limits<float>::max())))};
         }},
        {"why-softmax", 6, "The scores are now 1000, 999 and three times 0",
         [](const Seen& step) -> Numbers {
             const Numbers scores = step.row(kScores, kPortraitRow);
             check_close(step.row(kWeights, kPortraitRow), {0.731059, 0.268941, 0, 0, 0});
             return {scores[0], scores[1], static_cast<double>(std::count(scores.begin(), scores.end(), 0.0)), 0};
         }},
        {"why-softmax", 6, "No float holds e to the power of 1000, and yet",
         [](const Seen&) -> Numbers {
             CHECK(std::isinf(std::exp(1000.0)));
             return {1000};
         }},
        {"why-softmax", 6, "off all five", [](const Seen&) -> Numbers { return {5}; }},
        {"why-softmax", 8, "T = 0.5, then 1, then 2",
         [](const Seen& step) -> Numbers {
             const double halved = softmax_at(step, 2)[0], plain = softmax_at(step, 1)[0];
             CHECK(halved > plain);
             CHECK(plain > softmax_at(step, 0.5)[0]);
             check_close({halved, plain, softmax_at(step, 0.5)[0]}, {0.864704, 0.636409, 0.428656});
             return {0.5, 1, 2};
         }},
        {"why-softmax", 8, "Each second bar is a weight at the gain 2. Gain is 1/T, so that is T = 0.5",
         [](const Seen& step) -> Numbers {
             const double gain = step.state().view.gain;
             const Seen divided = step.with("step=7&temperature=0.5");
             check_close(divided.row(kWeights, kPortraitRow), softmax_at(step, gain));
             return {gain, 1, 1 / gain};
         }},
        {"why-softmax", 8, "at 0.1, or T = 10, all five come near 1/5, the plain mean; at 20, or T = 0.05",
         [](const Seen& step) -> Numbers {
             for (const double weight : softmax_at(step, kMinGain)) CHECK(std::abs(weight - 0.2) < 0.05);
             CHECK(softmax_at(step, kMaxGain)[0] > 0.9999);
             return {kMinGain, 1 / kMinGain, 5, 1, 5, kMaxGain, 1 / kMaxGain};
         }},
        {"why-softmax", 8, "as in step 2", [](const Seen&) -> Numbers { return {2}; }},

        {"dictionary", 1, "columns 0 to 3 count legs",
         [](const Seen& step) -> Numbers { return {0, static_cast<double>(step.row(kV, kCat).size()) - 1}; }},
        {"dictionary", 1, "that of “cat” is 0, 1, 0, 0",
         [](const Seen& step) -> Numbers { return step.row(kK, kCat); }},
        {"dictionary", 1, "with the query 0, 20, 0, 0",
         [](const Seen& step) -> Numbers { return step.row(kQ, kAsker); }},
        {"dictionary", 2, "20 for “cat”, 0 for the others",
         [](const Seen& step) -> Numbers {
             CHECK(step.at(kScores, kAsker, kBird) == 0);
             return {step.at(kScores, kAsker, kCat), step.at(kScores, kAsker, kAnt)};
         }},
        {"dictionary", 2, "to four decimals, so its value comes back: 4, 0, 2, 1",
         [](const Seen& step) -> Numbers {
             CHECK(step.at(kWeights, kAsker, kCat) > 0.99995);
             check_close(step.row(kContext, kAsker), step.row(kV, kCat));
             return both({4}, step.row(kContext, kAsker));
         }},
        {"dictionary", 2, "their queries are 0", [](const Seen& step) -> Numbers { return {step.at(kQ, kAnt, 0)}; }},
        {"dictionary", 3, "only 0, 1, 0, 0 now", [](const Seen& step) -> Numbers { return step.row(kQ, kAsker); }},
        {"dictionary", 3, "“cat” scores 1 and the other three score 0",
         [](const Seen& step) -> Numbers {
             const Numbers scores = step.row(kScores, kAsker);
             check_close(step.row(kWeights, kAsker), {0.174878, 0.475367, 0.174878, 0.174878});
             return {scores[kCat], static_cast<double>(std::count(scores.begin(), scores.begin() + kAsker, 0.0)), 0};
         }},
        {"dictionary", 4, "“cat” gets 0.4754, each of the others 0.1749",
         [](const Seen& step) -> Numbers {
             check_close(step.row(kContext, kAsker), {3.300489, 0.349755, 2, 0.825122});
             return {step.at(kWeights, kAsker, kCat), step.at(kWeights, kAsker, kAnt)};
         }},
        {"dictionary", 4, "6, 4, 2 and 0 legs",
         [](const Seen& step) -> Numbers {
             return {step.at(kV, 0, kLegs), step.at(kV, 1, kLegs), step.at(kV, 2, kLegs), step.at(kV, 3, kLegs)};
         }},
        {"dictionary", 5,
         "With the query 0, 0.1, 0, 0 “cat” gets 0.2692 and each of the others 0.2436: nearly the mean",
         [](const Seen& step) -> Numbers {
             check_close(step.row(kWeights, kAsker), {0.243595, 0.269214, 0.243595, 0.243595});
             return both(step.row(kQ, kAsker), {step.at(kWeights, kAsker, kCat), step.at(kWeights, kAsker, kAnt)});
         }},
        {"dictionary", 5, "as 1 over the temperature does",
         [](const Seen& step) -> Numbers {
             const Seen warmed = step.with("step=3&temperature=10");  // the query 0, 1, 0, 0
             for (int animal = 0; animal < kAsker; ++animal)
                 CHECK(std::abs(step.at(kWeights, kAsker, animal) - warmed.at(kWeights, kAsker, animal)) < 1e-6);
             return {1};
         }},
        {"dictionary", 5, "Every animal has two eyes",
         [](const Seen& step) -> Numbers {
             for (int animal = 0; animal < kAsker; ++animal) CHECK(step.at(kV, animal, kEyes) == 2);
             return {2};
         }},
        {"dictionary", 6, "Two keys fit\n", [](const Seen&) -> Numbers { return {2}; }},
        {"dictionary", 6, ": two",
         [](const Seen& step) -> Numbers { return {step.with("step=5").at(kContext, kAsker, kEyes)}; }},
        {"dictionary", 6, "The query 0, 20, 20, 0 fits two keys: “cat” and “bird” both score 20",
         [](const Seen& step) -> Numbers {
             CHECK(step.at(kScores, kAsker, kCat) == step.at(kScores, kAsker, kBird));
             return both(step.row(kQ, kAsker), {2, step.at(kScores, kAsker, kCat)});
         }},
        {"dictionary", 7, "half of each: 3 legs, 1 wing",
         [](const Seen& step) -> Numbers {
             const Seen before = step.with("step=6");
             return {before.at(kContext, kAsker, kLegs), before.at(kContext, kAsker, kWings)};
         }},
        {"dictionary", 7, "“cat” scores 20 and “bird” 18, so “ant” and “snake”, with 0",
         [](const Seen& step) -> Numbers {
             CHECK(step.at(kWeights, kAsker, kAnt) < 1e-7);
             check_close(step.row(kContext, kAsker), {3.761594, 0.238406, 2, 1});
             return {step.at(kScores, kAsker, kCat), step.at(kScores, kAsker, kBird), step.at(kScores, kAsker, kAnt)};
         }},
        {"dictionary", 7, "Only the difference of 2 counts",
         [](const Seen& step) -> Numbers {
             return {step.at(kScores, kAsker, kCat) - step.at(kScores, kAsker, kBird)};
         }},
        {"dictionary", 7, "a bird has two, the others have none",
         [](const Seen& step) -> Numbers {
             CHECK(step.at(kV, kAnt, kWings) == 0);
             return {step.at(kV, kBird, kWings)};
         }},
        {"dictionary", 8, "the key of “bird” is 0, 0.6, 0.8, 0",
         [](const Seen& step) -> Numbers { return step.row(kK, kBird); }},
        {"dictionary", 8, "the query 0, 5, 0, 0 finds “cat” with 0.8705 and “bird”, too, with 0.1178",
         [](const Seen& step) -> Numbers {
             check_close(step.row(kWeights, kAsker), {0.005865, 0.870465, 0.117805, 0.005865});
             return both(step.row(kQ, kAsker), {step.at(kWeights, kAsker, kCat), step.at(kWeights, kAsker, kBird)});
         }},
    };
}

}  // namespace attn::test
