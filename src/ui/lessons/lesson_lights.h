// Rings around what a step of a lesson speaks of.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "ui/frame/frame.h"
#include "ui/kit/place.h"

namespace attn {

// What a step points at is named as the items are. A key such as "mask" means all its items ("mask=causal",
// "mask=none"), "heads" its stepper.
bool is_item_of(std::string_view item, std::string_view target);

// The item that opens what holds the target, where the target is folded away: settings in a drawer, views under "More".
std::string_view opener_of(std::string_view target);

// The rings around the items that the targets mean and that are wholly in sight, each the middle of a line kRingWidth
// wide. One ring around those that touch each other. It keeps out of the items beside, and of words that they share.
inline constexpr float kRingWidth = 6;
std::vector<ScreenBox> rings_around(std::span<const UiItem> items, std::span<const std::string_view> targets);

// Draws the rings over everything, once a frame after all panels. What is scrolled out of sight, or lies under an open
// list, has none.
void draw_lesson_lights(UiFrame& frame);

// When the step has changed: lets what it points at scroll into sight in the next frames.
void follow_lesson_step(UiFrame& frame);

}  // namespace attn
