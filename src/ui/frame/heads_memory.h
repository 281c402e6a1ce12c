// What the heat maps keep from one frame to the next: facts that are slow to find out again, and where the keyboard and
// the pointer are. Holds no choice of the visitor; those are all in the state.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <utility>

#include "playground/link/blanks.h"
#include "playground/state/state.h"
#include "playground/text/notes.h"
#include "scene/kit/colormap.h"
#include "views/stage/stage_memory.h"

namespace attn {

// What the last frame showed of the heat maps; heads_work.h makes the rest between frames.
struct ShownHeads {
    int version = 0;  // of the evaluation
    TensorId stage = TensorId::weights;
    Combine combine = Combine::none;
    Blanks blanks;
    int first_map = 0, last_map = 0;  // shown as colours; last_map: one past the last
    bool has_any = false;             // at least one had its colours
    bool has_more = false;            // something was left
};

// Painting targets with the pointer held down. They are part of the state once it goes up: one change, and nothing
// around the map makes room for it while the hand moves.
struct TargetBrush {
    bool erases = false;  // it began on a target
    Cell at;              // the cell that was painted last
    Inputs inputs;        // with what was painted so far
    Notes notes = {};     // what could not be painted
    int last_frame = 0;   // of ImGui's, in which the maps were drawn with it
};

struct HeadsMemory {
    std::optional<ShownHeads> shown;  // nothing: another view
    StageMemory stage;
    std::uint64_t longest_number_of = 0;  // content_version of the stage that `longest_number` describes; 0: none yet
    int longest_number = 0;               // characters of the longest number of a table
    std::map<std::pair<ColorMap, bool>, InkScale> inks;  // of the maps that were drawn, light and dark (true)
    std::optional<Cell> followed;                        // the pinned cell that was last scrolled to
    std::optional<CellWindow> seen_window;               // of the state, as the last frame had it
    std::optional<CellWindow> dragged_from;              // while maps are dragged: what they showed when that began
    float wheel_left = 0;                                // wheel notches too small for a whole cell
    bool takes_zoom = false;                             // the pointer is over a map that can be zoomed
    bool is_painting = false;                            // a click on a cell sets or takes away its target
    std::optional<TargetBrush> brush;                    // the pointer went down on a cell and is still down
    bool is_in_cells = false;  // Enter was pressed on the maps: the arrow keys move the pinned cell
};

}  // namespace attn
