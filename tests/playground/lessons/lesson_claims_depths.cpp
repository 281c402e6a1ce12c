// What the lesson about the logit lens claims.
#include <algorithm>
#include <cmath>

#include "core/ground/check.h"
#include "playground/lessons/seen_model.h"
#include "views/lens/shown_lens.h"

namespace attn::test {
namespace {

// What view=lens shows of a step: all positions at all depths.
class SeenLens {
public:
    explicit SeenLens(const Seen& step) : text_(model_text(step.state().inputs, 0).value()) {
        const int count = text_.input.num_tokens();
        work_.emplace(text_.run, 0, count, count - 1, std::nullopt);
    }
    // Of the word after so many layers at a position.
    LensCell cell(int layer, int position, std::string_view word) {
        work_->look_at(position, token_of_word(text_.tokenizer.get(), word).value());
        while (!work_->advance(1'000'000)) continue;
        return *work_->cell(layer, position);
    }
    double probability(int layer, int position, std::string_view word) {
        return static_cast<double>(cell(layer, position, word).chosen->word.probability);
    }
    int rank(int layer, int position, std::string_view word) { return cell(layer, position, word).chosen->rank; }
    int num_tokens() const { return text_.input.num_tokens(); }
    const Model& model() const { return *text_.model; }

private:
    ModelText text_;
    std::optional<LensWork> work_;
};

constexpr int kAskedThe = 18, kAskedBrush = 16, kAskedTo = 10;
constexpr int kLensChannel = 35;

// A row less its mean, over its standard deviation.
Numbers normed_by_itself(const Numbers& row) {
    double mean = 0, square = 0;
    for (const double number : row) mean += number / static_cast<double>(row.size());
    for (const double number : row) square += (number - mean) * (number - mean) / static_cast<double>(row.size());
    Numbers all;
    for (const double number : row) all.push_back((number - mean) / std::sqrt(square + 1e-5));
    return all;
}

}  // namespace

std::vector<Claim> claims_of_the_depths() {
    return {
        {"depths", 1, "“woman” with 0.5998, “artist” with 0.3924",
         [](const Seen& step) -> Numbers {
             const SeenModel model(step);
             CHECK(model.most_probable() == "woman");
             return {model.probability("woman"), model.probability("artist")};
         }},
        {"depths", 1, "make these logits of the stream after layer 2. The logit lens asks the same two",
         [](const Seen& step) -> Numbers {
             const int num_layers = SeenLens(step).model().config.num_layers;
             // They are the lens after the last layer, to the last bit.
             CHECK(SeenLens(step).probability(num_layers, kAskedThe, "woman") == SeenModel(step).probability("woman"));
             return {static_cast<double>(num_layers), 2};
         }},
        {"depths", 1, "give before layer 1", [](const Seen&) -> Numbers { return {1}; }},
        {"depths", 2, "before layer 1 the lens gives each of the 19 tokens itself. Here are the rows after layer 1",
         [](const Seen& step) -> Numbers {
             SeenLens lens(step);
             CHECK(lens.model().config.ties_logits);
             for (int token = 0; token < lens.num_tokens(); ++token)
                 CHECK(lens.rank(0, token, step.evaluation().tokens.tokens[static_cast<std::size_t>(token)].text) == 1);
             return {1, static_cast<double>(lens.num_tokens()), 1};
         }},
        {"depths", 2, "the lens puts “artist” first there, “woman” fourth",
         [](const Seen& step) -> Numbers {
             CHECK(SeenLens(step).probability(0, kAskedThe, "gave") < 0.0001);
             CHECK(SeenLens(step).probability(0, kAskedThe, "the") > 0.9999);
             CHECK(SeenLens(step).rank(1, kAskedThe, "artist") == 1);
             CHECK(SeenLens(step).rank(1, kAskedThe, "woman") == 4);
             return {};
         }},
        {"depths", 2, "After layer 1 “artist” has the logit 10.500, “woman” 6.213",
         [](const Seen& step) -> Numbers {
             const LensCell artist = SeenLens(step).cell(1, kAskedThe, "artist");
             const LensCell woman = SeenLens(step).cell(1, kAskedThe, "woman");
             return {1, static_cast<double>(artist.chosen->word.logit), static_cast<double>(woman.chosen->word.logit)};
         }},
        {"depths", 3, "about 73 times",
         [](const Seen& step) -> Numbers {
             SeenLens lens(step);
             return {lens.probability(1, kAskedThe, "artist") / lens.probability(1, kAskedThe, "woman")};
         }},
        {"depths", 3, "“artist” below 0.0001 before layer 1, 0.8684 after it, and 0.3924 at the end",
         [](const Seen& step) -> Numbers {
             SeenLens lens(step);
             CHECK(lens.probability(0, kAskedThe, "artist") < 0.0001);
             CHECK(lens.rank(2, kAskedThe, "woman") == 1);
             return {0.0001, 1, lens.probability(1, kAskedThe, "artist"), lens.probability(2, kAskedThe, "artist")};
         }},
        {"depths", 4, "Two norms read one row", [](const Seen&) -> Numbers { return {2}; }},
        {"depths", 4, "Layer 2 reads the row after layer 1", [](const Seen&) -> Numbers { return {2, 1}; }},
        {"depths", 4,
         "In channel 35 the row, less its mean and over its standard deviation, is −1.8302; the lens makes −2.8649 of "
         "it",
         [](const Seen& step) -> Numbers {
             const Numbers row =
                 normed_by_itself(step.with("stage=before&check=&hide=").row(TensorId::before, kAskedThe));
             const std::optional<ModelText> text = model_text(step.state().inputs, 0);
             RowLogits whole(text->run, kAskedThe);
             while (!whole.advance(1'000'000)) continue;
             const Matrix read = text->run->lens_row(1, kAskedThe);
             return {kLensChannel, row[kLensChannel], static_cast<double>(read(0, kLensChannel))};
         }},
        {"depths", 4, "Layer 2's norm has the weight 0.6772 and the bias 0.4170: what does layer 2 read",
         [](const Seen& step) -> Numbers {
             // Two rows of one norm tell its weight and its bias.
             const auto lensed_at = [&](int token) {
                 return normed_by_itself(step.with("stage=before").row(TensorId::before, token))[kLensChannel];
             };
             const double x = lensed_at(kAskedThe), y = lensed_at(kAskedBrush);
             const double a = step.at(kX, kAskedThe, kLensChannel), b = step.at(kX, kAskedBrush, kLensChannel);
             const double weight = (a - b) / (x - y);
             return {2, weight, a - weight * x, 2};
         }},
        {"depths", 5, "−0.8225",
         [](const Seen& step) -> Numbers { return {step.with("step=4").at(kX, kAskedThe, kLensChannel)}; }},
        {"depths", 5, "After layer 1 the lens says “gave” at five tokens, here with 0.9998",
         [](const Seen& step) -> Numbers {
             SeenLens lens(step);
             double count = 0;
             for (int token = 0; token < lens.num_tokens(); ++token) count += lens.rank(1, token, "gave") == 1 ? 1 : 0;
             return {1, count, lens.probability(1, kAskedBrush, "gave")};
         }},
        {"depths", 5, "none of the text's tokens has it above 0.0001",
         [](const Seen& step) -> Numbers {
             SeenLens lens(step);
             for (int token = 0; token < lens.num_tokens(); ++token) CHECK(lens.probability(2, token, "gave") < 0.0001);
             return {0.0001};
         }},
        {"depths", 5, "numbers meant for layer 2", [](const Seen&) -> Numbers { return {2}; }},
        {"depths", 6, "If “artist” after layer 1", [](const Seen&) -> Numbers { return {1}; }},
        {"depths", 6, "the model says “woman” with 0.9986",
         [](const Seen& step) -> Numbers { return {SeenModel(step).probability("woman")}; }},
        {"depths", 6, "the most after layer 1", [](const Seen&) -> Numbers { return {1}; }},
        {"depths", 7, "“artist” 0.2972 after layer 1, and he ends at 0.0001",
         [](const Seen& step) -> Numbers {
             CHECK(SeenLens(step).probability(1, kAskedThe, "hat") < 0.0001);
             return {SeenLens(step).probability(1, kAskedThe, "artist"), 1, SeenModel(step).probability("artist")};
         }},
        {"depths", 7, "it gives him 0.1420, and he ends at 0.9980",
         [](const Seen& step) -> Numbers {
             const Seen palette = step.with(
                 "text=the+artist+painted+the+portrait+of+a+woman+with+a+palette+.+who+has+the+palette+%3F+the");
             return {SeenLens(palette).probability(1, kAskedThe, "artist"), SeenModel(palette).probability("artist")};
         }},
        {"depths", 7, "The heads of layer 2 bring that: without them “woman” keeps 0.0001 of her 0.9986",
         [](const Seen& step) -> Numbers {
             return {2, SeenModel(step.with("off=2:*")).probability("woman"), SeenModel(step).probability("woman")};
         }},
        {"depths", 8, "all heads of layer 2 are off. After layer 1 the lens gives “mira” only 0.4664",
         [](const Seen& step) -> Numbers { return {2, 1, SeenLens(step).probability(1, kAskedTo, "mira")}; }},
        {"depths", 8, "at the end she has 0.9999: the MLP of layer 2",
         [](const Seen& step) -> Numbers { return {SeenModel(step).probability("mira"), 2}; }},
    };
}

}  // namespace attn::test
