// What the lesson about the way from a context to the next word claims.
#include <algorithm>
#include <cmath>

#include "core/ground/check.h"
#include "playground/lessons/seen_model.h"

namespace attn::test {
namespace {

constexpr int kLastOfPainted = 4;  // "<s> the artist painted the"
constexpr int kBiasChannel = 61, kNormedChannel = 21;

double logit_after(const Seen& step, std::string_view word) {
    const ModelText text = model_text(step.state().inputs, 0).value();
    RowLogits logits(text.run, kLastOfPainted);
    while (!logits.advance(1'000'000)) continue;
    const int token = token_of_word(text.tokenizer.get(), word).value();
    return static_cast<double>(logits.logits()[static_cast<std::size_t>(token)]);
}

Numbers last_stream(const Seen& step) {
    return step.with("view=matrix&stage=after").row(TensorId::after, kLastOfPainted);
}

}  // namespace

std::vector<Claim> claims_of_the_next_word() {
    return {
        {"next-word", 1,
         "The eight heads of layer 2 leave each token a merged row of 64 numbers, eight a head. The model knows 128 "
         "words",
         [](const Seen& step) -> Numbers {
             const double num_heads = step.evaluation().sizes.num_heads;
             const double width = static_cast<double>(step.row(kMerged, kLastOfPainted).size());
             return {num_heads, 2, width, width / num_heads,
                     static_cast<double>(SeenModel(step).picture().probabilities.size())};
         }},
        {"next-word", 1, "Eight contexts",
         [](const Seen& step) -> Numbers { return {static_cast<double>(step.evaluation().sizes.num_heads)}; }},
        {"next-word", 1, "Between the two stand", [](const Seen&) -> Numbers { return {2}; }},
        {"next-word", 1, "the stream after layer 2 decides",
         [](const Seen& step) -> Numbers {
             // As it is told after the choice.
             const SeenModel patched(
                 step.with("compare=text%3Dthe%2Bchef%2Bfilmed%2Bthe%26model%3Dfirst-words&patch=mlp.2@5"));
             CHECK(patched.probability("picture") < 0.001);
             return {2};
         }},
        {"next-word", 2, "gets 64 products of merged numbers",
         [](const Seen& step) -> Numbers { return {static_cast<double>(step.row(kMerged, kLastOfPainted).size())}; }},
        {"next-word", 2,
         "in channel 61, where the stream has 3.8431, the products make −1.4799 and the bias is −0.4919. Now all heads "
         "of layer 2 are off",
         [](const Seen& step) -> Numbers {
             const double before = step.at(TensorId::before, kLastOfPainted, kBiasChannel);
             // All heads hand on 0.
             const double bias = step.at(TensorId::middle, kLastOfPainted, kBiasChannel) - before;
             const double whole = step.with("off=").at(kOutput, kLastOfPainted, kBiasChannel);
             return {kBiasChannel, before, whole - bias, bias, 2};
         }},
        {"next-word", 3, "3.3512",
         [](const Seen& step) -> Numbers {
             // transformer.h.1.attn.c_proj.bias[61], as PyTorch reads it from the file
             const Seen asked = step.with("step=2");
             return {asked.at(TensorId::before, kLastOfPainted, kBiasChannel) - 0.491943359375};
         }},
        {"next-word", 3, "layer 2 leaves 24.7333 in channel 21",
         [](const Seen& step) -> Numbers { return {2, last_stream(step)[kNormedChannel], kNormedChannel}; }},
        {"next-word", 3, "mean, −0.0045, divides by its standard deviation, 6.4470",
         [](const Seen& step) -> Numbers {
             double mean = 0, square = 0;
             const Numbers row = last_stream(step);
             for (const double number : row) mean += number / static_cast<double>(row.size());
             for (const double number : row)
                 square += (number - mean) * (number - mean) / static_cast<double>(row.size());
             return {mean, std::sqrt(square)};
         }},
        {"next-word", 3, "a learned weight, 1.4570, and adds a bias, −0.0194",
         [](const Seen& step) -> Numbers {
             // As PyTorch reads them from the file: transformer.ln_f.weight[21] and .bias[21].
             const double weight = 1.45703125, bias = -0.0194244384765625;
             const double normed = (last_stream(step)[kNormedChannel] + 0.004475419) / 6.447001848;
             const double made = step.at(TensorId::final_stream, kLastOfPainted, kNormedChannel);
             CHECK(std::abs(normed * weight + bias - made) < 1e-4);
             return {weight, bias};
         }},
        {"next-word", 4, "5.5714",
         [](const Seen& step) -> Numbers { return {step.at(TensorId::final_stream, kLastOfPainted, kNormedChannel)}; }},
        {"next-word", 4, "the sum of 64 products",
         [](const Seen& step) -> Numbers {
             return {static_cast<double>(step.row(TensorId::final_stream, kLastOfPainted).size())};
         }},
        {"next-word", 4, "all 128 logits",
         [](const Seen& step) -> Numbers {
             return {static_cast<double>(SeenModel(step).picture().probabilities.size())};
         }},
        {"next-word", 4, "the logit 13.320 and the probability 0.6606. How much has “portrait”, with 12.652",
         [](const Seen& step) -> Numbers {
             return {logit_after(step, "picture"), SeenModel(step).probability("picture"),
                     logit_after(step, "portrait")};
         }},
        {"next-word", 5, "0.3386",
         [](const Seen& step) -> Numbers {
             const double factor = std::exp(logit_after(step, "portrait") - logit_after(step, "picture"));
             return {factor * SeenModel(step).probability("picture")};
         }},
        {"next-word", 5, "the eight largest products", [](const Seen&) -> Numbers { return {8}; }},
        {"next-word", 6, "“picture” has 0.6606, “portrait” 0.3386, and the other 126 words share 0.0008",
         [](const Seen& step) -> Numbers {
             const SeenModel model(step);
             const double first = model.probability("picture"), second = model.probability("portrait");
             return {first, second, static_cast<double>(model.picture().probabilities.size()) - 2, 1 - first - second};
         }},
    };
}

}  // namespace attn::test
