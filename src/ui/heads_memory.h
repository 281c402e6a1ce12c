// What the heat maps keep from one frame to the next: things that are slow to find out again, and where the keyboard
// is. No choice of the visitor stands here; those are all in the state.
#pragma once

#include <cstdint>
#include <optional>

#include "core/tensor.h"
#include "playground/stage_range.h"
#include "playground/state.h"

namespace attn {

struct HeadsMemory {
    std::uint64_t summary_of = 0;  // content_version of the stage that `summary` describes; 0: none yet
    StageSummary summary;
    std::uint64_t combined_of = 0;  // content_version of the stage whose heads are put together in `combined`
    Matrix combined;
    std::uint64_t longest_number_of = 0;  // content_version of the stage that `longest_number` describes; 0: none yet
    int longest_number = 0;               // characters of the longest number of a table
    std::optional<Cell> followed;         // the pinned cell that was last scrolled to
    bool is_in_cells = false;             // Enter was pressed on the maps: the arrow keys move the pinned cell
};

}  // namespace attn
