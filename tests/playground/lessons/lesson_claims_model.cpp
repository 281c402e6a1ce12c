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
constexpr int kFirstB = 5, kSecondN = 10;

// The layer that the step shows, from 1.
double layer_of_step(const Seen& step) {
    return step.state().inputs.layer + 1.0;
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
        {"learned", 5, "at “with”, two tokens back",
         [](const Seen& step) -> Numbers {
             const int place = strongest_key(step.with("step=4"), kBrushAt, 8);
             CHECK(step.evaluation().tokens.tokens.at(static_cast<std::size_t>(place)).text == "with");
             return {static_cast<double>(kBrushAt - place)};
         }},
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
        {"votes", 4, "At which word does head 7", [](const Seen&) -> Numbers { return {7}; }},
        {"votes", 4, "Where head 7 looks",
         [](const Seen& step) -> Numbers { return {step.state().view.head.value() + 1.0}; }},
        {"votes", 4, "These are the weights of head 7", [](const Seen&) -> Numbers { return {7}; }},
        {"votes", 5, "So head 7 votes for “woman” without looking at her. Head 1 votes for “artist”",
         [](const Seen& step) -> Numbers {
             CHECK(step.at(kWeights, kLastThe, kWomanAt, 7) < 0.01);
             const SeenModel model(step);
             CHECK(model.vote("artist", 2, 1) > 0.5);
             CHECK(model.vote("woman", 2, 1) < 0);
             return {7, 1};
         }},
        {"votes", 5, "Where head 1 looks",
         [](const Seen& step) -> Numbers { return {step.state().view.head.value() + 1.0}; }},
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
        {"off", 5, "Head 5 of layer 1 hardly votes, and yet one reading hangs on it",
         [](const Seen& step) -> Numbers {
             CHECK(std::abs(SeenModel(step).vote("artist", 1, 5)) < 0.2);
             CHECK(SeenModel(step.with("off=1:5")).probability("artist") < 0.01);
             return {step.state().view.head.value() + 1.0, layer_of_step(step)};
         }},
        {"off", 5, "At which word does head 5", [](const Seen&) -> Numbers { return {5}; }},
        {"off", 6, "Three heads in order", [](const Seen&) -> Numbers { return {3}; }},
        {"off", 6,
         "Three heads of layer 2 vote differently: head 7 for “woman”, head 1 for “artist” and against “woman”, head 2 "
         "for both alike. One",
         [](const Seen& step) -> Numbers {
             const SeenModel model(step);
             CHECK(model.vote("woman", 2, 7) > model.vote("artist", 2, 7) + 1);
             CHECK(model.vote("woman", 2, 1) < 0);
             CHECK(model.vote("artist", 2, 1) > 0.5);
             CHECK(std::abs(model.vote("woman", 2, 2) - model.vote("artist", 2, 2)) < 0.1);
             return {3, layer_of_step(step), 7, 1, 2};
         }},
        {"off", 7, "without head 7, without head 2, without head 1", [](const Seen&) -> Numbers { return {7, 2, 1}; }},
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
        {"copying", 2, "These are the weights of head 8 of layer 2",
         [](const Seen& step) -> Numbers { return {step.state().view.head.value() + 1.0, layer_of_step(step)}; }},
        {"copying", 3, "A head of layer 1", [](const Seen& step) -> Numbers { return {layer_of_step(step)}; }},
        {"copying", 4, ": head 8", [](const Seen&) -> Numbers { return {8}; }},
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
         "Head 8 of layer 1 alone: from the last “the” it gives the “?” before it 0.9844. Head 3 gives it 0.9971; the "
         "other six look elsewhere",
         [](const Seen& step) -> Numbers {
             CHECK(strongest_keys(step, kLastThe).count(kQuestionAt) == 3);  // head 1 gives it less than half
             CHECK(step.at(kWeights, kLastThe, kQuestionAt, 1) < 0.5);
             return {8,
                     layer_of_step(step),
                     step.at(kWeights, kLastThe, kQuestionAt, 8),
                     3,
                     step.at(kWeights, kLastThe, kQuestionAt, 3),
                     6};
         }},
        {"layers", 3, "A head of layer 2", [](const Seen& step) -> Numbers { return {layer_of_step(step)}; }},
        {"layers", 3, "At which word does head 4 of layer 2",
         [](const Seen& step) -> Numbers { return {step.state().view.head.value() + 1.0, layer_of_step(step)}; }},
        {"layers", 3, "in which layer 1 has written. This is head 4",
         [](const Seen& step) -> Numbers { return {1, step.state().view.head.value() + 1.0}; }},
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
        {"bertviz", 2, "Head 3 alone: its thickest line leads from “brush” to “artist”",
         [](const Seen& step) -> Numbers {
             CHECK(place_of_largest(step.with("view=matrix").row(kWeights, kBrushAt, 3)) == kArtistAt);
             return {step.state().view.head.value() + 1.0};
         }},
        {"bertviz", 2, "switch head 3 off", [](const Seen&) -> Numbers { return {3}; }},
        {"bertviz", 3, "The thickest line of head 5 leads from “brush” to “woman”. Now head 3 is on again, and head 5",
         [](const Seen& step) -> Numbers {
             CHECK(place_of_largest(step.with("view=matrix").row(kWeights, kBrushAt, 5)) == kWomanAt);
             return {step.state().view.head.value() + 1.0, 3, 5};
         }},
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
