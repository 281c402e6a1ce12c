// What the lesson about a Transformer block claims.
#include <algorithm>
#include <cmath>
#include <utility>

#include "core/ground/check.h"
#include "playground/lessons/seen_model.h"

namespace attn::test {
namespace {

constexpr int kLastOfFour = 4;  // "<s> the artist painted the"
constexpr int kLowestNeuron = 41;

// How long the last token's row of a stage is. What stands around an attention is computed where it is looked at.
double length_in_block(const Seen& step, TensorId stage) {
    return length_of(step.with("view=matrix&stage=after").row(stage, kLastOfFour));
}

}  // namespace

std::vector<Claim> claims_of_a_block() {
    return {
        {"block", 1, "all stops of the last “the” in layer 1",
         [](const Seen& step) -> Numbers {
             CHECK(step.evaluation().num_tokens() == kLastOfFour + 1);
             return {step.state().inputs.layer + 1.0};
         }},
        {"block", 2, "The last “the” comes into layer 1 with 2.207, into layer 2 with 12.318",
         [](const Seen& step) -> Numbers {
             return {1, length_in_block(step, TensorId::before), 2,
                     length_in_block(step.with("layer=2"), TensorId::before)};
         }},
        {"block", 2, "How long is the normed row in layer 2", [](const Seen&) -> Numbers { return {2}; }},
        {"block", 3, "about as long as in layer 1",
         [](const Seen& step) -> Numbers {
             const double first = length_of(step.row(kX, kLastOfFour));
             CHECK(std::abs(length_of(step.with("layer=2").row(kX, kLastOfFour)) / first - 1) < 0.5);
             return {1};
         }},
        {"block", 3, "In channel 7 the stream comes in with 0.4122, and the attention's output there is −0.1337",
         [](const Seen& step) -> Numbers {
             return {7, step.at(TensorId::before, kLastOfFour, 7), step.at(kOutput, kLastOfFour, 7)};
         }},
        {"block", 4, "0.2785",
         [](const Seen& step) -> Numbers {
             return {step.at(TensorId::before, kLastOfFour, 7) + step.at(kOutput, kLastOfFour, 7)};
         }},
        {"block", 4, "Each of the MLP's 256 neurons takes a sum of 64 products",
         [](const Seen& step) -> Numbers {
             return {static_cast<double>(step.row(TensorId::mlp_sums, kLastOfFour).size()),
                     static_cast<double>(step.row(TensorId::mlp_input, kLastOfFour).size())};
         }},
        {"block", 4, "Neuron 41 has the lowest, −4.3591",
         [](const Seen& step) -> Numbers {
             const Numbers sums = step.row(TensorId::mlp_sums, kLastOfFour);
             const int lowest = place_of_smallest(sums);
             CHECK(lowest == kLowestNeuron);
             return {static_cast<double>(lowest), smallest_of(sums)};
         }},
        {"block", 5, "A second matrix turns the 256 numbers into 64 again",
         [](const Seen& step) -> Numbers {
             return {static_cast<double>(step.row(TensorId::mlp_hidden, kLastOfFour).size()),
                     static_cast<double>(step.row(TensorId::mlp_added, kLastOfFour).size())};
         }},
        {"block", 5, "In channel 11 the stream between the parts has 0.7725, and the MLP adds 3.3547",
         [](const Seen& step) -> Numbers {
             CHECK(place_of_largest(step.row(TensorId::mlp_added, kLastOfFour)) == 11);
             return {11, step.at(TensorId::middle, kLastOfFour, 11), step.at(TensorId::mlp_added, kLastOfFour, 11)};
         }},
        {"block", 6, "4.1273",
         [](const Seen& step) -> Numbers {
             const Seen sum = step.with("step=5");
             return {sum.at(TensorId::middle, kLastOfFour, 11) + sum.at(TensorId::mlp_added, kLastOfFour, 11)};
         }},
        {"block", 6, "In layer 1 the attention adds a row 3.027 long, the MLP one of 10.875",
         [](const Seen& step) -> Numbers {
             return {1, length_in_block(step, kOutput), length_in_block(step, TensorId::mlp_added)};
         }},
        {"block", 6, "after layer 1 that is “picture”", [](const Seen&) -> Numbers { return {1}; }},
        {"block", 7, "With layer 1's heads off",
         [](const Seen& step) -> Numbers {
             CHECK(step.state().inputs.off.size() == 1);  // all heads of a layer
             return {1};
         }},
        {"block", 7, "“picture” comes 43rd, below 0.0001",
         [](const Seen& step) -> Numbers {
             const SeenModel model(step);
             const double own = model.probability("picture");
             CHECK(own < 0.0001);
             const std::vector<float>& all = model.picture().probabilities;
             const auto above = std::ranges::count_if(all, [&](float one) { return static_cast<double>(one) > own; });
             return {static_cast<double>(above + 1), 0.0001};
         }},
        {"block", 8, "gives “picture” 0.6606",
         [](const Seen& step) -> Numbers {
             const SeenModel model(step);
             CHECK(model.most_probable() == "picture");
             return {model.probability("picture")};
         }},
    };
}

}  // namespace attn::test
