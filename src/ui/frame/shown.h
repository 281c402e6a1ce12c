// What a frame shows: one state, the numbers that belong to it, and what is pointed at. A frame never changes it; what
// panels want changed they write into Wishes.
#pragma once

#include <optional>

#include "playground/numbers/evaluation.h"
#include "playground/state/state.h"

namespace attn {

// What the pointer (or the keyboard's focus) is over. Rows and columns count from 0.
struct Hover {
    std::optional<Cell> cell;  // a cell of the shown stage
    std::optional<int> token;  // a token chip or an axis label

    bool operator==(const Hover&) const = default;
};

struct Shown {
    const Evaluator& evaluator;
    const PlaygroundState& state;  // the numbers belong to it; all panels of a frame show this one
    const Evaluation& evaluation;  // evaluator.shown(): of state.inputs
    int version;                   // of the evaluation
    const Hover& hover;            // of the last frame, as far as these numbers have it
};

}  // namespace attn
