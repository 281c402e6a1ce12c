// Buttons, switches, segments, links and tips, drawn over invisible ImGui items.
#include "ui/kit/widgets.h"

#include <imgui_internal.h>  // the clip rectangle of the current window

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "core/ground/check.h"

namespace attn {
namespace {

constexpr float kIndent = 12;  // from a button's edge to its label
constexpr float kSegmentIndent = 8;

// The ground of a control that reacts to the pointer.
ImU32 ground(const Look& look, const ItemState& state, ImU32 at_rest) {
    if (state.is_held) return mix(at_rest, look.palette.ink, 0.14F);
    return state.is_hovered ? mix(at_rest, look.palette.ink, 0.06F) : at_rest;
}

// What a screen reader calls the item.
void label_focus(Canvas& canvas, const ItemState& state, std::string_view label) {
    if (state.is_focused) canvas.widgets.focus.label = label;
}

// A choice among others: "colours, light, chosen". Not inlined: it comes with a later part of the page.
[[gnu::noinline]] void label_choice(Canvas& canvas, std::string_view group, std::string_view label, bool is_chosen) {
    FocusRing& focus = canvas.widgets.focus;
    focus.label = concat(label, is_chosen ? ", chosen" : "");
    if (!group.empty()) focus.words = concat(group, ", ", focus.label);
}

}  // namespace

float control_height(const Look& look) {
    return look.is_touch ? 40.0F : 28.0F;
}

void fill_box(ImVec2 min, ImVec2 max, ImU32 fill, float rounding) {
    window_list().AddRectFilled(min, max, fill, rounding);
}

void frame_box(ImVec2 min, ImVec2 max, ImU32 line, float thickness, float rounding) {
    // The line lies inside the box, where no neighbour or clip rectangle can cut it.
    const float inset = (thickness - 1) / 2;
    window_list().AddRect({min.x + inset, min.y + inset}, {max.x - inset, max.y - inset}, line, rounding, 0, thickness);
}

void dash_box(ImVec2 min, ImVec2 max, ImU32 line, float thickness, float rounding) {
    constexpr float kDash = 4;
    constexpr float kGap = 3;
    const float inset = thickness / 2;
    window_list().PathRect({min.x + inset, min.y + inset}, {max.x - inset, max.y - inset}, rounding);
    const std::vector<ImVec2> outline(window_list()._Path.begin(), window_list()._Path.end());
    window_list().PathClear();
    float walked = 0;  // along the outline, modulo one dash and one gap
    for (std::size_t i = 0; i < outline.size(); ++i) {
        const ImVec2 from = outline[i];
        const ImVec2 to = outline[(i + 1) % outline.size()];
        const float length = std::hypot(to.x - from.x, to.y - from.y);
        const auto along = [&](float way) {
            return ImVec2(from.x + (to.x - from.x) * way / length, from.y + (to.y - from.y) * way / length);
        };
        for (float way = 0; way < length;) {
            const bool is_dash = walked < kDash;
            const float step = std::min(length - way, (is_dash ? kDash : kDash + kGap) - walked);
            if (is_dash) window_list().AddLine(along(way), along(way + step), line, thickness);
            way += step;
            walked += step;
            if (walked >= kDash + kGap - 1e-3F) walked = 0;
        }
    }
}

ImU32 mix(ImU32 from, ImU32 to, float share) {
    const ImVec4 a = ImGui::ColorConvertU32ToFloat4(from);
    const ImVec4 b = ImGui::ColorConvertU32ToFloat4(to);
    return ImGui::ColorConvertFloat4ToU32(ImLerp(a, b, share));
}

bool button(Canvas& canvas, const std::string& name, std::string_view label, ButtonKind kind, bool is_enabled) {
    const bool is_primary = kind == ButtonKind::primary;
    const Palette& palette = canvas.palette;
    TextStyle style = body(canvas);
    style.color = is_primary ? palette.on_accent : palette.ink;
    if (!is_enabled) style.color = palette.soft_ink;
    const float room = std::max(ImGui::GetContentRegionAvail().x, 2 * kIndent + 1);
    const std::string shown = shortened(style, label, room - 2 * kIndent);
    const ItemState state =
        item(canvas, name, {text_size(style, shown).x + 2 * kIndent, control_height(canvas) + 4}, is_enabled);
    label_focus(canvas, state, label);
    fill_box(state.min, state.max, ground(canvas, state, is_primary && is_enabled ? palette.accent : palette.panel));
    if (!is_primary || !is_enabled) frame_box(state.min, state.max, is_enabled ? palette.edge : palette.line);
    draw_text_in(state.min, state.max, {0.5F, 0.5F}, style, shown);
    return state.is_pressed;
}

bool icon_button(Canvas& canvas, const std::string& name, Icon icon, std::string_view tooltip, bool is_enabled,
                 ButtonKind kind) {
    const Palette& palette = canvas.palette;
    const bool is_primary = kind == ButtonKind::primary && is_enabled;
    const float side = control_height(canvas) + 4;
    const ItemState state = item(canvas, name, {side, side}, is_enabled);
    label_focus(canvas, state, tooltip);
    fill_box(state.min, state.max, ground(canvas, state, is_primary ? palette.accent : palette.panel));
    if (!is_primary) frame_box(state.min, state.max, is_enabled ? palette.edge : palette.line);
    const ImU32 ink = is_primary ? palette.on_accent : palette.ink;
    draw_icon(icon, state.center(), 14, is_enabled ? ink : mix(palette.soft_ink, palette.panel));
    put_tooltip(canvas, tooltip, {}, {});
    return state.is_pressed;
}

bool tab(Canvas& canvas, const std::string& name, std::string_view label, bool is_chosen, float widest) {
    TextStyle style = is_chosen ? bold(canvas) : body(canvas);
    if (!is_chosen) style.color = canvas.palette.soft_ink;
    if (text_size(style, label).x + 2 * kLeastTabIndent > widest) style.size = kSmallSize;
    // As high as the buttons beside it. As wide as its bold label, so that no tab moves when another is chosen.
    const float width = std::min(text_size(bold(canvas), label).x + 2 * kTabIndent, widest);
    const ItemState state = item(canvas, name, {width, control_height(canvas) + 4});
    if (state.is_focused) label_choice(canvas, {}, label, is_chosen);
    if (is_chosen || state.is_hovered) {
        fill_box(state.min, state.max, ground(canvas, state, is_chosen ? canvas.palette.chip : canvas.palette.paper));
    }
    draw_text_in(state.min, state.max, {0.5F, 0.5F}, style, shortened(style, label, width - 2 * kLeastTabIndent));
    return state.is_pressed;
}

float text_link_height(const Look& look, const TextStyle& style) {
    return look.is_touch ? 40.0F : style.size;
}

bool text_link(Canvas& canvas, const std::string& name, const TextStyle& style, std::string_view label) {
    const ImVec2 size = text_size(style, label);
    const ItemState state = item(canvas, name, {size.x, text_link_height(canvas, style)});
    label_focus(canvas, state, label);
    const ImVec2 corner = {state.min.x, state.center().y - size.y / 2};
    draw_text(corner, style, label);
    const float base = corner.y + size.y - 2;
    if (state.is_hovered) window_list().AddLine({corner.x, base}, {corner.x + size.x, base}, style.color);
    return state.is_pressed;
}

float toggle_width(const Look& look) {
    return look.is_touch ? 52.0F : 38.0F;
}

bool toggle(Canvas& canvas, const std::string& name, bool is_on, std::string_view label) {
    const Palette& palette = canvas.palette;
    const ItemState state = item(canvas, name, {toggle_width(canvas), control_height(canvas)});
    label_focus(canvas, state, label);
    if (state.is_focused) canvas.widgets.focus.value = is_on ? "on" : "off";
    const float half = (control_height(canvas) - 8) / 2;
    const ImVec2 min = {state.min.x, state.center().y - half};
    const ImVec2 max = {state.max.x, state.center().y + half};
    fill_box(min, max, ground(canvas, state, is_on ? palette.accent : palette.panel), half);
    if (!is_on) frame_box(min, max, palette.edge, 1, half);
    const float x = is_on ? max.x - half : min.x + half;
    window_list().AddCircleFilled({x, state.center().y}, half - 4, is_on ? palette.on_accent : palette.soft_ink);
    return state.is_pressed;
}

float segmented_width(const Look& look, std::span<const Segment> segments) {
    const float narrowest = look.is_touch ? 40.0F : 0.0F;
    float width = 0;
    for (const Segment& segment : segments) {
        width += std::max(narrowest, text_size(body(look), segment.label).x + 2 * kSegmentIndent);
    }
    return width;
}

namespace {

// How many segments stand in each row: as few rows as `width` allows, and all but the last equally full.
std::size_t segments_per_row(const Look& look, std::span<const Segment> segments, float width) {
    for (std::size_t rows = 1; rows < segments.size(); ++rows) {
        const std::size_t count = (segments.size() + rows - 1) / rows;
        bool all_fit = true;
        for (std::size_t first = 0; first < segments.size(); first += count) {
            const auto row = segments.subspan(first, std::min(count, segments.size() - first));
            all_fit = all_fit && segmented_width(look, row) <= width + 0.5F;
        }
        if (all_fit) return count;
    }
    return 1;
}

// One row that is filled from edge to edge. Returns the segment that was pressed.
std::optional<int> segment_row(Canvas& canvas, std::span<const Segment> segments, int chosen, float width,
                               std::string_view label) {
    const Palette& palette = canvas.palette;
    const float spare = (width - segmented_width(canvas, segments)) / static_cast<float>(segments.size());
    const ImVec2 corner = ImGui::GetCursorScreenPos();
    const float height = control_height(canvas);
    fill_box(corner, {corner.x + width, corner.y + height}, palette.panel);
    std::optional<int> pressed;
    float x = corner.x;
    for (std::size_t i = 0; i < segments.size(); ++i) {
        const bool is_chosen = static_cast<int>(i) == chosen;
        const float piece = segmented_width(canvas, segments.subspan(i, 1)) + spare;
        ImGui::SetCursorScreenPos({x, corner.y});
        const ItemState state = item(canvas, segments[i].name, {piece, height});
        if (state.is_pressed) pressed = static_cast<int>(i);
        if (state.is_focused) label_choice(canvas, label, segments[i].label, is_chosen);
        const ImDrawFlags corners = (i == 0 ? ImDrawFlags_RoundCornersLeft : 0) |
                                    (i + 1 == segments.size() ? ImDrawFlags_RoundCornersRight : 0);
        if (is_chosen || state.is_hovered) {
            window_list().AddRectFilled(state.min, state.max,
                                        ground(canvas, state, is_chosen ? palette.accent : palette.panel), kRounding,
                                        corners == 0 ? ImDrawFlags_RoundCornersNone : corners);
        }
        TextStyle style = body(canvas);
        style.color = is_chosen ? palette.on_accent : palette.soft_ink;
        draw_text_in(state.min, state.max, {0.5F, 0.5F}, style, segments[i].label);
        x += piece;
    }
    frame_box(corner, {corner.x + width, corner.y + height}, palette.edge);
    return pressed;
}

}  // namespace

std::optional<int> segmented(Canvas& canvas, std::span<const Segment> segments, int chosen, float width,
                             std::string_view label) {
    ATTN_CHECK(!segments.empty(), "a segmented control needs choices");
    std::optional<int> pressed;
    const ImVec2 corner = ImGui::GetCursorScreenPos();
    const std::size_t count = segments_per_row(canvas, segments, width);
    float y = corner.y;
    for (std::size_t first = 0; first < segments.size(); first += count) {
        ImGui::SetCursorScreenPos({corner.x, y});
        const auto row = segments.subspan(first, std::min(count, segments.size() - first));
        const int before = static_cast<int>(first);
        if (const auto index = segment_row(canvas, row, chosen - before, width, label)) pressed = before + *index;
        y += control_height(canvas) + 4;
    }
    return pressed == chosen ? std::nullopt : pressed;
}

void put_tooltip(const Look& look, std::string_view title, std::string_view formula, std::string_view meaning) {
    if (!ImGui::IsItemHovered(ImGuiHoveredFlags_ForTooltip)) return;
    constexpr float kWidest = 300;
    if (begin_tip(last_item_box())) {
        ImGui::PushTextWrapPos(kWidest);
        const auto line = [](const TextStyle& style, std::string_view text) {
            if (text.empty()) return;
            const std::string shown = drawable(text);
            ImGui::PushFont(style.font, style.size);
            ImGui::PushStyleColor(ImGuiCol_Text, style.color);
            ImGui::TextUnformatted(shown.data(), shown.data() + shown.size());
            ImGui::PopStyleColor();
            ImGui::PopFont();
        };
        line(formula.empty() && meaning.empty() ? body(look) : bold(look), title);
        line(mono(look), formula);
        line(small(look), meaning);
        ImGui::PopTextWrapPos();
        end_tip();
    }
}

}  // namespace attn
