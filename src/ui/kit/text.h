// Text of any script on the canvas, in the few styles the panels use.
#pragma once

#include <imgui.h>

#include <string>
#include <string_view>

#include "ui/look/look.h"

namespace attn {

// Text of any script in a font and size.
struct TextStyle {
    ImFont* font;
    float size;
    ImU32 color;
};
ImVec2 text_size(const TextStyle& style, std::string_view text);
void draw_text(ImVec2 position, const TextStyle& style, std::string_view text);  // on the current window's draw list
void draw_text_in(ImVec2 min, ImVec2 max, ImVec2 align, const TextStyle& style,
                  std::string_view text);  // 0 left, 1 right
// Cut with an ellipsis to at most `width`.
std::string shortened(const TextStyle& style, std::string_view text, float width);
// At the cursor, one line; in the middle of `height` where that is more than the line's.
void put_text(const TextStyle& style, std::string_view text, float height = 0);
void put_wrapped_text(const TextStyle& style, std::string_view text);  // at the cursor, as wide as
// there is room, or up to a wrap position that was pushed
float wrapped_height(const TextStyle& style, std::string_view text, float width);

// The styles that are used everywhere.
TextStyle body(const Look& look);
TextStyle bold(const Look& look);
TextStyle small(const Look& look);  // soft ink
TextStyle mono(const Look& look);

// A section heading with room above it, unless it is the first of its window.
void put_heading(const Look& look, std::string_view text);

}  // namespace attn
