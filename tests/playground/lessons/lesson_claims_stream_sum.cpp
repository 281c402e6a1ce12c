// What the lesson about the residual stream as a sum claims.
#include <algorithm>
#include <cmath>

#include "core/ground/check.h"
#include "playground/lessons/seen_model.h"

namespace attn::test {
namespace {

constexpr int kOpeningThe = 1, kClosingThe = 4;  // of "<s> the artist painted the"
constexpr int kOpenChannel = 7, kTakenChannel = 61;

// The last token's row of a stage of layer 2. What stands around an attention is computed where it is looked at.
Numbers summed_row(const Seen& step, TensorId stage) {
    return step.with("view=matrix&stage=after&layer=2").row(stage, kClosingThe);
}

// What a head of layer 2 adds to that row: what is missing without it.
Numbers part_of_head(const Seen& step, int head) {
    Numbers part = summed_row(step.with("off="), TensorId::middle);
    const Numbers without = summed_row(step.with(concat("off=2:", head)), TensorId::middle);
    for (std::size_t i = 0; i < part.size(); ++i) part[i] -= without[i];
    return part;
}

double along_sum(const Numbers& part, const Numbers& sum) {
    return dot_of(part, sum) / length_of(sum);
}

double logit_of_picture(const Seen& step) {
    const ModelText text = model_text(step.state().inputs, 0).value();
    RowLogits logits(text.run, kClosingThe);
    while (!logits.advance(1'000'000)) continue;
    const int token = token_of_word(text.tokenizer.get(), "picture").value();
    return static_cast<double>(logits.logits()[static_cast<std::size_t>(token)]);
}

}  // namespace

std::vector<Claim> claims_of_the_stream() {
    return {
        {"stream-sum", 1, "Two vectors at the start", [](const Seen&) -> Numbers { return {2}; }},
        {"stream-sum", 1,
         "In channel 7 the row of the first has 0.0365, of which −0.1477 is its position's; the position of the last "
         "has 0.2280",
         [](const Seen& step) -> Numbers {
             // transformer.wpe.weight[1][7] and [4][7], as PyTorch reads them from the file
             const double first = -0.147705078125, last = 0.22802734375;
             const double rows = step.at(TensorId::before, kClosingThe, kOpenChannel) -
                                 step.at(TensorId::before, kOpeningThe, kOpenChannel);
             CHECK(std::abs(rows - (last - first)) < 1e-6);
             return {kOpenChannel, step.at(TensorId::before, kOpeningThe, kOpenChannel), first, last};
         }},
        {"stream-sum", 2, "0.4122",
         [](const Seen& step) -> Numbers {
             return {step.with("step=1").at(TensorId::before, kClosingThe, kOpenChannel)};
         }},
        {"stream-sum", 2, "Before layer 2's MLP the row of the last “the” is 10.999 long",
         [](const Seen& step) -> Numbers { return {2, length_of(summed_row(step, TensorId::middle))}; }},
        {"stream-sum", 2, "The MLP adds a row that is 46.562 long",
         [](const Seen& step) -> Numbers {
             const double a = length_of(summed_row(step, TensorId::middle));
             const double b = length_of(summed_row(step, TensorId::mlp_added));
             CHECK(std::abs(a + b - 57.561) < 0.001);  // as the choices have them: their sum, their difference,
             CHECK(std::abs(b - a - 35.563) < 0.001);
             CHECK(std::abs(std::hypot(a, b) - 47.843) < 0.001);  // and at a right angle
             return {b};
         }},
        {"stream-sum", 2, "the stream after layer 2, the sum of the two rows",
         [](const Seen&) -> Numbers { return {2, 2}; }},
        {"stream-sum", 3, "between the two", [](const Seen&) -> Numbers { return {2}; }},
        {"stream-sum", 3, "the stream so far 5.943, the MLP 45.633, together 51.576",
         [](const Seen& step) -> Numbers {
             const Numbers sum = summed_row(step, TensorId::after);
             return {along_sum(summed_row(step, TensorId::middle), sum),
                     along_sum(summed_row(step, TensorId::mlp_added), sum), length_of(sum)};
         }},
        {"stream-sum", 3, "the longest part of a head is head 4's, with 2.249. It lies at −0.276",
         [](const Seen& step) -> Numbers {
             const Numbers longest = part_of_head(step, 4);
             for (int head = 1; head <= 8; ++head) {
                 if (head != 4) CHECK(length_of(part_of_head(step, head)) < length_of(longest));
             }
             return {4, length_of(longest), along_sum(longest, summed_row(step, TensorId::middle))};
         }},
        {"stream-sum", 4, "Take two parts out", [](const Seen&) -> Numbers { return {2}; }},
        {"stream-sum", 4,
         "In channel 61 the stream before the MLP has 1.8713 if all heads work, and of that head 3 of layer 2 adds "
         "−0.4067 and head 4 adds −0.4523",
         [](const Seen& step) -> Numbers {
             return {kTakenChannel,
                     step.with("off=").at(TensorId::middle, kClosingThe, kTakenChannel),
                     3,
                     2,
                     part_of_head(step, 3)[kTakenChannel],
                     4,
                     part_of_head(step, 4)[kTakenChannel]};
         }},
        {"stream-sum", 5, "2.7304",
         [](const Seen& step) -> Numbers {
             const double whole = summed_row(step, TensorId::middle)[kTakenChannel];
             return {whole - part_of_head(step, 3)[kTakenChannel] - part_of_head(step, 4)[kTakenChannel]};
         }},
        {"stream-sum", 5,
         "Without heads 3 and 4 of layer 2 channel 61 has 0.8590 more before the MLP: exactly what the two had taken "
         "off",
         [](const Seen& step) -> Numbers {
             const Seen without = step.with("off=2:3,2:4");
             return {3,
                     4,
                     2,
                     kTakenChannel,
                     summed_row(without, TensorId::middle)[kTakenChannel] -
                         summed_row(step, TensorId::middle)[kTakenChannel],
                     2};
         }},
        {"stream-sum", 5, "after the MLP the channel has 10.0912",
         [](const Seen& step) -> Numbers {
             const double added = summed_row(step, TensorId::mlp_added)[kTakenChannel];
             CHECK(std::abs(added - 8.2198) < 0.00005);  // as it is told after the choice
             return {summed_row(step, TensorId::after)[kTakenChannel]};
         }},
        {"stream-sum", 5, "the stream after layer 2 in channel 61 without heads 3 and 4",
         [](const Seen&) -> Numbers { return {2, kTakenChannel, 3, 4}; }},
        {"stream-sum", 6, "13.320. Layer 2's MLP has 11.820 of it, and head 1 of layer 1 only 0.186",
         [](const Seen& step) -> Numbers {
             const SeenModel model(step);
             return {logit_of_picture(step), 2, model.vote_of_mlp("picture", 2), 1, 1, model.vote("picture", 1, 1)};
         }},
        {"stream-sum", 6, "Switch head 1 of layer 1 off", [](const Seen&) -> Numbers { return {1, 1}; }},
        {"stream-sum", 7, "Without head 1 of layer 1 “picture” keeps 0.0010, and “girl” comes first",
         [](const Seen& step) -> Numbers {
             const SeenModel model(step);
             CHECK(model.most_probable() == "girl");
             return {1, 1, model.probability("picture")};
         }},
        {"stream-sum", 7, "That head looks at “painted”, with 0.8869",
         [](const Seen& step) -> Numbers {
             return {step.with("view=matrix").at(kWeights, kClosingThe, kClosingThe - 1, 1)};
         }},
        {"stream-sum", 7, "layer 2's MLP adds 2.329 in the place of 11.820",
         [](const Seen& step) -> Numbers {
             return {2, SeenModel(step).vote_of_mlp("picture", 2),
                     SeenModel(step.with("off=")).vote_of_mlp("picture", 2)};
         }},
    };
}

}  // namespace attn::test
