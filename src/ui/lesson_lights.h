// Rings around what a step of a lesson speaks of.
#pragma once

#include <string_view>

#include "ui/ui.h"

namespace attn {

// What a step points at is named as the items are. A key such as "mask" means all its items ("mask=causal",
// "mask=none"), "heads" its stepper. Where the item is folded away (settings in a drawer, views under "More"), what
// opens it stands for it.
bool is_item_of(std::string_view item, std::string_view target);

// Draws the rings over everything, once a frame after all panels. What is scrolled out of sight, or lies under an open
// list, has none.
void draw_lesson_lights(UiFrame& frame);

// When the step has changed: lets what it points at scroll into sight in the next frames.
void follow_lesson_step(UiFrame& frame);

}  // namespace attn
