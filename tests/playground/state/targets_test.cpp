// Painting by hand and by preset.
#include "playground/state/targets.h"

#include <catch_amalgamated.hpp>

#include "playground/link/legal.h"
#include "playground/link/state_url.h"
#include "playground/numbers/sentence_embeddings.h"

using namespace attn;

namespace {

std::vector<TargetCell> preset_of(const Inputs& inputs, TargetPreset preset, int first = 0, int end = 2) {
    const Tokens tokens = tokenize(inputs.texts.front(), inputs.tokens);
    return preset_targets(inputs, preset, 0, texts_of(tokens), first, end);
}

}  // namespace

TEST_CASE("the first painted cell gives a goal at step 0, and the last one takes it along", "[targets]") {
    Inputs inputs = read_link("steps=50").state.inputs;
    CHECK(paint_target(inputs, {.head = 1, .query = 7, .key = 4}) == Painted::yes);
    CHECK(inputs.goal == GoalKind::pattern);
    CHECK(inputs.steps == 0);
    inputs.steps = 12;
    CHECK(paint_target(inputs, {.head = 0, .query = 7, .key = 4}) == Painted::yes);
    CHECK(inputs.steps == 12);
    CHECK(inputs.targets ==
          std::vector<TargetCell>{{.head = 0, .query = 7, .key = 4}, {.head = 1, .query = 7, .key = 4}});
    CHECK(erase_target(inputs, {.head = 1, .query = 7, .key = 4}));
    CHECK_FALSE(erase_target(inputs, {.head = 1, .query = 7, .key = 4}));
    CHECK(inputs.goal == GoalKind::pattern);
    CHECK(erase_target(inputs, {.head = 0, .query = 7, .key = 4}));
    CHECK(inputs.goal == GoalKind::none);
    CHECK(inputs.steps == 0);
}

TEST_CASE("another goal stays what it is", "[targets]") {
    Inputs inputs = read_link("goal=next&d_out=8&steps=3").state.inputs;
    REQUIRE(inputs.goal == GoalKind::next);
    paint_target(inputs, {.query = 7, .key = 4});
    CHECK(inputs.goal == GoalKind::next);
    CHECK(inputs.steps == 3);
    erase_targets(inputs, 0, 0, 2);
    CHECK(inputs.targets.empty());
    CHECK(inputs.goal == GoalKind::next);
}

TEST_CASE("nobody is asked to look where the mask hides, and there is an end", "[targets][bad-input]") {
    Inputs inputs;
    CHECK(paint_target(inputs, {.query = 4, .key = 7}) == Painted::hidden);
    CHECK(inputs == Inputs());
    inputs.mask = Mask::none;
    CHECK(paint_target(inputs, {.query = 4, .key = 7}) == Painted::yes);
    inputs = read_link("edit=mask[7,4]=1").state.inputs;
    CHECK(paint_target(inputs, {.query = 7, .key = 4}) == Painted::hidden);
    inputs = read_link("mask_window=2&mask_sinks=1&edit=mask[8,4]=0").state.inputs;
    CHECK(paint_target(inputs, {.query = 7, .key = 5}) == Painted::hidden);
    CHECK(inputs.targets.empty());
    for (const int key : {0, 6, 7}) CHECK(paint_target(inputs, {.query = 7, .key = key}) == Painted::yes);
    CHECK(paint_target(inputs, {.query = 8, .key = 4}) == Painted::yes);
    inputs.targets.clear();
    for (int k = 0; k < static_cast<int>(kMaxTargets); ++k) inputs.targets.push_back({.query = k, .key = 0});
    CHECK(paint_target(inputs, {.query = 1, .key = 1}) == Painted::full);
    CHECK(paint_target(inputs, {.query = 1, .key = 0, .share = 2}) == Painted::yes);  // another share has room
    CHECK(inputs.targets[1].share == 2);
}

TEST_CASE("the shares of a row are divided by their sum", "[targets]") {
    const Inputs inputs = read_link("target=1:7>4=3,7>1,8>0&target=2:7>4=5").state.inputs;
    CHECK(share_of_row(inputs.targets, {.query = 7, .key = 4}) == 0.75);
    CHECK(share_of_row(inputs.targets, {.query = 7, .key = 1}) == 0.25);
    CHECK(share_of_row(inputs.targets, {.query = 8, .key = 0}) == 1);
    CHECK(share_of_row(inputs.targets, {.query = 8, .key = 1}) == 0);
    CHECK(share_of_row(inputs.targets, {.head = 1, .query = 7, .key = 4}) == 1);
}

TEST_CASE("what the presets ask for", "[targets]") {
    const Inputs inputs;  // The artist painted the portrait of a woman with a brush
    const std::vector<TargetCell> before = preset_of(inputs, TargetPreset::before);
    CHECK(before.size() == 20);
    for (const TargetCell& target : before) CHECK(target.key == target.query - 1);
    CHECK(preset_of(inputs, TargetPreset::first).size() == 22);
    CHECK(preset_of(inputs, TargetPreset::itself, 1, 2).size() == 11);
    CHECK(preset_of(inputs, TargetPreset::same, 0, 1) == std::vector<TargetCell>{{.query = 9, .key = 6}});
    CHECK(preset_of(inputs, TargetPreset::readings) ==
          std::vector<TargetCell>{{.head = 0, .query = 10, .key = 1}, {.head = 1, .query = 10, .key = 7}});
    CHECK(preset_of(inputs, TargetPreset::readings, 1, 2) ==
          std::vector<TargetCell>{{.head = 1, .query = 10, .key = 1, .share = 0.5},
                                  {.head = 1, .query = 10, .key = 7, .share = 0.5}});
}

TEST_CASE("a preset with nothing to ask says so", "[targets][bad-input]") {
    const Inputs other = read_link("text=one+two").state.inputs;
    CHECK(preset_of(other, TargetPreset::same).empty());
    CHECK(why_no_targets(TargetPreset::same) == "target: nothing is painted, no word occurs twice in this sentence");
    CHECK(preset_of(other, TargetPreset::readings).empty());
    CHECK(preset_of(read_link("text=one").state.inputs, TargetPreset::before).empty());
    // Behind a mask brush cannot look at what comes later.
    CHECK(preset_of(read_link("text=brush+artist+woman").state.inputs, TargetPreset::readings).empty());
    CHECK(preset_of(read_link("text=brush+artist+woman&mask=none").state.inputs, TargetPreset::readings).size() == 2);
}

TEST_CASE("a preset replaces what its heads were asked, and is a legal state", "[targets]") {
    PlaygroundState state = read_link("target=2:7>4,7>1").state;
    put_preset(state.inputs, preset_of(state.inputs, TargetPreset::itself, 0, 1), 0, 1);
    CHECK(state.inputs.targets.size() == 13);
    CHECK(state.inputs.goal == GoalKind::pattern);
    PlaygroundState legal = state;
    CHECK(clamp_to_legal(legal).empty());
    CHECK(legal == state);
    put_preset(state.inputs, preset_of(state.inputs, TargetPreset::first), 0, 2);
    CHECK(state.inputs.targets.size() == 22);
}
