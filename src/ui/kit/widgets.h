// The playground's own widgets, in place of ImGui's look: each is a real ImGui item (pointer, touch, keyboard, focus
// ring) drawn with the palette. They know no tokens and no matrices.
#pragma once

#include <imgui.h>

#include <cfloat>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "ui/kit/item.h"
#include "ui/kit/place.h"
#include "ui/kit/text.h"
#include "ui/look/icons.h"

namespace attn {

// What the window draws with.
inline ImDrawList& window_list() {
    return *ImGui::GetWindowDrawList();
}

// Height of a control: enough for a pointer, or for a finger.
float control_height(const Look& look);

void fill_box(ImVec2 min, ImVec2 max, ImU32 fill, float rounding = kRounding);
void frame_box(ImVec2 min, ImVec2 max, ImU32 line, float thickness = 1, float rounding = kRounding);
void dash_box(ImVec2 min, ImVec2 max, ImU32 line, float thickness, float rounding);

// The colour halfway (or `share`) from one to the other.
ImU32 mix(ImU32 from, ImU32 to, float share = 0.5F);

enum class ButtonKind { quiet, primary };
bool button(Canvas& canvas, const std::string& name, std::string_view label, ButtonKind kind = ButtonKind::quiet,
            bool is_enabled = true);
bool icon_button(Canvas& canvas, const std::string& name, Icon icon, std::string_view tooltip, bool is_enabled = true,
                 ButtonKind kind = ButtonKind::quiet);
// At most `widest` wide: a label that is wider gets smaller margins and letters, and then loses its end.
inline constexpr float kTabIndent = 6;       // from a tab's edge to its label
inline constexpr float kLeastTabIndent = 4;  // where it is as narrow as can be
bool tab(Canvas& canvas, const std::string& name, std::string_view label, bool is_chosen, float widest = FLT_MAX);
// A text button such as "revert all": accent ink, underlined under the pointer.
bool text_link(Canvas& canvas, const std::string& name, const TextStyle& style, std::string_view label);
float text_link_height(const Look& look, const TextStyle& style);
// `label`: what stands beside it, unless that is its setting's.
bool toggle(Canvas& canvas, const std::string& name, bool is_on, std::string_view label = {});
float toggle_width(const Look& look);

struct Segment {
    std::string name;  // of the item
    std::string label;
};
// A row of choices, one of them chosen, `width` wide or as wide as its labels; too many for one row make more rows.
// `label`: what stands beside them, unless that is their setting's. Returns the one that was chosen now.
std::optional<int> segmented(Canvas& canvas, std::span<const Segment> segments, int chosen, float width,
                             std::string_view label = {});
float segmented_width(const Look& look, std::span<const Segment> segments);

// Shows a tooltip for the last item while the pointer rests on it or the keyboard's focus is there.
void put_tooltip(const Look& look, std::string_view title, std::string_view formula, std::string_view meaning);

}  // namespace attn
