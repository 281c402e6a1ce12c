// The pinned cell, and how choosing a token, a stage or a factor of an explanation moves it. Changes the view only.
#pragma once

#include <imgui.h>

#include "core/explain/explain.h"
#include "playground/numbers/stage_labels.h"
#include "ui/frame/frame.h"

namespace attn {

// Pins the row of `token`: its own key in (T, T) stages, its first channel elsewhere; in the pinned or enlarged head,
// else the first. Unpins a token that is pinned already.
void pin_token(View& view, int token);

// Shows `stage`; the pinned row stays pinned.
void choose_stage(View& view, TensorId stage);

// Shows the stage that `cell` lies in, with that cell pinned. The cell must lie in a stage. Separates combined heads if
// the cell belongs to one of them.
void go_to(View& view, const CellRef& cell);

// What the inspector explains: the pinned cell, else the one under the pointer. A selection stays until a cell is
// pinned; pointing at other cells does not replace it. Nothing where the numbers do not have the cell.
std::optional<Cell> explained_cell(const Shown& shown);

// The colour of the head that `cell` of the shown stage belongs to; the accent in stages without heads.
ImU32 cell_color(const Display& display, const Cell& cell);

}  // namespace attn
