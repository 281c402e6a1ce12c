// Where the matrices come from: drawn at random, or trained beforehand. Each is a state that a link can say, too.
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "playground/state/state.h"

namespace attn {

// A model of the project's own: the program has it inside, the page beside it.
struct OwnModel {
    std::string_view name;         // in links
    int layer = 0;                 // shown first; from 0
    int width = 1, num_heads = 1;  // so that a view of a head is one of that head before the files are here, too
};
inline constexpr std::array<OwnModel, 2> kOwnModels = {
    {{.name = "first-words", .layer = 1, .width = 64, .num_heads = 8},
     {.name = "own-words", .layer = 3, .width = 128, .num_heads = 8}}};
inline constexpr const OwnModel& kFirstWords = kOwnModels[0];
inline constexpr const OwnModel& kOwnWords = kOwnModels[1];
// Null for a model of somebody else's, and for none.
const OwnModel* find_own_model(std::string_view name);
// "a model that reads any words"
std::string_view about_own_model(const OwnModel& model);
// "2.6 MB": of its files, as the page fetches them.
std::string_view size_of_own_model(const OwnModel& model);
// "own-words, a model that reads any words, 2.6 MB"; without the size once it is open.
std::string own_model_in_words(const OwnModel& model);
// " (2.6 MB)", for the label of what fetches it; empty once it is open.
std::string size_to_fetch(const OwnModel& model);

inline constexpr std::string_view kOpeningModel = "Opening the trained model …";

// The model's matrices in the place of what was there; where it is chosen already, nothing changes.
void make_trained(Inputs& inputs, const OwnModel& model = kFirstWords);

// The opening scene: what view=door shows where a link says nothing else.
inline constexpr std::string_view kDoorSentence = "the dogs near the cat";
PlaygroundState door_state();

// No model. Sentence and sizes stay, so the heads are as many as before.
void make_random(Inputs& inputs);

// Other matrices come: the layer, heads that are off and numbers changed by hand belong to those that go.
void leave_matrices(Inputs& inputs);

// In a few words, with a model: its name, the layer, and what makes its numbers other ones: "gpt2, layer 2, 1 patch".
std::string model_in_summary(const Inputs& inputs);

// The note that stands beside the numbers while the model of these inputs is not open.
std::string note_on_absent_model(const Inputs& inputs);

// Another sentence comes: the head, the cell and the word that were chosen belong to the one that goes.
void leave_place(View& view);

}  // namespace attn
