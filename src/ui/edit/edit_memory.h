// What the editor of a matrix (view=edit) keeps from one frame to the next: the selected cells and the text being
// typed. Holds no choice; a number counts once it is in the state.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>

#include "core/attention/stages.h"
#include "core/ground/tensor.h"

namespace attn {

// One cell of the matrix.
struct Spot {
    int row = 0;
    int column = 0;

    bool operator==(const Spot&) const = default;
};

// The numbers on the map beside the table, and what they belong to.
struct EditMap {
    int version = -1;  // of the evaluation
    TensorId stage = TensorId::weights;
    int head = 0;
    std::uint64_t blanks = 0;
    std::uint64_t count = 0;  // how often they were made
    Matrix values;
};

struct EditMemory {
    TensorId tensor = TensorId::embeddings;  // the tensor of all below; another one begins with nothing selected
    Spot anchor;                             // where the selection began
    Spot end;                                // its opposite corner; arrow keys move it
    bool is_in_cells = false;                // the arrow keys and what is typed belong to the cells
    bool was_selected = false;               // the cell was the selected one before the button went down
    bool refocuses = false;                  // typing has ended with a key: the cells get the keyboard's focus again
    bool follows_end = false;                // scroll to `end` in the next frame
    std::optional<Spot> typed;               // the cell being typed into
    std::string text;                        // what stands in its field
    std::string text_before;                 // what stood there at first
    bool has_field = false;                  // ImGui has given the field the keyboard
    bool places_caret = false;               // at the end of the text, with nothing selected
    EditMap map;
    std::string remark;  // what the last copy, paste or revert did
};

}  // namespace attn
