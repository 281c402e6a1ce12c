// A card over the picture: a title, a way to close it, and what is put between begin_card and end_card; it scrolls
// where it is higher than the canvas. A phone's fills the canvas. Escape and a click beside it close it, too.
#pragma once

#include <string_view>

#include "ui/frame/frame.h"

namespace attn {

// Draws the card that ImGui::OpenPopup(popup) opened in the current window. `name` + "=close" is its close button.
// Returns false while it is closed: then no end_card.
bool begin_card(UiFrame& frame, const char* popup, std::string_view name, std::string_view title, float width);
void end_card(UiFrame& frame);

}  // namespace attn
