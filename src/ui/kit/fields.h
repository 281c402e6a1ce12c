// Fields to type in.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "ui/frame/canvas.h"

namespace attn {

// The keyboard goes to the field that is drawn next, which has this label of ImGui's, wherever it is now.
void focus_next_field(const char* label);

// A one-line text field over `text`, `width` wide. Returns true while the visitor changes the text.
bool text_field(Canvas& canvas, const std::string& name, std::string& text, float width, std::string_view hint);

// Announces the field that is ImGui's last item while it has the keyboard's focus: its label, or its name if the label
// is empty, and its text when the focus came. Later typing is not announced.
void note_field(Canvas& canvas, const std::string& name, std::string_view label, std::string_view text);

// A field over `value` that returns the typed text when the visitor leaves it, with Enter or by going elsewhere.
// Returns nothing on Escape, or if the text equals `value`. `padding` is on the left; the field is as high as a
// control.
std::optional<std::string> edit_field(Canvas& canvas, const std::string& name, const std::string& value, float width,
                                      float padding);

}  // namespace attn
