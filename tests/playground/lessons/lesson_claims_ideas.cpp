// What the lessons that the lectures do not have claim: linear, shares, one-row.
#include <algorithm>
#include <cmath>

#include "playground/lessons/lesson_claims.h"
#include "playground/lessons/lessons.h"

namespace attn::test {
namespace {

constexpr int kBrushHere = 10, kWomanHere = 7, kWithHere = 8, kSecondAHere = 9;

// Whether the first two rows add up to seven times the third, in every column.
bool keeps_the_sum(const Matrix& matrix) {
    bool keeps = true;
    for (int c = 0; c < length(matrix, 1); ++c) {
        const double sum = static_cast<double>(matrix(0, c)) + static_cast<double>(matrix(1, c));
        keeps = keeps && std::abs(sum - 7 * static_cast<double>(matrix(2, c))) < 1e-3;
    }
    return keeps;
}

// What the notes print as the first column of Q.
Numbers printed_column() {
    Numbers column;
    for (const std::vector<float>& row : find_lesson("split")->steps[4].printed[0].numbers) {
        column.push_back(static_cast<double>(row[0]));
    }
    return column;
}

double disagreement(const Seen& step, int row, int column) {
    return std::abs(step.at(kScores, row, column, 1) - step.at(kScores, row, column, 2));
}

// Of the targets, those that a causal mask leaves.
std::vector<TargetCell> left_of(const std::vector<TargetCell>& targets) {
    std::vector<TargetCell> left;
    for (const TargetCell& target : targets) {
        if (target.key <= target.query) left.push_back(target);
    }
    return left;
}

double count(std::size_t number) {
    return static_cast<double>(number);
}

}  // namespace

std::vector<Claim> claims_of_ideas() {
    return {
        {"linear", 1, "the first two rows of X: 7 in every column, which is 7 times the third row",
         [](const Seen& step) -> Numbers {
             CHECK(keeps_the_sum(step.matrix(kX)));
             for (int c = 0; c < 6; ++c) CHECK(step.at(kX, 0, c) + step.at(kX, 1, c) == 7);
             for (const TensorId stage : {kQ, kK, kV, kScores}) {
                 for (const int head : {1, 2}) CHECK(keeps_the_sum(step.matrix(stage, head)));
             }
             return {2, 7, 7};
         }},
        {"linear", 1, "If you know the first two rows of Q", [](const Seen&) -> Numbers { return {2}; }},
        {"linear", 2, "The first two rows of Q begin with −0.2365 and 3.4404. Add them, divide by 7",
         [](const Seen& step) -> Numbers {
             CHECK(step.state().view.check == std::set<TensorId>{kQ});
             return {2, step.at(kQ, 0, 0), step.at(kQ, 1, 0), 7};
         }},
        {"linear", 3, ": 0.4577", [](const Seen& step) -> Numbers { return {step.at(kQ, 2, 0)}; }},
        {"linear", 3, "This column begins with 43.5067 and 69.0218",
         [](const Seen& step) -> Numbers { return {step.at(kScores, 0, 0), step.at(kScores, 1, 0)}; }},
        {"linear", 4, ": 16.0755", [](const Seen& step) -> Numbers { return {step.at(kScores, 2, 0)}; }},
        {"linear", 4, "each of their rows sums to 1, and 1 + 1 is not 7 × 1",
         [](const Seen& step) -> Numbers {
             CHECK_FALSE(keeps_the_sum(step.matrix(kWeights)));
             const Numbers sums = step.sums(kWeights);
             return {sums[0], sums[1], sums[2], 7, 1};
         }},
        {"linear", 5, "the column of 0.4577 reads 4.2932, −0.6586 and 1.4587",
         [](const Seen& step) -> Numbers {
             const Numbers column = printed_column();
             return {step.at(kQ, 2, 0), column[0], column[1], column[2]};
         }},
        {"linear", 5, "Add the first two and compare with 7 times the third: 3.6346 against 10.2109",
         [](const Seen&) -> Numbers {
             const Numbers column = printed_column();
             return {2, 7, column[0] + column[1], 7 * column[2]};
         }},

        {"shares", 1, "For “brush” and “woman”, head 1 gives −0.6957 and head 2 gives 0.0303",
         [](const Seen& step) -> Numbers {
             return {1, step.at(kScores, kBrushHere, kWomanHere, 1), 2, step.at(kScores, kBrushHere, kWomanHere, 2)};
         }},
        {"shares", 1, "Two parts of one score", [](const Seen&) -> Numbers { return {2}; }},
        {"shares", 2, "Add −0.6957 and 0.0303 and type its score",
         [](const Seen& step) -> Numbers {
             const Seen two = step.with("heads=2");
             return {two.at(kScores, kBrushHere, kWomanHere, 1), two.at(kScores, kBrushHere, kWomanHere, 2)};
         }},
        {"shares", 3, ": −0.6654",
         [](const Seen& step) -> Numbers {
             const Seen one = step.with("heads=1");
             for (int i = 0; i < 11; ++i) {
                 for (int j = 0; j < 11; ++j) {
                     const double sum = step.at(kScores, i, j, 1) + step.at(kScores, i, j, 2);
                     CHECK(std::abs(one.at(kScores, i, j) - sum) < 1e-5);
                 }
             }
             return {one.at(kScores, kBrushHere, kWomanHere)};
         }},
        {"shares", 3, "The two heads disagree most about “with” and the second “a”: −1.1261 against 1.0156",
         [](const Seen& step) -> Numbers {
             double most = 0;
             for (int i = 0; i < 11; ++i) {
                 for (int j = 0; j < 11; ++j) most = std::max(most, disagreement(step, i, j));
             }
             CHECK(disagreement(step, kWithHere, kSecondAHere) == most);
             return {2, step.at(kScores, kWithHere, kSecondAHere, 1), step.at(kScores, kWithHere, kSecondAHere, 2)};
         }},
        {"shares", 4, "Add −1.1261 and 1.0156",
         [](const Seen& step) -> Numbers {
             const Seen two = step.with("heads=2");
             return {two.at(kScores, kWithHere, kSecondAHere, 1), two.at(kScores, kWithHere, kSecondAHere, 2)};
         }},
        {"shares", 5, "−0.1105, almost nothing.\nTwo heads keep the difference",
         [](const Seen& step) -> Numbers { return {step.with("heads=1").at(kScores, kWithHere, kSecondAHere), 2}; }},
        {"shares", 5, "“with” gives the second “a” 0.0494 in head 1 and 0.1638 in head 2",
         [](const Seen& step) -> Numbers {
             return {step.at(kWeights, kWithHere, kSecondAHere, 1), 1, step.at(kWeights, kWithHere, kSecondAHere, 2),
                     2};
         }},

        {"one-row", 1, "How many of the six lines",
         [](const Seen& step) -> Numbers { return {count(step.state().inputs.targets.size())}; }},
        {"one-row", 1, "the targets of both readings of the brush, six different ones",
         [](const Seen& step) -> Numbers {
             // Those of both readings, each once.
             std::vector<TargetCell> all = Seen("lesson=heads&step=1").state().inputs.targets;
             const std::vector<TargetCell> other = Seen("lesson=heads&step=2").state().inputs.targets;
             for (const TargetCell& target : other) {
                 if (std::find(all.begin(), all.end(), target) == all.end()) all.push_back(target);
             }
             const std::vector<TargetCell>& here = step.state().inputs.targets;
             CHECK(std::is_permutation(all.begin(), all.end(), here.begin(), here.end()));
             return {count(here.size())};
         }},
        {"one-row", 2,
         "four.\nThe line from “woman” to “portrait” is left, which both readings have, and three from “brush”",
         [](const Seen& step) -> Numbers {
             const std::vector<TargetCell>& here = step.state().inputs.targets;
             const std::vector<TargetCell> left = left_of(step.with("step=1").state().inputs.targets);
             CHECK(std::is_permutation(left.begin(), left.end(), here.begin(), here.end()));
             const auto of_brush =
                 std::count_if(here.begin(), here.end(), [](const TargetCell& target) { return target.query == 10; });
             return {count(here.size()), static_cast<double>(of_brush)};
         }},
        {"one-row", 3, "click the two words of a line", [](const Seen&) -> Numbers { return {2}; }},
        {"one-row", 4, "“artist” looks at “brush” in one reading, “woman” at “brush” in the other",
         [](const Seen& step) -> Numbers {
             const std::vector<TargetCell>& here = step.state().inputs.targets;
             const std::vector<TargetCell> left = left_of(step.with("step=3").state().inputs.targets);
             CHECK(std::is_permutation(left.begin(), left.end(), here.begin(), here.end()));
             // "woman" to "portrait" is in both readings.
             CHECK(here.size() == 3);
             return {};
         }},
        {"one-row", 4, "Now in two rows", [](const Seen&) -> Numbers { return {2}; }},
        {"one-row", 6, "The second word has two", [](const Seen&) -> Numbers { return {2}; }},
    };
}

}  // namespace attn::test
