// What the heat maps keep from one frame to the next: things that are slow to find out again, and where the keyboard is.
// No choice of the visitor stands here; those are all in the state.
#pragma once

#include <cstdint>

namespace attn {

// What is true of a whole stage, all heads together.
struct StageSummary {
    float largest = 0;             // the largest absolute value among the finite numbers
    bool has_hidden = false;       // at least one hidden cell
    bool hides_only_future = true; // every hidden cell has its key after its query
};

struct HeadsMemory {
    std::uint64_t summary_of = 0;  // content_version of the stage that `summary` describes; 0: none yet
    StageSummary summary;
    bool is_in_cells = false;      // Enter was pressed on the maps: the arrow keys move the pinned cell
    bool is_swiping = false;       // phone: a finger moves sideways over the map
};

}  // namespace attn
