// The way to goal=next where the output is not as wide as the words' vectors, for a press beside the note that says so.
#pragma once

#include <optional>
#include <string>

#include "playground/state/state.h"
#include "playground/text/notes.h"

namespace attn {

// The other way out when these notes say that the output is too wide or too narrow to name the next word: the same
// inputs with that goal and the d_out it takes. Nothing where the author of the page locked one of the two.
std::optional<Inputs> next_word_offer(const Notes& notes, const PlaygroundState& state);

// "Take d_out 8"
std::string next_word_offer_label(const Inputs& offer);

}  // namespace attn
