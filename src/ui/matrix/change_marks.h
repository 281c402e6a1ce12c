// Marks of what typed numbers changed: in the cells of the heat maps, on the stage strip, beside a number. Which
// numbers those are is playground/changes.h's business.
#pragma once

#include <imgui.h>

#include <optional>
#include <string>

#include "playground/numbers/changes.h"
#include "ui/matrix/heads_picture.h"

namespace attn {

// Of the shown sentence; all zeros when nothing was typed over.
StageChanges stage_changes(const Display& display, TensorId stage);

// The number that a cell of the stage would have without the typed ones; nothing when it is the same.
std::optional<float> number_before(const Shown& shown, TensorId stage, const Cell& cell);

// "0.1500 → 0.1623"; empty when the cell has not changed.
std::string cell_change_text(const Shown& shown, TensorId stage, const Cell& cell);

// "changed by what you typed: 12 of 242 cells"; empty when none has. With too many scores to keep twice
// (kMaxScoresTwice), says that changes are not marked.
std::string stage_change_text(const Display& display, TensorId stage);

// A triangle in the box's upper right corner, smaller in small boxes.
void draw_change_mark(const Look& look, ImVec2 min, ImVec2 max);

// A mark in each changed cell among rows [first_row, last_row) and columns [first_column, last_column) of the map whose
// cells begin at `corner`. With combined heads it marks cells that changed in any head. Draws nothing if cells are too
// small for a mark.
struct MapPart {
    int first_row, last_row, first_column, last_column;
};
void draw_change_marks(const HeadsPicture& picture, int head, ImVec2 corner, const MapPart& part);

// Whether the cells of this picture are large enough for marks.
bool has_room_for_marks(const HeadsPicture& picture);

}  // namespace attn
