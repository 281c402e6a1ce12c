// The three pictures of view=compare: A, B and A - B. Knows their places and what the pointer is over; compare.cpp
// decides which state B is.
#pragma once

#include <optional>

#include "ui/matrix/matrix_map.h"
#include "views/compare/compare_words.h"

namespace attn {

// What the view keeps from one frame to the next: the matrices, which are slow to make, and where the keyboard is.
struct CompareMemory {
    struct Key {  // what the comparison was made for
        int version_a = -1, version_b = -1;
        TensorId stage = {};
        int head_a = 0, head_b = 0;

        bool operator==(const Key&) const = default;
    };
    Key key;
    Comparison comparison;
    std::uint64_t count = 0;                // of the comparisons that were made
    std::optional<std::size_t> shown = {};  // the map that a small canvas shows; without a choice A - B, or A
};

// Draws what `memory` holds at the cursor, as large as the rest of the window allows. `b` are the numbers of B.
void draw_compare_maps(UiFrame& frame, const Evaluation& b, CompareMemory& memory);

}  // namespace attn
