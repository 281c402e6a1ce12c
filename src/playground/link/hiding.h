// What the author of a page leaves out of the picture (View::hide) or fixes (View::lock). The screen keeps to it, but
// it protects nothing: whoever edits the link sees everything.
//
// Names that `hide` understands:
//   a part of the screen        "settings"        (hideable_parts)
//   a stage                     "stage.scores"    it is not on the stage strip, and its numbers are "?" elsewhere
//   a control                   "control.seed"    the link key that it sets
//   a value, for a class to fill in   "weights[1,7,4]"   stage[head,row,column], head from 1, row and column from 0;
//                               "output[7,4]" in stages without heads; "*" stands for all: "weights[*,7,*]"
// `lock` names controls by their link keys ("heads"), or "all".
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/attention/stages.h"
#include "playground/state/state.h"
#include "playground/text/notes.h"

namespace attn {

// The parts of the screen.
std::span<const std::string_view> hideable_parts();

// The link keys that have a control somewhere: what `lock` understands. Those with a row of their own can be left out,
// too.
std::vector<std::string_view> lockable_keys();

// Everything that `hide` understands, without the values.
std::vector<std::string> hideable_names();

bool hides_part(const View& view, std::string_view part);
bool hides_stage(const View& view, TensorId stage);
bool hides_control(const View& view, std::string_view key);
bool locks_control(const View& view, std::string_view key);

// One blank value, or a pattern of them; -1 stands for all. head from 0, and 0 in stages without heads.
struct HiddenValue {
    TensorId stage = TensorId::weights;
    int head = -1, row = -1, column = -1;

    bool is_whole() const { return head < 0 && row < 0 && column < 0; }
};

// As `hide` names it: "weights[1,7,*]".
std::string name_of_value(const HiddenValue& value);

// The values that are left out one by one; in hidden stages there may be more (blanks.h knows all).
std::vector<HiddenValue> hidden_values(const View& view);

// Puts the locked controls of `state` back to what they are in `before`, unless another lesson or step was opened.
void keep_locked(PlaygroundState& state, const PlaygroundState& before);

// Drops names that have no meaning, with a note for each, and writes the others in their one form.
void clamp_hiding(View& view, Notes& notes);

}  // namespace attn
