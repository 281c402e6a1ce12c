// The ways on from view=door: sentences to start from, whose heads read, and the doors to the rest of the program.
#pragma once

#include <span>
#include <string_view>

#include "playground/state/state.h"
#include "views/door/door_picture.h"

namespace attn {

// Sentences with which the trained model shows an effect: without the deciding head its next word falls by a quarter of
// its probability and more.
struct DoorStart {
    std::string_view label, text;
};
std::span<const DoorStart> door_starts();
// The trained model reads this sentence; all its heads are on.
void start_with(PlaygroundState& state, std::string_view text);

// The opening scene as it is at first; theme, language and what the page's author hides or locks stay.
void start_over(PlaygroundState& state);

// Switches the heads in use off, or on again where they are.
void switch_heads_in_use(PlaygroundState& state, const DoorDrawing& drawing);

struct Door {
    std::string_view name;  // "numbers"
    std::string_view title, help;
    std::string_view part;  // of the screen: without it the door is not there (playground/link/hiding.h)
};
std::span<const Door> doors();
// What is behind a door. `name` is one of theirs; `drawing` is of the state.
void go_through(PlaygroundState& state, std::string_view name, const DoorDrawing& drawing);

}  // namespace attn
