// What the lessons about a trained model claim: learned, votes, off, copying, layers, bertviz.
#include <cmath>
#include <numeric>
#include <optional>
#include <set>

#include "playground/lessons/lesson_claims.h"
#include "playground/models/model_numbers.h"
#include "views/model/shown_model.h"
#include "views/model/vote_column.h"

namespace attn::test {
namespace {

// "<s> the artist painted the portrait of a woman with a brush . who has the brush ? the"
constexpr int kWithAt = 9, kBrushAt = 11, kHasAt = 14, kQuestionAt = 17, kLastThe = 18;
// "<s> k f p q t w k f p q"
constexpr int kFirstT = 5, kSecondP = 9, kSecondQ = 10;

// What view=model shows of a step, or of it with other keys.
class SeenModel {
public:
    explicit SeenModel(const Seen& step) : text_(model_text(step.state().inputs, 0).value()) {
        const HeadOff head = {.layer = step.state().inputs.layer, .head = step.state().view.head.value_or(0)};
        const int last = text_.input.num_tokens() - 1;
        work_.emplace(*text_.model, text_.input, text_.words, last, head);
        while (!work_->advance(1'000'000)) continue;
    }
    const ModelPicture& picture() const { return work_->picture(); }
    // After the last token.
    double probability(std::string_view word) const {
        return static_cast<double>(picture().probabilities[id_of(word)]);
    }
    std::string most_probable() const { return word_of_token(text_.tokenizer.get(), picture().most_probable(1)[0]); }
    VoteColumn column(std::string_view word) const {
        return vote_column(work_->votes(static_cast<int>(id_of(word))), picture().input.off, 0).value();
    }
    // As printed: to thousandths. Layer and head from 1.
    double vote(std::string_view word, int layer, int head) const {
        for (const VoteLine& line : column(word).lines) {
            if (line.layer == layer - 1 && line.head == head - 1) return static_cast<double>(line.thousandths) / 1000;
        }
        FAIL("no such head votes");
        return 0;
    }
    const HeadPicture& head(int layer, int head) const {
        return picture().layers.at(static_cast<std::size_t>(layer - 1)).heads.at(static_cast<std::size_t>(head - 1));
    }

private:
    std::size_t id_of(std::string_view word) const {
        return static_cast<std::size_t>(token_of_word(text_.tokenizer.get(), word).value());
    }
    ModelText text_;
    std::optional<ModelPictureWork> work_;
};

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
             CHECK(model.head(1, 3).scores.at(0).role == HeadRole::token_before);
             CHECK(step.state().inputs.layer == 0);
             CHECK(step.state().view.head == 2);
             return {};
         }},
        {"learned", 3, "the key of the “p” before it gives the score 8.0639. It is divided by the square root of 8",
         [](const Seen& step) -> Numbers {
             return {step.at(kScores, kSecondQ, kSecondP, 3), head_dim_of_model(step)};
         }},
        {"learned", 4,
         "It is 2.8510, the largest of its row, so its exponential behind the softmax is 1. The row's "
         "exponentials together give 1.8450",
         [](const Seen& step) -> Numbers {
             const Numbers both = largest_and_sum(step);
             return {both[0], 1, both[1]};
         }},
        {"learned", 5, "It is 0.5420: more than half of its attention",
         [](const Seen& step) -> Numbers { return {asked_before(step, 4)}; }},
        {"learned", 5, "X of layer 2 is no longer the words' own vectors: it is the residual stream, in which layer 1",
         [](const Seen& step) -> Numbers {
             const Seen below = step.with("layer=1");
             CHECK(step.row(kX, kBrushAt) != below.row(kX, kBrushAt));
             return {layer_of_step(step), layer_of_step(below)};
         }},

        {"votes", 1, "The model keeps both readings: artist 0.5712, woman 0.4215",
         [](const Seen& step) -> Numbers {
             const SeenModel model(step);
             return {model.probability("artist"), model.probability("woman")};
         }},
        {"votes", 1, "head 7 of layer 2 adds 4.727 to its logit, head 8 takes 0.139 away",
         [](const Seen& step) -> Numbers {
             const SeenModel model(step);
             return {7, 2, model.vote("artist", 2, 7), 8, -model.vote("artist", 2, 8)};
         }},
        {"votes", 2, "head 8 adds 3.697, head 7 only 0.997",
         [](const Seen& step) -> Numbers {
             const SeenModel model(step);
             return {8, model.vote("woman", 2, 8), 7, model.vote("woman", 2, 7)};
         }},
        {"votes", 2, "Two heads hold the two readings", [](const Seen&) -> Numbers { return {2, 2}; }},
        {"votes", 2, "what the lecture says of two heads", [](const Seen&) -> Numbers { return {2}; }},
        {"votes", 3, "it gives 12.919, to the last digit",
         [](const Seen& step) -> Numbers {
             const VoteColumn column = SeenModel(step).column("artist");
             std::int64_t sum = column.rounding;
             for (const VoteLine& line : column.lines) sum += line.thousandths;
             CHECK(sum == column.logit);
             return {static_cast<double>(sum) / 1000};
         }},
        {"votes", 4, "Where head 7 looks",
         [](const Seen& step) -> Numbers { return {step.state().view.cell.value().head + 1.0}; }},
        {"votes", 4, "At the last “the” head 7 looks at “has”: the score is 34.1766, and the square root of 8",
         [](const Seen& step) -> Numbers {
             CHECK(strongest_key(step, kLastThe, 7) == kHasAt);
             return {7, step.at(kScores, kLastThe, kHasAt, 7), head_dim_of_model(step)};
         }},
        {"votes", 5,
         "It is 12.0833, the largest of its row. The exponentials, each divided by the largest, sum to "
         "1.0119",
         largest_and_sum},
        {"votes", 6, "It is 0.9883", [](const Seen& step) -> Numbers { return {asked_before(step, 5)}; }},
        {"votes", 6, "“woman” has 0.9989. Head 8 adds 4.411",
         [](const Seen& step) -> Numbers {
             const SeenModel model(step);
             return {model.probability("woman"), 8, model.vote("woman", 2, 8)};
         }},
        {"votes", 7, "“artist” has 0.9987. Head 7 adds 5.561",
         [](const Seen& step) -> Numbers {
             const SeenModel model(step);
             return {model.probability("artist"), 7, model.vote("artist", 2, 7)};
         }},

        {"off", 1, "Head 7 of layer 2 adds 4.727 to the logit of “artist”. Switch it off: it hands on 0",
         [](const Seen& step) -> Numbers {
             const SeenModel model(step), without(step.with("off=2:7"));
             CHECK(model.most_probable() == "artist");
             const double handed_on = without.vote("artist", 2, 7);
             return {7, 2, model.vote("artist", 2, 7), handed_on};
         }},
        {"off", 2, "Without head 7",
         [](const Seen& step) -> Numbers { return {step.state().inputs.off.at(0).head + 1.0}; }},
        {"off", 2, "“woman” has 0.9912",
         [](const Seen& step) -> Numbers {
             const SeenModel model(step);
             CHECK(model.most_probable() == "woman");
             return {model.probability("woman")};
         }},
        {"off", 3, "Without head 8",
         [](const Seen& step) -> Numbers { return {step.state().inputs.off.at(0).head + 1.0}; }},
        {"off", 3, "without head 8 “artist” has 0.9722 and “woman” 0.0140",
         [](const Seen& step) -> Numbers {
             const SeenModel model(step);
             return {step.state().inputs.off.at(0).head + 1.0, model.probability("artist"), model.probability("woman")};
         }},
        {"off", 4, "Head 8 looks at “with”. Its score there is 28.4690, divided by the square root of 8",
         [](const Seen& step) -> Numbers {
             CHECK(strongest_key(step, kLastThe, 8) == kWithAt);
             return {8, step.at(kScores, kLastThe, kWithAt, 8), head_dim_of_model(step)};
         }},
        {"off", 5,
         "It is 10.0653, the largest of its row; the exponentials, each divided by the largest, sum to 1.0447",
         largest_and_sum},
        {"off", 6, "It is 0.9572", [](const Seen& step) -> Numbers { return {asked_before(step, 5)}; }},
        {"off", 6, "many heads can go with little harm",
         [](const Seen& step) -> Numbers {
             const double with_all = SeenModel(step.with("off=")).probability("artist");
             int num_hardly_missed = 0;
             for (int layer = 1; layer <= 2; ++layer) {
                 for (int head = 1; head <= 8; ++head) {
                     const double without =
                         SeenModel(step.with(concat("off=", layer, ":", head))).probability("artist");
                     num_hardly_missed += std::abs(without - with_all) < 0.1 ? 1 : 0;
                 }
             }
             CAPTURE(num_hardly_missed);
             CHECK(num_hardly_missed > 8);
             return {};
         }},
        {"off", 6, "Without head 5 “artist” has 0.5620 instead of 0.5712",
         [](const Seen& step) -> Numbers {
             const SeenModel without(step), model(step.with("off="));
             return {5, without.probability("artist"), model.probability("artist")};
         }},

        {"copying", 1, "Six letters",
         [](const Seen& step) -> Numbers {
             const std::vector<std::string> words = SeenModel(step).picture().words;
             for (std::size_t k = 1; k <= 4; ++k) CHECK(words.at(k) == words.at(k + 6));  // and what was copied
             return {6};
         }},
        {"copying", 1, "The model says “t” with 0.9996",
         [](const Seen& step) -> Numbers {
             const SeenModel model(step);
             CHECK(model.most_probable() == "t");
             return {model.probability("t")};
         }},
        {"copying", 2,
         "Head 8 looks neither at itself nor at the first “q”, but at the “t” behind it: the score is 19.2171. "
         "Type it divided by the square root of 8",
         [](const Seen& step) -> Numbers {
             CHECK(strongest_key(step, kSecondQ, 8) == kFirstT);
             return {8, step.at(kScores, kSecondQ, kFirstT, 8), head_dim_of_model(step)};
         }},
        {"copying", 3,
         "It is 6.7943, the largest of its row; the exponentials, each divided by the largest, sum to 1.0186",
         largest_and_sum},
        {"copying", 4, "It is 0.9817", [](const Seen& step) -> Numbers { return {asked_before(step, 3)}; }},
        {"copying", 4, "Head 3 of layer 1 looks at the token before",
         [](const Seen& step) -> Numbers {
             CHECK(SeenModel(step).head(1, 3).scores.at(0).role == HeadRole::token_before);
             return {3, 1};
         }},
        {"copying", 4, "Two layers are needed",
         [](const Seen& step) -> Numbers { return {static_cast<double>(SeenModel(step).picture().layers.size())}; }},
        {"copying", 5, "With that head off “k” has 0.9974",
         [](const Seen& step) -> Numbers {
             const SeenModel model(step);
             CHECK(step.state().inputs.off == std::vector<HeadOff>{{0, 2}});
             CHECK(model.most_probable() == "k");
             return {model.probability("k")};
         }},
        {"copying", 6, "With head 8 off “t” still has 0.8397",
         [](const Seen& step) -> Numbers {
             return {step.state().inputs.off.at(0).head + 1.0, SeenModel(step).probability("t")};
         }},

        {"layers", 1, "All heads of layer 1", [](const Seen& step) -> Numbers { return {layer_of_step(step)}; }},
        {"layers", 2, "A head of layer 1", [](const Seen& step) -> Numbers { return {layer_of_step(step)}; }},
        {"layers", 2,
         "Head 2 of layer 1 at the last “the”: its score with the “?” before it is 28.4849, divided by the square "
         "root of 8",
         [](const Seen& step) -> Numbers {
             CHECK(strongest_key(step, kLastThe, 2) == kQuestionAt);
             return {2, layer_of_step(step), step.at(kScores, kLastThe, kQuestionAt, 2), head_dim_of_model(step)};
         }},
        {"layers", 3, "A head of layer 2", [](const Seen& step) -> Numbers { return {layer_of_step(step)}; }},
        {"layers", 3, "It is 10.0709",
         [](const Seen& step) -> Numbers { return {at_cell(step.with("step=2"), kScaled)}; }},
        {"layers", 3, "head 3 of layer 2 at “with”",
         [](const Seen& step) -> Numbers {
             CHECK(strongest_key(step, kLastThe, 3) == kWithAt);
             return {3, layer_of_step(step)};
         }},
        {"layers", 3, "sum to 1.0026", [](const Seen& step) -> Numbers { return {largest_and_sum(step)[1]}; }},
        {"layers", 4, "It is 0.9974", [](const Seen& step) -> Numbers { return {asked_before(step, 3)}; }},
        {"layers", 5, "Here it grows longer from layer to layer",
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
        {"bertviz", 2, "Layer 2", [](const Seen& step) -> Numbers { return {layer_of_step(step)}; }},
        {"bertviz", 2, "the same word looks elsewhere",
         [](const Seen& step) -> Numbers {
             const Seen below = step.with("layer=1");
             CHECK(strongest_keys(step, kBrushAt) != strongest_keys(below, kBrushAt));
             return {};
         }},
        {"bertviz", 3, "four look most at “with”, head 7 at “has”",
         [](const Seen& step) -> Numbers {
             CHECK(strongest_key(step, kLastThe, 7) == kHasAt);
             return {static_cast<double>(strongest_keys(step, kLastThe).count(kWithAt)), 7};
         }},
        {"bertviz", 4, "Head 1 gives “with” the score 18.8273; type it divided by the square root of 8",
         [](const Seen& step) -> Numbers {
             return {1, step.at(kScores, kLastThe, kWithAt, 1), head_dim_of_model(step)};
         }},
        {"bertviz", 5,
         "It is 6.6565, the largest of its row; the exponentials, each divided by the largest, sum to 1.0241",
         largest_and_sum},
        {"bertviz", 6, "It is 0.9765", [](const Seen& step) -> Numbers { return {asked_before(step, 5)}; }},
    };
}

}  // namespace attn::test
