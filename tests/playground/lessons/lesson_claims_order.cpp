// What the lessons about the order of words claim: dog-bites-man and masks. The numbers of the positions are NumPy's:
// numpy.sin and numpy.cos of position / 10000^(2p / d_in) in double. Those of the words are PyTorch's, which runs the
// script of each step (tests/torch/pytorch.test.mjs).
#include <algorithm>
#include <cmath>

#include "playground/lessons/lesson_claims.h"
#include "playground/lessons/lessons.h"
#include "playground/text/format.h"

namespace attn::test {
namespace {

// NumPy's six decimals, and as much again for the rounding of floats up to 32.
void check_as_numpy(const Numbers& computed, const Numbers& numpy) {
    REQUIRE(computed.size() == numpy.size());
    for (std::size_t i = 0; i < numpy.size(); ++i) {
        CAPTURE(i);
        CHECK(std::abs(computed[i] - numpy[i]) < 1e-6 * std::max(4.0, std::abs(numpy[i])));
    }
}

// Row `row` as it is printed.
std::vector<std::string> printed_row(const Seen& step, TensorId stage, int row) {
    std::vector<std::string> texts;
    for (const double number : step.row(stage, row)) texts.push_back(shown_number(number));
    return texts;
}

enum class InOrders { same, different };

// The contexts of the same words in both orders, as printed: dog, bites, man are rows 2, 1, 0 of the second sentence.
void check_contexts(const Seen& second, InOrders expected) {
    const Seen first = second.with("sentence=1");
    CHECK(first.evaluation().tokens.tokens[0].text == "dog");
    CHECK(second.evaluation().tokens.tokens[2].text == "dog");
    for (int i = 0; i < 3; ++i) {
        const bool is_same = printed_row(first, kContext, i) == printed_row(second, kContext, 2 - i);
        CHECK(is_same == (expected == InOrders::same));
    }
}

// Keys that a query sees: a row of equal scores shares its 1 evenly among them. Hidden ones are no finite numbers here.
double num_seen_by(const Seen& step, int query) {
    const Numbers weights = step.row(kWeights, query);
    const auto count = static_cast<double>(
        std::count_if(weights.begin(), weights.end(), [](double weight) { return std::isfinite(weight); }));
    for (const double weight : weights) CHECK((!std::isfinite(weight) || std::abs(weight - 1 / count) < 1e-6));
    return count;
}

double num_hidden(const Seen& step) {
    double count = 0;
    for (int i = 0; i < step.evaluation().num_tokens(); ++i)
        count += step.evaluation().num_tokens() - num_seen_by(step, i);
    return count;
}

}  // namespace

std::vector<Claim> claims_of_order() {
    return {
        {"dog-bites-man", 1, "each word has the same row of X in both",
         [](const Seen& step) -> Numbers {
             const Seen other = step.with("sentence=2");
             for (int i = 0; i < 3; ++i) CHECK(step.row(kX, i) == other.row(kX, 2 - i));
             return {};
         }},
        {"dog-bites-man", 2, "to the last printed digit what it has in “dog bites man”",
         [](const Seen& step) -> Numbers {
             check_contexts(step, InOrders::same);
             return {};
         }},
        {"dog-bites-man", 2, "go back to sentence 1 and see",
         [](const Seen& step) -> Numbers {
             CHECK(step.state().view.sentence == 1);  // from 0
             return {1};
         }},
        {"dog-bites-man", 3, "Eight numbers",
         [](const Seen& step) -> Numbers { return {static_cast<double>(step.row(kX, 0).size())}; }},
        {"dog-bites-man", 3, "the words' own numbers are 0, and what is left are the positions: four pairs",
         [](const Seen& step) -> Numbers {
             const Seen words = step.with("pos=none");
             CHECK(largest_of(all_of(words.matrix(kX))) == 0);
             check_as_numpy(step.row(kX, 1), {0.841471, 0.540302, 0.099833, 0.995004, 0.010000, 0.999950, 0.001, 1});
             check_as_numpy(step.row(kX, 5),
                            {-0.958924, 0.283662, 0.479426, 0.877583, 0.049979, 0.998750, 0.005, 0.999988});
             return {smallest_of(all_of(words.matrix(kX))), static_cast<double>(step.row(kX, 0).size()) / 2};
         }},
        {"dog-bites-man", 3, "pair p, counted from 0, has position / 10000^(2p/8)",
         [](const Seen& step) -> Numbers {
             for (int i = 0; i < 6; ++i) {
                 for (int pair = 0; pair < 4; ++pair) {
                     const double angle = i / std::pow(10000, 2.0 * pair / 8);
                     CHECK(std::abs(angle - i / std::pow(10, pair)) < 1e-12);  // a tenth of the one before
                     CHECK(std::abs(step.at(kX, i, 2 * pair) - std::sin(angle)) < 1e-6);
                     CHECK(std::abs(step.at(kX, i, 2 * pair + 1) - std::cos(angle)) < 1e-6);
                 }
             }
             return {0, 10000, 2, 8};
         }},
        {"dog-bites-man", 4, "“away” stands at position 5, counted from 0",
         [](const Seen& step) -> Numbers {
             CHECK(step.evaluation().tokens.tokens[5].text == "away");
             return {5, 0};
         }},
        {"dog-bites-man", 5, "“bites” stands at position 1 in both",
         [](const Seen& step) -> Numbers {
             for (const Seen& one : {step, step.with("sentence=2")})
                 CHECK(one.evaluation().tokens.tokens[1].text == "bites");
             return {1};
         }},
        {"dog-bites-man", 5, "each row of X is the word plus its position",
         [](const Seen& step) -> Numbers {
             const Seen words = step.with("pos=none"), places = step.with("step=3");
             for (int i = 0; i < 3; ++i) {
                 for (int c = 0; c < 8; ++c)
                     CHECK(std::abs(step.at(kX, i, c) - words.at(kX, i, c) - places.at(kX, i, c)) < 1e-6);
             }
             return {};
         }},
        {"dog-bites-man", 5, "Lesson heads, step 13, adds one such number",
         [](const Seen&) -> Numbers {
             CHECK(find_lesson("heads")->steps.at(12).title == "One position by hand");
             return {13};
         }},
        {"dog-bites-man", 6, "in this sentence and another one in sentence 1",
         [](const Seen& step) -> Numbers {
             check_contexts(step, InOrders::different);
             return {1};
         }},
        {"dog-bites-man", 6, "A causal mask would also let the order in",
         [](const Seen& step) -> Numbers {
             check_contexts(step.with("pos=none&mask=causal"), InOrders::different);
             return {};
         }},
        {"dog-bites-man", 7, "the product of two positions", [](const Seen&) -> Numbers { return {2}; }},
        {"dog-bites-man", 7, "At distance 1 the cosines of 1, 0.1, 0.01 and 0.001 add up to 3.5353",
         [](const Seen& step) -> Numbers {
             check_as_numpy(step.row(kScores, 5), {3.159983, 2.266609, 1.964890, 2.563718, 3.535256, 4});
             for (int i = 1; i < 6; ++i) CHECK(std::abs(step.at(kScores, i, i - 1) - step.at(kScores, 1, 0)) < 1e-6);
             return {1, 1, 0.1, 0.01, 0.001, std::cos(1) + std::cos(0.1) + std::cos(0.01) + std::cos(0.001)};
         }},
        {"dog-bites-man", 7, "positions 5 and 3", [](const Seen&) -> Numbers { return {5, 3}; }},
        {"dog-bites-man", 8, "a position has 64 numbers, so 32 pairs",
         [](const Seen& step) -> Numbers {
             const auto size = static_cast<double>(step.row(kX, 0).size());
             return {size, size / 2};
         }},
        {"dog-bites-man", 8,
         "with itself is 32.0000, with its neighbour 30.9168, and on it falls, to 23.5040 at distance 5",
         [](const Seen& step) -> Numbers {
             const Numbers scores = step.row(kScores, 5);
             check_as_numpy(scores, {23.503971, 23.934362, 25.587029, 28.303862, 30.916832, 32});
             CHECK(std::is_sorted(scores.begin(), scores.end()));
             return {scores[5], scores[4], scores[0], 5};
         }},
        {"dog-bites-man", 8, "With eight numbers it falls, too, up to distance 3; then",
         [](const Seen& step) -> Numbers {
             const Numbers scores = step.with("step=7").row(kScores, 5);
             CHECK(scores[4] > scores[3]);
             CHECK(scores[3] > scores[2]);
             CHECK(scores[2] < scores[1]);
             CHECK(scores[1] < scores[0]);
             return {static_cast<double>(step.with("step=7").row(kX, 0).size()), 3};
         }},

        {"masks", 1, "All vectors are 0 here, so all scores are equal, and each row shares its 1 evenly",
         [](const Seen& step) -> Numbers {
             CHECK(largest_of(all_of(step.matrix(kScores))) == smallest_of(all_of(step.matrix(kScores))));
             return {largest_of(all_of(step.matrix(kX))), step.sums(kWeights)[0]};
         }},
        {"masks", 1, "these are all six",
         [](const Seen& step) -> Numbers {
             CHECK(num_hidden(step) == 0);
             return {num_seen_by(step, 0)};
         }},
        {"masks", 2, ": 1/4", [](const Seen& step) -> Numbers { return {1, num_seen_by(step, 3)}; }},
        {"masks", 2, "only the last three words are written", [](const Seen&) -> Numbers { return {3}; }},
        {"masks", 2, "A prefix mask lets its three words see each other",
         [](const Seen& step) -> Numbers {
             const Seen opened = step.with("step=3");
             for (int i = 0; i < 3; ++i) CHECK(num_seen_by(opened, i) == 3);
             return {3};
         }},
        {"masks", 3, "the causal mask with three cells opened",
         [](const Seen& step) -> Numbers {
             CHECK(num_seen_by(step, 1) == 3);
             return {num_hidden(step.with("step=2")) - num_hidden(step)};
         }},
        {"masks", 4, "each word gives each pad 0.1667",
         [](const Seen& step) -> Numbers {
             for (int i = 0; i < 3; ++i) CHECK(num_seen_by(step, i) == 6);
             return {step.at(kWeights, 0, 4)};
         }},
        {"masks", 5, "two masks", [](const Seen&) -> Numbers { return {2}; }},
        {"masks", 5, "a pad sees itself alone",
         [](const Seen& step) -> Numbers {
             for (int pad = 0; pad < 3; ++pad) CHECK(step.at(kWeights, pad, pad) == 1);
             for (int word = 3; word < 6; ++word) CHECK(num_seen_by(step, word) == word - 2);
             return {};
         }},
        {"masks", 6, "Two texts in one row", [](const Seen&) -> Numbers { return {2}; }},
        {"masks", 6, "knows nothing of two texts",
         [](const Seen& step) -> Numbers {
             CHECK(num_hidden(step) == 15);  // causal, of six words
             return {2};
         }},
        {"masks", 7, "Each text has a triangle of its own now",
         [](const Seen& step) -> Numbers {
             for (int i = 0; i < 6; ++i) CHECK(num_seen_by(step, i) == (i < 2 ? i + 1 : i - 1));
             return {};
         }},
        {"masks", 8, "1 hides a key from a query, 0 shows it",
         [](const Seen& step) -> Numbers {
             CHECK_FALSE(std::isfinite(step.at(kWeights, 1, 3)));  // painted 1
             CHECK(step.at(kWeights, 1, 2) > 0);
             return {1, 0};
         }},
        {"masks", 8, "every word sees itself, its neighbours and the first word, and the first word sees all",
         [](const Seen& step) -> Numbers {
             for (int i = 0; i < 6; ++i) {
                 for (int j = 0; j < 6; ++j) {
                     const bool sees = i == 0 || j == 0 || std::abs(i - j) <= 1;
                     CHECK(std::isfinite(step.at(kWeights, i, j)) == sees);
                 }
             }
             return {};
         }},
    };
}

}  // namespace attn::test
