// Fields to type in.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "ui/frame/frame.h"

namespace attn {

// A one-line text field over `text`, `width` wide. Returns true while the visitor changes the text.
bool text_field(UiFrame& frame, const std::string& name, std::string& text, float width, std::string_view hint);

// A field over `value` that hands out what was typed when the visitor leaves it, with Enter or by going elsewhere.
// Escape hands out nothing, and so does a text that is `value` again. `padding` is on the left; it is as high as a
// control.
std::optional<std::string> edit_field(UiFrame& frame, const std::string& name, const std::string& value, float width,
                                      float padding);

}  // namespace attn
