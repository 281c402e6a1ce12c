// What a screen reader says when the picture has changed.
#pragma once

#include <string>

#include "playground/numbers/computation.h"
#include "playground/numbers/evaluation.h"

namespace attn {

// One sentence about what is shown, e.g. "weights, head 2, woman to portrait: 0.1648" with a pinned cell,
// "weights: 2 heads, 11 tokens" without one. Heads count from 1. `evaluation` is of the legal `state`.
std::string announcement_of(const PlaygroundState& state, const Evaluation& evaluation);

// The same while numbers are missing: "Computing 16 heads."
std::string announcement_of(const Progress& progress);

// Which settings changed, whoever changed them: "embedding: typed." Only the count beyond three; empty if none changed,
// or only the sentences.
std::string change_announcement_of(const Inputs& before, const Inputs& after);

// What the lesson's step says; it is read first when the step has changed: "Causal attention, step 3 of 7: Then the
// softmax. ..." Empty outside lessons.
std::string step_announcement_of(const PlaygroundState& state, const Evaluation& evaluation);

}  // namespace attn
