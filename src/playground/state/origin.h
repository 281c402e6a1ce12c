// Where the matrices come from: drawn at random, or trained beforehand. Each is a state that a link can say, too.
#pragma once

#include <string_view>

#include "playground/state/state.h"

namespace attn {

// The model that comes with the program, by its name in links.
inline constexpr std::string_view kOwnModel = "first-words";
inline constexpr std::string_view kOpeningModel = "Opening the trained model …";

// Its second layer; a model that is chosen already stays.
void make_trained(Inputs& inputs);

// The opening scene: what view=door shows where a link says nothing else.
inline constexpr std::string_view kDoorSentence = "the dogs near the cat";
PlaygroundState door_state();

// No model. Sentence and sizes stay, so the heads are as many as before.
void make_random(Inputs& inputs);

// Other matrices come: the layer, heads that are off and numbers changed by hand belong to those that go.
void leave_matrices(Inputs& inputs);

// Another sentence comes: the head, the cell and the word that were chosen belong to the one that goes.
void leave_place(View& view);

}  // namespace attn
