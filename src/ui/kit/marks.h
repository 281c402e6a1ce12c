// Signs that several panels use for the same thing: selected tokens, targets.
#pragma once

#include <imgui.h>

#include "ui/look/look.h"

namespace attn {

// A check mark in a square of `size` around `center`: a selected token.
void draw_check_mark(ImVec2 center, float size, ImU32 color);

// A dashed line in `ink` with a thin edge of paper and a ring at both ends: a target. Whatever lies below shows between
// the dashes. `radius` is the rings'.
void draw_target_line(const Look& look, ImVec2 from, ImVec2 to, float radius, ImU32 ink);

// Whether a finger has just rested on the last item for half a second without moving; this uses up the press.
bool is_held_long(const Look& look);

}  // namespace attn
