// What the lessons about targets claim: readings, head-dim.
#include <algorithm>
#include <cmath>

#include "core/ground/check.h"
#include "playground/lessons/lesson_claims.h"

namespace attn::test {
namespace {

constexpr int kArtistWord = 1, kWomanWord = 7, kBrushWord = 10;

double steps_of(const Seen& step) {
    return step.state().inputs.steps;
}

double head_dim_at(const Seen& step) {
    return step.evaluation().sizes.head_dim();
}

// The share that a row of head 1 wants of a key, in twentieths.
double twentieths(const Seen& step, int query, int key) {
    double sum = 0, wanted = 0;
    for (const TargetCell& target : step.state().inputs.targets) {
        if (target.query != query) continue;
        sum += target.share;
        if (target.key == key) wanted = target.share;
    }
    CHECK(sum == 20);
    return wanted;
}

// What head_dim 1 to 5 leave of the loss above what no weights can go below.
Numbers left_by_head_dim(const Seen& step) {
    Numbers left;
    for (int head_dim = 1; head_dim <= 5; ++head_dim)
        left.push_back(step.with(concat("d_out=", head_dim)).above_bound());
    return left;
}

// Two readings of one head: the context if all weight of “brush” went to one word, and to the other, halved and added.
Numbers mixture(const Seen& step) {
    const Numbers artist = step.row(kV, kArtistWord);
    const Numbers woman = step.row(kV, kWomanWord);
    Numbers both;
    for (std::size_t c = 0; c < artist.size(); ++c) both.push_back((artist[c] + woman[c]) / 2);
    return both;
}

// The loss after 150 steps: one head with one target, with both halves; two heads with one target each, with both.
Numbers loss_of_runs(const Seen& step) {
    Numbers losses;
    for (const char* const run :
         {"heads=1&target=1:10>1", "heads=1&target=1:10>1,10>7", "heads=2&target=1:10>1&target=2:10>7",
          "heads=2&target=1:10>1,10>7&target=2:10>1,10>7"})
        losses.push_back(step.with(concat(run, "&steps=150")).loss());
    return losses;
}

}  // namespace

std::vector<Claim> claims_of_targets() {
    return {
        {"readings", 1, "Untrained, it gives them 0.0984 and 0.0565",
         [](const Seen& step) -> Numbers {
             CHECK(steps_of(step) == 0);
             return {step.at(kWeights, kBrushWord, kArtistWord), step.at(kWeights, kBrushWord, kWomanWord)};
         }},
        {"readings", 1, "Both readings, one head",
         [](const Seen& step) -> Numbers {
             CHECK(step.state().inputs.num_heads == 1);
             CHECK(step.state().inputs.targets.size() == 2);
             return {};
         }},
        {"readings", 2, "After 150 steps the loss is 0.6933, and there it stays. The dashed line at ln 2 = 0.6931",
         [](const Seen& step) -> Numbers {
             const double bound = step.evaluation().run->lowest_loss();
             CHECK(std::abs(bound - std::log(2.0)) < 1e-6);
             for (const double loss : step.evaluation().run->losses()) CHECK(loss >= bound - 1e-6);
             CHECK(std::abs(step.with("steps=100").loss() - step.loss()) < 0.001);
             return {steps_of(step), step.loss(), 2, bound};
         }},
        {"readings", 3, "“artist” gets 0.5002 and the nine other words next to nothing",
         [](const Seen& step) -> Numbers {
             const Numbers row = step.row(kWeights, kBrushWord);
             double others = 0;
             for (int j = 0; j <= kBrushWord; ++j) {
                 if (j != kArtistWord && j != kWomanWord) others += row[static_cast<std::size_t>(j)];
             }
             CHECK(others < 0.0005);
             return {row[kArtistWord], static_cast<double>(row.size()) - 2};
         }},
        {"readings", 4, "of the value of “artist” is 0.9727, that of “woman” 0.7357",
         [](const Seen& step) -> Numbers {
             CHECK(std::abs(step.at(kContext, kBrushWord, 0) - mixture(step)[0]) < 0.0005);
             return {step.at(kV, kArtistWord, 0), step.at(kV, kWomanWord, 0)};
         }},
        {"readings", 5, "The two values were added, so the output projection gets one sum",
         [](const Seen& step) -> Numbers {
             // What the projection gets is the mixture, in which neither word comes first.
             const Numbers both = mixture(step);
             for (std::size_t c = 0; c < both.size(); ++c)
                 CHECK(std::abs(step.at(kMerged, kBrushWord, static_cast<int>(c)) - both[c]) < 0.005);
             return {2};
         }},
        {"readings", 5, "Would two heads with these two halves",
         [](const Seen& step) -> Numbers { return {2, static_cast<double>(step.state().inputs.targets.size())}; }},
        {"readings", 5, "below ln 2",
         [](const Seen& step) -> Numbers {
             CHECK(std::abs(step.evaluation().run->lowest_loss() - std::log(2.0)) < 1e-6);
             return {2};
         }},
        {"readings", 6, "no, they stop at 0.6934", [](const Seen& step) -> Numbers { return {loss_of_runs(step)[3]}; }},
        {"readings", 6, "Four trainings",
         [](const Seen& step) -> Numbers { return {static_cast<double>(loss_of_runs(step).size())}; }},
        {"readings", 6, "Now head 1 has “artist” as its target and head 2 “woman”, and nothing is left of the loss",
         [](const Seen& step) -> Numbers {
             const std::vector<TargetCell>& targets = step.state().inputs.targets;
             REQUIRE(targets.size() == 2);
             CHECK(targets[0].key == kArtistWord);
             CHECK(targets[1].key == kWomanWord);
             CHECK(step.evaluation().run->lowest_loss() == 0);
             CHECK(step.loss() < 0.0001);
             return {targets[0].head + 1.0, targets[1].head + 1.0};
         }},
        // tests/torch trains the same four.
        {"readings", 6,
         "After 150 steps one head with one target has 0.0000, with both halves 0.6933; two heads with one target each "
         "have 0.0000, with both halves each 0.6934",
         [](const Seen& step) -> Numbers {
             const Numbers runs = loss_of_runs(step);
             return {150, runs[0], runs[1], 2, runs[2], runs[3]};
         }},
        {"readings", 7,
         "the first two numbers of “brush” are head 1's value of “artist”, the other two head 2's value of “woman”",
         [](const Seen& step) -> Numbers {
             for (int c = 0; c < 2; ++c) {
                 CHECK(std::abs(step.at(kMerged, kBrushWord, c) - step.at(kV, kArtistWord, c, 1)) < 0.0001);
                 CHECK(std::abs(step.at(kMerged, kBrushWord, 2 + c) - step.at(kV, kWomanWord, c, 2)) < 0.0001);
             }
             return {head_dim_at(step), 1, head_dim_at(step), 2};
         }},
        {"readings", 8, "After 600 steps one head gives half to each of words 1 and 7",
         [](const Seen& step) -> Numbers {
             for (const Seen& seen : {step.with("sentence=1"), step.with("sentence=2")}) {
                 for (const int word : {1, 7}) CHECK(std::abs(seen.at(kWeights, kBrushWord, word) - 0.5) < 0.001);
             }
             return {steps_of(step), 1, 7};
         }},
        {"readings", 8, "the first number that “brush” gets is 0.8542",
         [](const Seen& step) -> Numbers { return {step.at(TensorId::context, kBrushWord, 0)}; }},
        {"readings", 9, "the same, 0.8542",
         [](const Seen& step) -> Numbers {
             // The values of both sentences, halved and added, are the same but for the rounding of floats.
             const Seen one = step.with("step=8"), other = step.with("step=8&sentence=2");
             for (int c = 0; c < 4; ++c) {
                 const auto sum = [c](const Seen& seen) { return seen.at(kV, 1, c) + seen.at(kV, 7, c); };
                 CHECK(std::abs(sum(one) - sum(other)) < 1e-5);
             }
             return {other.at(TensorId::context, kBrushWord, 0)};
         }},
        {"readings", 9, "head 1 learned to look at word 1, head 2 at word 7",
         [](const Seen& step) -> Numbers {
             for (const Seen& seen : {step.with("sentence=1"), step.with("sentence=2")}) {
                 CHECK(seen.at(kWeights, kBrushWord, 1, 1) > 0.999);
                 CHECK(seen.at(kWeights, kBrushWord, 7, 2) > 0.999);
             }
             return {1, 1, 2, 7};
         }},
        {"readings", 9, "is now 0.9727 where the artist paints and 0.7619 where the woman does, whoever is painted",
         [](const Seen& step) -> Numbers {
             const Seen other = step.with("sentence=2");
             CHECK(std::abs(step.at(kMerged, kBrushWord, 0) - step.at(kV, 1, 0, 1)) < 0.001);
             CHECK(std::abs(other.at(kMerged, kBrushWord, 0) - other.at(kV, 1, 0, 1)) < 0.001);
             return {step.at(kMerged, kBrushWord, 0), other.at(kMerged, kBrushWord, 0)};
         }},
        {"readings", 9, "set sentence to 2", [](const Seen&) -> Numbers { return {2}; }},

        {"head-dim", 1, "This head has a target in every cell and learned them all: “Your” gives “journey” 0.4998",
         [](const Seen& step) -> Numbers {
             for (int i = 0; i < 6; ++i) {
                 for (int j = 0; j < 6; ++j)
                     CHECK(std::abs(step.at(kWeights, i, j) - twentieths(step, i, j) / 20) < 0.001);
             }
             return {step.at(kWeights, 0, 1)};
         }},
        {"head-dim", 2, "head_dim 1", [](const Seen& step) -> Numbers { return {head_dim_at(step)}; }},
        {"head-dim", 2, "After 150 steps the loss stands still, 0.1504 above the dashed line",
         [](const Seen& step) -> Numbers {
             CHECK(std::abs(step.with("steps=300").loss() - step.loss()) < 0.0001);
             return {steps_of(step), step.above_bound()};
         }},
        {"head-dim", 3, "“Your” scores −0.7091 for itself and −0.4996 for “journey”; “journey” scores −1.3204 for",
         [](const Seen& step) -> Numbers {
             const double multiple = step.at(kScores, 1, 0) / step.at(kScores, 0, 0);
             for (int j = 0; j < 6; ++j)
                 CHECK(std::abs(step.at(kScores, 1, j) - multiple * step.at(kScores, 0, j)) < 1e-5);
             return {step.at(kScores, 0, 0), step.at(kScores, 0, 1), step.at(kScores, 1, 0)};
         }},
        {"head-dim", 4, "head_dim 2", [](const Seen& step) -> Numbers { return {head_dim_at(step)}; }},
        {"head-dim", 4, ": −0.9303.\nWith two numbers each, rows may mix two patterns: 0.0533 is left",
         [](const Seen& step) -> Numbers {
             return {step.with("step=3").at(kScores, 1, 1), head_dim_at(step), head_dim_at(step), step.above_bound()};
         }},
        {"head-dim", 4, "nothing of these six rows",
         [](const Seen& step) -> Numbers { return {step.evaluation().num_tokens() + 0.0}; }},
        {"head-dim", 5, "five.\nhead_dim 5 leaves less than 0.0001, and 1 to 4 leave 0.1504, 0.0533, 0.0111 and 0.0010",
         [](const Seen& step) -> Numbers {
             const Numbers left = left_by_head_dim(step);
             CHECK(left[4] < 0.0001);
             return {head_dim_at(step), head_dim_at(step), 0.0001, 1, 4, left[0], left[1], left[2], left[3]};
         }},
        {"head-dim", 5, "six words need no sixth number",
         [](const Seen& step) -> Numbers { return {step.evaluation().num_tokens() + 0.0}; }},
        {"head-dim", 6, "“with” should give “Your” 5 of 20, and head_dim 5 has room",
         [](const Seen& step) -> Numbers { return {twentieths(step, 3, 0), 20, head_dim_at(step)}; }},
        {"head-dim", 7, ": 0.2499",
         [](const Seen& step) -> Numbers { return {step.with("step=6").at(kWeights, 3, 0)}; }},
        {"head-dim", 7,
         "head_dim 2 brings the loss below 0.0001. With head_dim 1 this training gets stuck at 0.3363: set",
         [](const Seen& step) -> Numbers {
             for (const TargetCell& target : step.state().inputs.targets) CHECK(target.key == target.query - 1);
             CHECK(step.state().inputs.targets.size() == 5);
             const Seen one = step.with("d_out=1");
             CHECK(step.loss() < 0.0001);
             return {head_dim_at(step), 0.0001, 1, one.loss()};
         }},
        {"head-dim", 7, "set d_out to 1", [](const Seen&) -> Numbers { return {1}; }},
    };
}

}  // namespace attn::test
