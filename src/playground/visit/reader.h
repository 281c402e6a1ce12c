// Who reads the sentence of the opening scene (view=door): own-words, which knows any word, once it is open; else
// first-words where it knows each word; else random heads, so that what was typed is shown whole.
#pragma once

#include <string_view>

#include "playground/state/open_models.h"
#include "playground/state/state.h"

namespace attn {

// Whether each word is a token of the model. A last word with nothing behind it may be one that is still being typed:
// with `is_typing` it counts as known.
bool knows_words(const OpenModel& model, std::string_view text, bool is_typing);

// `state` is `before` with another sentence. Heads and words that were chosen for the other one are let go. A visitor
// who had the model read words that it does not know keeps it.
void choose_reader(PlaygroundState& state, const PlaygroundState& before, bool is_typing);

// From any view to the opening scene. A sentence that the visitor typed comes along with its numbers; a lesson's does
// not, nor the sentence that stands there at first. Theme, language and what the page's author hides or locks stay.
void open_door(PlaygroundState& state);

}  // namespace attn
