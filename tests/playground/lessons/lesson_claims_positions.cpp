// What the lessons about positions in the scores claim: turning, fainter.
#include <algorithm>
#include <cmath>

#include "core/attention/rotary.h"
#include "core/attention/score_changes.h"
#include "playground/lessons/lesson_claims.h"

namespace attn::test {
namespace {

constexpr int kFirstThe = 0, kOneArtist = 1, kSecondThe = 3, kOneWoman = 4;
constexpr int kCapitalThe = 0, kPainted = 2, kNeighbour = 3, kLastPortrait = 4;
constexpr TensorId kTurnedQ = TensorId::rotated_queries;
constexpr TensorId kTurnedK = TensorId::rotated_keys;
constexpr TensorId kBiased = TensorId::biased_scores;

int dim_of(const Seen& step) {
    return step.evaluation().sizes.head_dim();
}

// By how much a pair, counted from 0, is turned at a position of the sentence.
double angle_of(const Seen& step, int position, int pair) {
    return rotary_angle(position, pair, dim_of(step), step.state().inputs.rope_base);
}

// The channels of a pair, from 0.
Numbers places_of(const Seen& step, int pair) {
    const RotaryPairs pairs = step.state().inputs.rope_pairs;
    return {0.0 + first_of_pair(pairs, dim_of(step), pair), 0.0 + second_of_pair(pairs, dim_of(step), pair)};
}

Numbers joined(const Numbers& a, const Numbers& b) {
    Numbers all = a;
    all.insert(all.end(), b.begin(), b.end());
    return all;
}

// The first token whose vector reaches that of `row` through so many layers with this step's mask.
int farthest_read(const Seen& step, int row, int num_layers) {
    int farthest = row;
    for (int layer = 0; layer < num_layers; ++layer) {
        const Numbers weights = step.row(kWeights, farthest);
        while (farthest > 0 && weights[static_cast<std::size_t>(farthest) - 1] > 0) --farthest;
    }
    return farthest;
}

int num_seen(const Seen& step, int row) {
    int count = 0;
    for (int j = 0; j < step.evaluation().num_tokens(); ++j) count += step.at(kWeights, row, j) > 0 ? 1 : 0;
    return count;
}

}  // namespace

std::vector<Claim> claims_of_positions() {
    return {
        {"turning", 1, "In head 1 both have the scores 0.3917 −0.1580 −0.2915 0.3917 0.1157",
         [](const Seen& step) -> Numbers {
             CHECK(step.row(kX, kFirstThe) == step.row(kX, kSecondThe));
             CHECK(step.row(kScores, kFirstThe) == step.row(kScores, kSecondThe));
             return joined({1}, step.row(kScores, kSecondThe));
         }},
        {"turning", 2, "Channels 0 and 2 of a head are a point of a plane, channels 1 and 3 another one",
         [](const Seen& step) -> Numbers { return joined(places_of(step, 0), places_of(step, 1)); }},
        {"turning", 2, "At position 3 the first is turned by 3 radians, the second by 0.03",
         [](const Seen& step) -> Numbers {
             CHECK(step.row(kX, kFirstThe) == step.row(kX, kSecondThe));  // X stays as it is
             return {kSecondThe, angle_of(step, kSecondThe, 0), angle_of(step, kSecondThe, 1)};
         }},
        {"turning", 2,
         "the query 0.5483 0.1897 0.8770 0.2720 of the second “the” becomes −0.6666 0.1815 −0.7908 0.2775",
         [](const Seen& step) -> Numbers { return joined(step.row(kQ, kSecondThe), step.row(kTurnedQ, kSecondThe)); }},
        {"turning", 3,
         "“artist” stands at position 1, so its channels 0 and 2, 1.2125 and −0.6040, are turned by 1 radian: "
         "cosine 0.5403, sine 0.8415",
         [](const Seen& step) -> Numbers {
             const double angle = angle_of(step, kOneArtist, 0);
             return {
                 kOneArtist,     0, 2, step.at(kQ, kOneArtist, 0), step.at(kQ, kOneArtist, 2), angle, std::cos(angle),
                 std::sin(angle)};
         }},
        {"turning", 4, ": 1.1634", [](const Seen& step) -> Numbers { return {step.at(kTurnedQ, kOneArtist, 0)}; }},
        {"turning", 4, "as long as before",
         [](const Seen& step) -> Numbers {
             const double length = length_of(step.row(kQ, kOneArtist));
             CHECK(std::abs(length - length_of(step.row(kTurnedQ, kOneArtist))) < 1e-6);
             return {};
         }},
        {"turning", 4, "its score with itself stays",
         [](const Seen& step) -> Numbers {
             const double itself = step.with("pos=none").at(kScores, kSecondThe, kSecondThe);
             CHECK(std::abs(step.at(kScores, kFirstThe, kFirstThe) - itself) < 1e-6);
             CHECK(std::abs(step.at(kScores, kSecondThe, kSecondThe) - itself) < 1e-6);
             return {};
         }},
        {"turning", 4, "The turned query of the second is −0.6666 0.1815 −0.7908 0.2775",
         [](const Seen& step) -> Numbers { return step.row(kTurnedQ, kSecondThe); }},
        {"turning", 4, "the turned key of the first, at position 0, 1.0290 −0.6361 −0.2828 0.7213",
         [](const Seen& step) -> Numbers { return joined({kFirstThe}, step.row(kTurnedK, kFirstThe)); }},
        {"turning", 5, ": −0.3775",
         [](const Seen& step) -> Numbers { return {step.with("pos_shift=0").at(kScores, kSecondThe, kFirstThe)}; }},
        {"turning", 5, "begins at position 100",
         [](const Seen& step) -> Numbers { return {static_cast<double>(step.state().inputs.pos_shift)}; }},
        {"turning", 5, "The score of “woman” for “artist” is 0.3523, as it is when the sentence begins at 0",
         [](const Seen& step) -> Numbers {
             const double before = step.with("pos_shift=0").at(kScores, kOneWoman, kOneArtist);
             CHECK(std::abs(step.at(kScores, kOneWoman, kOneArtist) - before) < 1e-5);
             return {before, 0};
         }},
        {"turning", 5, "a turn by 104 and one by 101 differ by 3, as those by 4 and 1 do",
         [](const Seen& step) -> Numbers {
             const int shift = step.state().inputs.pos_shift;
             const double far = angle_of(step, shift + kOneWoman, 0), near = angle_of(step, shift + kOneArtist, 0);
             CHECK(far - near == angle_of(step, kOneWoman, 0) - angle_of(step, kOneArtist, 0));
             return {far, near, far - near, angle_of(step, kOneWoman, 0), angle_of(step, kOneArtist, 0)};
         }},
        {"turning", 6, "channels 0 with 1 and 2 with 3",
         [](const Seen& step) -> Numbers { return joined(places_of(step, 0), places_of(step, 1)); }},
        {"turning", 6, "the second “the” is now −0.5696 −0.1104 0.8684 0.2982",
         [](const Seen& step) -> Numbers { return step.row(kTurnedQ, kSecondThe); }},
        {"turning", 7, "counted from 0, is turned by position / base^(2p / head_dim)",
         [](const Seen& step) -> Numbers {
             const double base = step.state().inputs.rope_base;
             CHECK(std::abs(angle_of(step, kOneWoman, 1) - kOneWoman / std::pow(base, 2.0 / dim_of(step))) < 1e-12);
             return {0, 2};
         }},
        {"turning", 7,
         "With the base 10,000 the second pair of “woman”, at position 4, is turned by 0.04; with 500,000",
         [](const Seen& step) -> Numbers {
             const Seen usual = step.with("rope_base=10000");
             return {usual.state().inputs.rope_base, kOneWoman, angle_of(usual, kOneWoman, 1),
                     step.state().inputs.rope_base};
         }},
        {"turning", 7, "as in Llama 3, by 0.0057",
         [](const Seen& step) -> Numbers {
             CHECK(step.row(kTurnedK, kOneWoman) != step.with("rope_base=10000").row(kTurnedK, kOneWoman));
             return {3, angle_of(step, kOneWoman, 1)};
         }},

        {"fainter", 1,
         "In head 1 “portrait” looks most at itself, with 0.4162, and gives “The”, 4 tokens back, 0.1723, "
         "about as much as its neighbour “the” with 0.1724",
         [](const Seen& step) -> Numbers {
             const Numbers row = step.row(kWeights, kLastPortrait);
             CHECK(place_of_largest(row) == kLastPortrait);
             return {1, row[kLastPortrait], kLastPortrait - kCapitalThe, row[kCapitalThe], row[kNeighbour]};
         }},
        {"fainter", 2, "With 4 heads the slopes are 1/4, 1/16, 1/64 and 1/256",
         [](const Seen& step) -> Numbers {
             const int heads = step.state().inputs.num_heads;
             Numbers numbers = {static_cast<double>(heads)};
             for (int h = 0; h < heads; ++h) numbers = joined(numbers, {1, 1 / alibi_slope(h, heads)});
             return numbers;
         }},
        {"fainter", 2, "In head 1 the scaled score of “portrait” for “The” is −0.1926, and “The” is 4 tokens away",
         [](const Seen& step) -> Numbers {
             return {1, step.at(kScaled, kLastPortrait, kCapitalThe), kLastPortrait - kCapitalThe};
         }},
        {"fainter", 3, ": −1.1926",
         [](const Seen& step) -> Numbers { return {step.at(kBiased, kLastPortrait, kCapitalThe)}; }},
        {"fainter", 3, "In head 1 “The” now gets 0.0846 of “portrait”, where it had 0.1723",
         [](const Seen& step) -> Numbers {
             return {1, step.at(kWeights, kLastPortrait, kCapitalThe),
                     step.with("pos=none").at(kWeights, kLastPortrait, kCapitalThe)};
         }},
        {"fainter", 3, "Head 4 has the smallest slope and hardly notices: 0.1436, where it had 0.1447",
         [](const Seen& step) -> Numbers {
             return {4, step.at(kWeights, kLastPortrait, kCapitalThe, 4),
                     step.with("pos=none").at(kWeights, kLastPortrait, kCapitalThe, 4)};
         }},
        {"fainter", 4, "each token sees 2 keys",
         [](const Seen& step) -> Numbers { return {static_cast<double>(num_seen(step, kLastPortrait))}; }},
        {"fainter", 4, "In head 1 the biased scores of “portrait” are −0.4421 for “the” and 0.6896 for itself",
         [](const Seen& step) -> Numbers {
             return {1, step.at(kBiased, kLastPortrait, kNeighbour), step.at(kBiased, kLastPortrait, kLastPortrait)};
         }},
        {"fainter", 5, ": 0.2438",
         [](const Seen& step) -> Numbers { return {step.at(kWeights, kLastPortrait, kNeighbour)}; }},
        {"fainter", 5,
         "in a second layer “portrait” reads “the” again, which has read “painted” by then, 2 tokens back",
         [](const Seen& step) -> Numbers {
             CHECK(step.at(kWeights, kNeighbour, kPainted) > 0);
             return {static_cast<double>(kLastPortrait - farthest_read(step, kLastPortrait, 2))};
         }},
        {"fainter", 5, "L layers with windows of W keys reach L · (W − 1) tokens back, so “The” needs 4 layers",
         [](const Seen& step) -> Numbers {
             const int window = step.state().inputs.mask_window;
             int layers = 1;
             while (farthest_read(step, kLastPortrait, layers) != kCapitalThe) ++layers;
             CHECK(layers * (window - 1) == kLastPortrait);
             return {1, static_cast<double>(layers)};
         }},
        {"fainter", 5, "Mistral's 32 layers with windows of 4,096 reach 131,040 tokens; its paper says about 131K",
         [](const Seen&) -> Numbers { return {32, 4096, 32 * (4096 - 1), 131}; }},  // 2310.06825, section 2
        {"fainter", 6,
         "Here, without a bias, 1 stays: “portrait” sees “The” again and gives it 0.2264, the window 0.2265 and 0.5471",
         [](const Seen& step) -> Numbers {
             CHECK(num_seen(step, kLastPortrait) == 3);
             const Numbers row = step.row(kWeights, kLastPortrait);
             return {static_cast<double>(step.state().inputs.mask_sinks), row[kCapitalThe], row[kNeighbour],
                     row[kLastPortrait]};
         }},
        {"fainter", 7, "Here it is still 0",
         [](const Seen& step) -> Numbers {
             const Vector& logits = step.evaluation().problem->projections->sink_logits;
             CHECK(std::ranges::all_of(logits, [](float logit) { return logit == 0; }));
             return {static_cast<double>(logits(0))};
         }},
        {"fainter", 7,
         "In head 1 the largest score of “portrait” is 0.6896, the sink's exponential is 0.5018, and the row's "
         "exponentials, with it, add up to 2.9042",
         [](const Seen& step) -> Numbers {
             const Numbers row = step.row(TensorId::masked_scores, kLastPortrait);
             const double largest = largest_of(row), sink = std::exp(0 - largest);
             double sum = sink;
             for (const double score : row) sum += std::exp(score - largest);
             return {1, largest, sink, sum};
         }},
        {"fainter", 8, ": 0.1728.\nNow “The” gets 0.1425 of “portrait”, where it had 0.1723",
         [](const Seen& step) -> Numbers {
             return {step.at(TensorId::sink_weights, kLastPortrait, 0), step.at(kWeights, kLastPortrait, kCapitalThe),
                     step.with("sink_logits=0").at(kWeights, kLastPortrait, kCapitalThe)};
         }},
    };
}

}  // namespace attn::test
