// A card over the picture: a title, a close button, and whatever comes between begin_card and end_card. It scrolls if
// it is higher than the canvas; on a phone it fills the canvas. Escape and a click beside it also close it.
#pragma once

#include <string_view>

#include "ui/frame/canvas.h"

namespace attn {

// Draws the card that ImGui::OpenPopup(popup) opened in the current window. `name` + "=close" is its close button.
// Returns false while it is closed: then no end_card.
bool begin_card(Canvas& canvas, const char* popup, std::string_view name, std::string_view title, float width);
void end_card(Canvas& canvas);

}  // namespace attn
