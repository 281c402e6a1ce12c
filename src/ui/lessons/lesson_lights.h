// Rings around the items that a lesson's step mentions.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "ui/frame/frame.h"
#include "ui/kit/place.h"

namespace attn {

// A step's targets have the names of items. A key such as "mask" means all its items ("mask=causal", "mask=none"),
// "heads" its stepper.
bool is_item_of(std::string_view item, std::string_view target);

// The item that opens the target's place if the target is folded away: settings in a drawer, views under "More".
std::string_view opener_of(std::string_view target);

// The rings around all targeted items that are wholly in sight, each the middle of a line kRingWidth wide. Items that
// touch share one ring. A ring keeps clear of other items and of words that they share.
inline constexpr float kRingWidth = 6;
std::vector<ScreenBox> rings_around(std::span<const UiItem> items, std::span<const std::string_view> targets);

// Draws the rings over everything, once a frame after all panels. Items scrolled out of sight or under an open list get
// none.
void draw_lesson_lights(Display& display);

// When the step has changed: lets what it points at scroll into sight in the next frames.
void follow_lesson_step(Display& display);

}  // namespace attn
