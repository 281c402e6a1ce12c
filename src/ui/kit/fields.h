// Fields to type in.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "ui/frame/frame.h"

namespace attn {

// A one-line text field over `text`, `width` wide. Returns true while the visitor changes the text.
bool text_field(UiFrame& frame, const std::string& name, std::string& text, float width, std::string_view hint);

// Tells screen readers of the field that is ImGui's last item, while it has the keyboard's focus: its label, or its
// name where that is empty, and what stood in it when the focus came. What is typed from then on is not told again.
void note_field(UiFrame& frame, const std::string& name, std::string_view label, std::string_view text);

// A field over `value` that hands out what was typed when the visitor leaves it, with Enter or by going elsewhere.
// Escape hands out nothing, and so does a text that is `value` again. `padding` is on the left; it is as high as a
// control.
std::optional<std::string> edit_field(UiFrame& frame, const std::string& name, const std::string& value, float width,
                                      float padding);

}  // namespace attn
