// Puts matrices from outside into a state: X as typed embeddings, everything else as edits. What the sizes of the state
// must become follows from the matrices. Knows no files.
#pragma once

#include <string>
#include <vector>

#include "core/attention/stages.h"
#include "core/ground/result.h"
#include "playground/state/state.h"
#include "playground/text/notes.h"
#include "playground/text/number_block.h"

namespace attn {

struct Placement {
    TensorId tensor = {};  // one of editable_tensors()
    int sentence = 0;      // of those that each sentence has for itself
    NumberBlock block;     // as the edits name its cells: (d_in, d_out), biases one row, ...
};

struct Placed {
    PlaygroundState state;             // legal
    std::vector<std::string> changes;  // of the settings: "d_in becomes 6", "heads become 1"
    Notes notes;
};

// X replaces the token vectors, and the positions are switched off: it has them already; with `keeps_positions` they
// are added to it. The other sentences keep their vectors, typed. Cells that already hold their number are not typed
// over. The error is a sentence: two matrices that need different sizes, an impossible size, too many numbers,
// a mask of anything but 0 and 1.
Result<Placed> place_tensors(const PlaygroundState& state, const std::vector<Placement>& placements,
                             bool keeps_positions = false);

// "d_in becomes 6, heads become 1".
std::string changes_in_words(const Placed& placed);

// "(6, 3)".
std::string shape_of(const NumberBlock& block);

// "X" for the embeddings, else the tensor's own name.
std::string_view placed_name(TensorId tensor);

}  // namespace attn
