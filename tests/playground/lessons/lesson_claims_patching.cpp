// What the lesson about activation patching claims.
#include <algorithm>

#include "core/ground/check.h"
#include "playground/lessons/seen_model.h"
#include "playground/lessons/seen_patches.h"

namespace attn::test {
namespace {

constexpr int kDogsRow = 2, kCatRow = 5;  // of "<s> the dogs near the cat"

Seen without_patch(const Seen& step) {
    return step.with("patch=");
}

// B's text, read as a text of its own.
Seen others_run(const Seen& step) {
    return step.with("patch=&text=the+dog+near+the+cat");
}

}  // namespace

std::vector<Claim> claims_of_patching() {
    return {
        {"patching", 1, "7.357 here and −7.022 in B",
         [](const Seen& step) -> Numbers {
             const SeenPatches patches(step);
             return {patches.here(), patches.there()};
         }},
        {"patching", 1, "Layer 1 is done", [](const Seen&) -> Numbers { return {1}; }},
        {"patching", 2, "before layer 2 does not know yet who acts. One head of layer 2 brings it there",
         [](const Seen& step) -> Numbers {
             // As the text says: with that head the choice turns, with any other it stays as it is.
             const SeenPatches patches(step);
             CHECK(patches.here() + patches.of_head(2, 4) < 0);
             CHECK(patches.most_of_heads(2, 4) < 0.05 * patches.here());
             CHECK(step.with("view=matrix").at(kWeights, kCatRow, kDogsRow, 4) > 0.99);
             return {2, 2};
         }},
        {"patching", 2, "Which head of layer 2 is it", [](const Seen&) -> Numbers { return {2}; }},
        {"patching", 3, ": head 4.", [](const Seen&) -> Numbers { return {4}; }},
        {"patching", 3, "before layer 2 “dogs” moves the choice by −14.794, “cat” by −0.354",
         [](const Seen& step) -> Numbers {
             const SeenPatches patches(step);
             for (const int token : {1, 2}) {
                 for (const int layer : {1, 2}) CHECK(patches.of_stream(layer, token) == 0);
             }
             return {2, patches.of_stream(2, kDogsRow + 1), patches.of_stream(2, kCatRow + 1)};
         }},
        {"patching", 3, "head 4 of layer 2 moves it by −14.731",
         [](const Seen& step) -> Numbers { return {4, 2, SeenPatches(step).of_head(2, 4)}; }},
        {"patching", 3, "taken over in head 4", [](const Seen&) -> Numbers { return {4}; }},
        {"patching", 4, "before layer 2 is B's: in channel 42, where it had 1.5087, B has −1.5156",
         [](const Seen& step) -> Numbers {
             const double own = without_patch(step).at(TensorId::before, kDogsRow, 42);
             const double others = others_run(step).at(TensorId::before, kDogsRow, 42);
             CHECK(step.at(TensorId::before, kDogsRow, 42) == others);
             return {2, 42, own, others};
         }},
        {"patching", 4, "the attention, which added −0.5513, now adds 0.7610",
         [](const Seen& step) -> Numbers {
             return {without_patch(step).at(kOutput, kDogsRow, 42), step.at(kOutput, kDogsRow, 42)};
         }},
        {"patching", 5, "−0.7546",
         [](const Seen& step) -> Numbers {
             const Seen asked = step.with("step=4");
             return {others_run(asked).at(TensorId::before, kDogsRow, 42) + asked.at(kOutput, kDogsRow, 42)};
         }},
        {"patching", 5, "layer 1's MLP adds at “dogs” is B's, and that alone moves the choice by −14.735",
         [](const Seen& step) -> Numbers { return {1, SeenPatches(step.with("cell=")).of_link()}; }},
        {"patching", 5, "In channel 42 the MLP adds 1.8301 in this text and −1.4233 in B",
         [](const Seen& step) -> Numbers {
             return {42, without_patch(step).at(TensorId::mlp_added, kDogsRow, 42),
                     others_run(step).at(TensorId::mlp_added, kDogsRow, 42)};
         }},
        {"patching", 5, "the stream before it has −0.3215 here and −0.0923 in B",
         [](const Seen& step) -> Numbers {
             return {without_patch(step).at(TensorId::middle, kDogsRow, 42),
                     others_run(step).at(TensorId::middle, kDogsRow, 42)};
         }},
        {"patching", 5, "What goes out of layer 1", [](const Seen&) -> Numbers { return {1}; }},
        {"patching", 6, "−1.7448",
         [](const Seen& step) -> Numbers {
             const Seen asked = step.with("step=5");
             return {without_patch(asked).at(TensorId::middle, kDogsRow, 42) +
                     others_run(asked).at(TensorId::mlp_added, kDogsRow, 42)};
         }},
        {"patching", 6,
         "its choice is 7.380. No row moves the choice by more than 0.023, and no head by more than 0.191",
         [](const Seen& step) -> Numbers {
             const SeenPatches patches(step);
             return {patches.there(), patches.most_of_rows(),
                     std::max(patches.most_of_heads(1), patches.most_of_heads(2))};
         }},
        {"patching", 7,
         "before layer 2: its row moves the choice by −24.811, and head 1 of layer 1 has brought it there",
         [](const Seen& step) -> Numbers {
             const SeenPatches patches(step);
             CHECK(patches.of_stream(1, patches.num_tokens()) == 0);  // it has come from elsewhere
             CHECK(patches.here() + patches.of_head(1, 1) < 0);
             CHECK(patches.most_of_heads(1, 1) < 0.2 * patches.here());
             CHECK(SeenModel(step.with("patch=1:1@11")).most_probable() == "tom");  // there alone, too
             return {2, patches.of_stream(2, patches.num_tokens()), 1, 1};
         }},
        {"patching", 7, "Head 4 of layer 2, which decided the verb, moves this choice by only −0.168",
         [](const Seen& step) -> Numbers { return {4, 2, SeenPatches(step).of_head(2, 4)}; }},
    };
}

}  // namespace attn::test
