// What the lessons about a trained model claim: learned, votes, off, copying, layers, bertviz.
#include <cmath>
#include <set>

#include "core/ground/check.h"
#include "playground/lessons/seen_model.h"

namespace attn::test {
namespace {

// "<s> the artist painted the portrait of a woman with a brush . who has the brush ? the"
constexpr int kArtistAt = 2, kWomanAt = 8, kBrushAt = 11, kTheAskedFor = 15, kQuestionAt = 17, kLastThe = 18;
// "<s> k w f n b v k w f n"
constexpr int kFirstB = 5, kSecondF = 9, kSecondN = 10;

double head_dim_of_model(const Seen& step) {
    return step.evaluation().sizes.head_dim();
}

// The layer that the step shows, from 1.
double layer_of_step(const Seen& step) {
    return step.state().inputs.layer + 1.0;
}

double at_cell(const Seen& step, TensorId stage) {
    const Cell cell = step.state().view.cell.value();
    CHECK(step.state().view.check == std::set<TensorId>{step.state().view.stage});  // the number that is asked for
    return step.at(stage, cell.row, cell.column, cell.head + 1);
}

// A scaled score that is the largest of its row, as the text says, and the row's exponentials, each divided by the
// largest: their sum, of which the weight is the inverse.
Numbers largest_and_sum(const Seen& step) {
    const Cell cell = step.state().view.cell.value();
    const Numbers scores = step.row(kScaled, cell.row, cell.head + 1);
    const double largest = at_cell(step, kScaled);
    double sum = 0;
    for (int k = 0; k <= cell.row; ++k) {
        const double score = scores[static_cast<std::size_t>(k)];
        CHECK(score <= largest);
        sum += std::exp(score - largest);
    }
    CHECK(std::abs(1 / sum - at_cell(step, kWeights)) < 1e-5);
    return {largest, sum};
}

// The weight that the step before asked for.
double asked_before(const Seen& step, int before) {
    return at_cell(step.with(concat("step=", before)), kWeights);
}

int strongest_key(const Seen& step, int row, int head) {
    return place_of_largest(step.row(kWeights, row, head));
}

// At which key each head looks most.
std::multiset<int> strongest_keys(const Seen& step, int row) {
    std::multiset<int> keys;
    for (int head = 1; head <= step.evaluation().sizes.num_heads; ++head) keys.insert(strongest_key(step, row, head));
    return keys;
}

std::size_t num_strongest(const Seen& step, int row) {
    const std::multiset<int> keys = strongest_keys(step, row);
    return std::set<int>(keys.begin(), keys.end()).size();
}

}  // namespace

std::vector<Claim> claims_of_a_model() {
    return {
        {"learned", 1, "Both heads",
         [](const Seen& step) -> Numbers {
             CHECK(step.state().inputs.model.empty());
             CHECK(step.evaluation().sizes.num_heads == 2);
             return {};
         }},
        {"learned", 2, "This model has 2 layers of 8 heads, 110,336 numbers in all",
         [](const Seen& step) -> Numbers {
             const SeenModel model(step);
             return {static_cast<double>(model.picture().layers.size()),
                     static_cast<double>(model.picture().layers[0].heads.size()),
                     static_cast<double>(model.picture().num_parameters)};
         }},
        {"learned", 2, "The framed head looks at the token before",
         [](const Seen& step) -> Numbers {
             const SeenModel model(step);
             CHECK(model.head(1, 8).scores.at(0).role == HeadRole::token_before);
             CHECK(step.state().inputs.layer == 0);
             CHECK(step.state().view.head == 7);
             return {};
         }},
        {"learned", 3, "the key of the “f” before it gives the score 16.0319. It is divided by the square root of 8",
         [](const Seen& step) -> Numbers {
             return {step.at(kScores, kSecondN, kSecondF, 8), head_dim_of_model(step)};
         }},
        {"learned", 4,
         ": 5.6681.\nThis score is the largest of its row, so its exponential inside the softmax, which takes that "
         "largest score off first, is 1. The row's "
         "exponentials together give 1.1153",
         [](const Seen& step) -> Numbers {
             const Numbers both = largest_and_sum(step);
             return {both[0], 1, both[1]};
         }},
        {"learned", 5, ": 0.8966.\nThat is nearly all of its attention",
         [](const Seen& step) -> Numbers { return {asked_before(step, 4)}; }},
        {"learned", 5, "X of layer 2 is no longer the words' own vectors: it is the residual stream, in which layer 1",
         [](const Seen& step) -> Numbers {
             const Seen below = step.with("layer=1");
             CHECK(step.row(kX, kBrushAt) != below.row(kX, kBrushAt));
             return {layer_of_step(step), layer_of_step(below)};
         }},

        {"votes", 1, "The model keeps both readings: woman 0.5998, artist 0.3924",
         [](const Seen& step) -> Numbers {
             const SeenModel model(step);
             return {model.probability("woman"), model.probability("artist")};
         }},
        {"votes", 1, "head 7 of layer 2 adds 3.575 to its logit, head 1 takes 0.189 away",
         [](const Seen& step) -> Numbers {
             const SeenModel model(step);
             return {7, 2, model.vote("woman", 2, 7), 1, -model.vote("woman", 2, 1)};
         }},
        {"votes", 2, "head 1 adds 1.044, head 7 only 0.300",
         [](const Seen& step) -> Numbers {
             const SeenModel model(step);
             return {1, model.vote("artist", 2, 1), 7, model.vote("artist", 2, 7)};
         }},
        {"votes", 2, "Two heads, two readings",
         [](const Seen& step) -> Numbers {
             const SeenModel model(step);
             std::set<int> for_artist, for_woman;  // by at least one, as the recipe wants it
             for (int layer = 1; layer <= 2; ++layer) {
                 for (int head = 1; head <= 8; ++head) {
                     const double more = model.vote("artist", layer, head) - model.vote("woman", layer, head);
                     if (more >= 1) for_artist.insert(10 * layer + head);
                     if (more <= -1) for_woman.insert(10 * layer + head);
                 }
             }
             CHECK(for_artist == std::set<int>{21});
             CHECK(for_woman == std::set<int>{27});
             return {2, 2};
         }},
        {"votes", 2, "layer 1's MLP has a say, too: 4.392 for “artist”, 2.439 for “woman”",
         [](const Seen& step) -> Numbers {
             const SeenModel model(step);
             return {1, model.vote_of_mlp("artist", 1), model.vote_of_mlp("woman", 1)};
         }},
        {"votes", 3, "it gives 11.678, to the last digit",
         [](const Seen& step) -> Numbers {
             const VoteColumn column = SeenModel(step).column("artist");
             std::int64_t sum = column.rounding;
             for (const VoteLine& line : column.lines) sum += line.thousandths;
             CHECK(sum == column.logit);
             return {static_cast<double>(sum) / 1000};
         }},
        {"votes", 4, "Where head 7 looks",
         [](const Seen& step) -> Numbers { return {step.state().view.cell.value().head + 1.0}; }},
        {"votes", 4,
         "At the last “the” head 7 looks at the first “brush”: the score is 21.6332, and the square root of 8",
         [](const Seen& step) -> Numbers {
             CHECK(strongest_key(step, kLastThe, 7) == kBrushAt);
             return {7, step.at(kScores, kLastThe, kBrushAt, 7), head_dim_of_model(step)};
         }},
        {"votes", 5,
         ": 7.6485.\nThis score is the largest of its row. The exponentials, each divided by the largest, sum to "
         "1.0044",
         largest_and_sum},
        {"votes", 6, ": 0.9956", [](const Seen& step) -> Numbers { return {asked_before(step, 5)}; }},
        {"votes", 6, "“woman” has 0.9986. Head 7, which looks at the thing, adds 5.456",
         [](const Seen& step) -> Numbers {
             const SeenModel model(step);
             CHECK(strongest_key(step, kLastThe, 7) == kBrushAt);  // there stands the hat
             return {model.probability("woman"), 7, model.vote("woman", 2, 7)};
         }},
        {"votes", 7, "“artist” has 0.9980. Head 1 looks at both persons and adds 1.392",
         [](const Seen& step) -> Numbers {
             const SeenModel model(step);
             const Numbers weights = step.row(kWeights, kLastThe, 1);
             CHECK(weights[kArtistAt] > 0.4);
             CHECK(weights[kWomanAt] > 0.4);
             return {model.probability("artist"), 1, model.vote("artist", 2, 1)};
         }},
        {"votes", 7, "with the hat it looked at a “the” and took 0.297 away",
         [](const Seen& step) -> Numbers {
             const Seen hat = step.with("step=6");
             CHECK(strongest_key(hat, kLastThe, 1) == kTheAskedFor);
             return {-SeenModel(hat).vote("artist", 2, 1)};
         }},

        {"off", 1, "Head 7 of layer 2 adds 3.575 to the logit of “woman”. A head that is switched off hands on 0",
         [](const Seen& step) -> Numbers {
             const SeenModel model(step), without(step.with("off=2:7"));
             CHECK(model.most_probable() == "woman");
             CHECK(step.state().view.head == 0);  // of head 7 the view would tell what comes without it
             const double handed_on = without.vote("woman", 2, 7);
             return {7, 2, model.vote("woman", 2, 7), handed_on};
         }},
        {"off", 2, "Without head 7",
         [](const Seen& step) -> Numbers { return {step.state().inputs.off.at(0).head + 1.0}; }},
        {"off", 2, "“artist”, with 0.8843.\n“woman” has only 0.0515",
         [](const Seen& step) -> Numbers {
             const SeenModel model(step);
             CHECK(model.most_probable() == "artist");
             return {model.probability("artist"), model.probability("woman")};
         }},
        {"off", 3, "Without head 1",
         [](const Seen& step) -> Numbers { return {step.state().inputs.off.at(0).head + 1.0}; }},
        {"off", 3, "without head 1 “woman” has 0.8560, and “artist” keeps 0.1377",
         [](const Seen& step) -> Numbers {
             const SeenModel model(step);
             CHECK(step.state().inputs.off == std::vector<HeadOff>{{1, 0}});
             return {1, model.probability("woman"), model.probability("artist")};
         }},
        {"off", 4, "Head 5 of layer 1 voted against “artist” with −0.138",
         [](const Seen& step) -> Numbers {
             CHECK(step.state().inputs.off == std::vector<HeadOff>{{0, 4}});
             return {5, layer_of_step(step), SeenModel(step.with("off=")).vote("artist", 1, 5)};
         }},
        {"off", 4, "without it “woman” has 0.9942",
         [](const Seen& step) -> Numbers { return {SeenModel(step).probability("woman")}; }},
        {"off", 4, "layer 1's MLP now adds 1.918 to “artist” instead of 4.392",
         [](const Seen& step) -> Numbers {
             return {1, SeenModel(step).vote_of_mlp("artist", 1),
                     SeenModel(step.with("off=")).vote_of_mlp("artist", 1)};
         }},
        {"off", 5, "head 5 looks at “artist”. Its score there is 15.0953, divided by the square root of 8",
         [](const Seen& step) -> Numbers {
             CHECK(strongest_key(step, kLastThe, 5) == kArtistAt);
             return {5, step.at(kScores, kLastThe, kArtistAt, 5), head_dim_of_model(step)};
         }},
        {"off", 6,
         ": 5.3370.\nThis score is the largest of its row; the exponentials, each divided by the largest, sum to "
         "1.0602",
         largest_and_sum},
        {"off", 7, ": 0.9432", [](const Seen& step) -> Numbers { return {asked_before(step, 6)}; }},
        {"off", 7, "Head 2 of layer 2 voted for “artist” with 1.554, and without it he has 0.4111 instead of 0.3924",
         [](const Seen& step) -> Numbers {
             const SeenModel without(step), model(step.with("off="));
             CHECK(step.state().inputs.off == std::vector<HeadOff>{{1, 1}});
             return {2, 2, model.vote("artist", 2, 2), without.probability("artist"), model.probability("artist")};
         }},
        {"off", 7, "it had added 1.591 to “woman”",
         [](const Seen& step) -> Numbers { return {SeenModel(step.with("off=")).vote("woman", 2, 2)}; }},

        {"copying", 1, "Six letters",
         [](const Seen& step) -> Numbers {
             const std::vector<std::string> words = SeenModel(step).picture().words;
             for (std::size_t k = 1; k <= 4; ++k) CHECK(words.at(k) == words.at(k + 6));  // and what was copied
             return {6};
         }},
        {"copying", 1, "copies of 3, 4, 5, 7, 8 and 9 letters, but none of 6",  // models/first-words/card.json
         [](const Seen&) -> Numbers { return {3, 4, 5, 7, 8, 9, 6}; }},
        {"copying", 1, "The model says “b” with 0.9998",
         [](const Seen& step) -> Numbers {
             const SeenModel model(step);
             CHECK(model.most_probable() == "b");
             return {model.probability("b")};
         }},
        {"copying", 2,
         "Head 8 looks neither at itself nor at the first “n”, but at the “b” behind it: the score is 21.1398. "
         "Type it divided by the square root of 8",
         [](const Seen& step) -> Numbers {
             CHECK(strongest_key(step, kSecondN, 8) == kFirstB);
             return {8, step.at(kScores, kSecondN, kFirstB, 8), head_dim_of_model(step)};
         }},
        {"copying", 3,
         ": 7.4740.\nThis score is the largest of its row; the exponentials, each divided by the largest, sum to "
         "1.0231",
         largest_and_sum},
        {"copying", 4, ": 0.9774", [](const Seen& step) -> Numbers { return {asked_before(step, 3)}; }},
        {"copying", 4, "Head 8 of layer 1 looks at the token before",
         [](const Seen& step) -> Numbers {
             CHECK(SeenModel(step).head(1, 8).scores.at(0).role == HeadRole::token_before);
             return {8, 1};
         }},
        {"copying", 4, "Two layers are needed",
         [](const Seen& step) -> Numbers { return {static_cast<double>(SeenModel(step).picture().layers.size())}; }},
        {"copying", 5, "With that head off “k” has 0.9866",
         [](const Seen& step) -> Numbers {
             const SeenModel model(step);
             CHECK(step.state().inputs.off == std::vector<HeadOff>{{0, 7}});
             CHECK(model.most_probable() == "k");
             return {model.probability("k")};
         }},
        {"copying", 5, "head 8 of layer 2 no longer finds the “b”",
         [](const Seen& step) -> Numbers {
             CHECK(step.with("layer=2").at(kWeights, kSecondN, kFirstB, 8) < 0.2);
             return {8, 2};
         }},
        {"copying", 5, "in k f p q t w k f p q the “t” keeps 0.7620",
         [](const Seen& step) -> Numbers {
             return {SeenModel(step.with("text=k+f+p+q+t+w+k+f+p+q")).probability("t")};
         }},
        {"copying", 6, "Two that look alike", [](const Seen&) -> Numbers { return {2}; }},
        {"copying", 6, "Head 3 of layer 2 looks at the “b”, too, with 0.9670",
         [](const Seen& step) -> Numbers {
             CHECK(step.state().inputs.off == std::vector<HeadOff>{{1, 2}});
             return {3, layer_of_step(step), step.at(kWeights, kSecondN, kFirstB, 3)};
         }},
        {"copying", 6, "Without it “b” has 0.9995",
         [](const Seen& step) -> Numbers { return {SeenModel(step).probability("b")}; }},
        {"copying", 6, "without head 8 “u” comes first, with 0.2707",
         [](const Seen& step) -> Numbers {
             const SeenModel model(step.with("off=2:8"));
             CHECK(model.most_probable() == "u");
             return {8, model.probability("u")};
         }},

        {"layers", 1, "All heads of layer 1", [](const Seen& step) -> Numbers { return {layer_of_step(step)}; }},
        {"layers", 2, "A head of layer 1", [](const Seen& step) -> Numbers { return {layer_of_step(step)}; }},
        {"layers", 2,
         "Head 8 of layer 1 at the last “the”: its score with the “?” before it is 29.0860, divided by the square "
         "root of 8",
         [](const Seen& step) -> Numbers {
             CHECK(strongest_key(step, kLastThe, 8) == kQuestionAt);
             return {8, layer_of_step(step), step.at(kScores, kLastThe, kQuestionAt, 8), head_dim_of_model(step)};
         }},
        {"layers", 3, "A head of layer 2", [](const Seen& step) -> Numbers { return {layer_of_step(step)}; }},
        {"layers", 3, ": 10.2834", [](const Seen& step) -> Numbers { return {at_cell(step.with("step=2"), kScaled)}; }},
        {"layers", 3, "head 4 of layer 2 at the first “brush”",
         [](const Seen& step) -> Numbers {
             CHECK(strongest_key(step, kLastThe, 4) == kBrushAt);
             return {4, layer_of_step(step)};
         }},
        {"layers", 3, "sum to 1.0063", [](const Seen& step) -> Numbers { return {largest_and_sum(step)[1]}; }},
        {"layers", 4, ": 0.9937", [](const Seen& step) -> Numbers { return {asked_before(step, 3)}; }},
        {"layers", 5, "Here the stream grows longer from layer to layer",
         [](const Seen& step) -> Numbers {
             const SeenModel model(step);
             const std::vector<std::vector<double>>& lengths = model.picture().lengths;
             for (std::size_t layer = 1; layer < lengths.size(); ++layer) {
                 for (std::size_t i = 1; i < lengths[layer].size(); ++i) {  // after "<s>"
                     CAPTURE(layer, i);
                     CHECK(lengths[layer][i] > lengths[layer - 1][i]);
                 }
             }
             return {};
         }},

        {"bertviz", 1, "Layer 1", [](const Seen& step) -> Numbers { return {layer_of_step(step)}; }},
        {"bertviz", 1, "its heads in layer 1 look at different words",
         [](const Seen& step) -> Numbers {
             CHECK(step.state().view.select == std::set<int>{kBrushAt});
             CHECK(num_strongest(step, kBrushAt) > 2);
             return {layer_of_step(step)};
         }},
        {"bertviz", 1, "head 4 at “woman”, head 3 at “artist”",
         [](const Seen& step) -> Numbers {
             CHECK(strongest_key(step, kBrushAt, 4) == kWomanAt);
             CHECK(strongest_key(step, kBrushAt, 3) == kArtistAt);
             return {4, 3};
         }},
        {"bertviz", 2, "Head 3 gives “artist” the score 11.2886; type it divided by the square root of 8",
         [](const Seen& step) -> Numbers {
             return {3, step.at(kScores, kBrushAt, kArtistAt, 3), head_dim_of_model(step)};
         }},
        {"bertviz", 3,
         ": 3.9911.\nThis score is the largest of its row; the exponentials, each divided by the largest, sum to "
         "1.4665",
         largest_and_sum},
        {"bertviz", 4, ": 0.6819", [](const Seen& step) -> Numbers { return {asked_before(step, 3)}; }},
        {"bertviz", 4, "without head 3 “artist” has 0.1993 instead of 0.3924",
         [](const Seen& step) -> Numbers {
             CHECK(step.state().inputs.off == std::vector<HeadOff>{{0, 2}});
             return {3, SeenModel(step).probability("artist"), SeenModel(step.with("off=")).probability("artist")};
         }},
        {"bertviz", 4, "without head 4 “woman” has 0.4554 instead of 0.5998",
         [](const Seen& step) -> Numbers {
             return {4, SeenModel(step.with("off=1:4")).probability("woman"),
                     SeenModel(step.with("off=")).probability("woman")};
         }},
        {"bertviz", 4,
         "These two help the word they looked at. That is no rule: head 5 looks most at “woman”, and without "
         "it “woman” has 0.9942",
         [](const Seen& step) -> Numbers {
             const Seen maps = step.with("step=1&view=matrix");
             CHECK(place_of_largest(maps.row(kWeights, kBrushAt, 5)) == kWomanAt);
             const SeenModel without(step.with("off=1:5"));
             CHECK(without.probability("artist") < 0.001);
             return {2, 5, without.probability("woman")};
         }},
        {"bertviz", 5, "Layer 2", [](const Seen& step) -> Numbers { return {layer_of_step(step)}; }},
        {"bertviz", 5, "four heads look most at the first “brush”, head 1 at “artist” and “woman”",
         [](const Seen& step) -> Numbers {
             const Numbers weights = step.row(kWeights, kLastThe, 1);
             CHECK(weights[kArtistAt] + weights[kWomanAt] > 0.8);
             return {static_cast<double>(strongest_keys(step, kLastThe).count(kBrushAt)), 1};
         }},
    };
}

}  // namespace attn::test
