// The minus, number and plus of a stepper, and the field that the number becomes.
#include "ui/kit/stepper.h"

#include <imgui_internal.h>  // ImGuiItemFlags_ButtonRepeat for a single item, and the keyboard's focus

#include <algorithm>

#include "core/ground/check.h"
#include "ui/kit/fields.h"

namespace attn {
namespace {

TextStyle value_style(const Look& look) {
    return body(look);
}
float end_width(const Look& look) {
    return look.is_touch ? 40.0F : 26.0F;
}

// The number, its name and the end that has the focus. Not inlined: it comes with a later part of the page.
[[gnu::noinline]] void tell_number(Canvas& canvas, const StepperLook& look, std::string_view value) {
    canvas.widgets.focus.label = look.label;
    canvas.widgets.focus.value = value;
}

bool end_button(Canvas& canvas, const std::string& name, Icon icon, bool is_enabled, const StepperLook& look,
                std::string_view value) {
    // A finger may be about to scroll, so it acts on lifting.
    ImGui::PushItemFlag(ImGuiItemFlags_ButtonRepeat, !canvas.is_touch);
    const ItemState state = item(canvas, name, {end_width(canvas), control_height(canvas)}, is_enabled);
    ImGui::PopItemFlag();
    if (state.is_focused) tell_number(canvas, look, value);
    const Palette& palette = canvas.palette;
    if (state.is_hovered || state.is_held) {
        const float inset = 2;
        fill_box({state.min.x + inset, state.min.y + inset}, {state.max.x - inset, state.max.y - inset},
                 mix(palette.panel, palette.ink, state.is_held ? 0.14F : 0.06F), kRounding - inset);
    }
    draw_icon(icon, state.center(), 12, is_enabled ? palette.soft_ink : mix(palette.panel, palette.soft_ink, 0.5F));
    return state.is_pressed;
}

// The number as a button; pressed, it becomes a field.
bool value_button(Canvas& canvas, const std::string& name, const std::string& value, const StepperLook& look,
                  float width) {
    const ItemState state = item(canvas, name, {width, control_height(canvas)});
    if (state.is_focused) tell_number(canvas, look, value);
    if (canvas.widgets.refocused_item == name) {
        ImGui::SetFocusID(ImGui::GetItemID(), ImGui::GetCurrentWindow());
        canvas.widgets.refocused_item.clear();
    }
    const float inset = 2;
    if (state.is_hovered) {
        fill_box({state.min.x, state.min.y + inset}, {state.max.x, state.max.y - inset},
                 mix(canvas.palette.panel, canvas.palette.ink, 0.06F), kRounding - inset);
    }
    draw_text_in(state.min, state.max, {0.5F, 0.5F}, value_style(canvas), shortened(value_style(canvas), value, width));
    return state.is_pressed;
}

std::optional<std::string> value_field(Canvas& canvas, const std::string& name, const std::string& value,
                                       std::string_view label, float width) {
    WidgetMemory& memory = canvas.widgets;
    if (!memory.typed_item_has_focus) ImGui::SetKeyboardFocusHere();
    const std::optional<std::string> typed = edit_field(canvas, name, value, width, 4);
    note_field(canvas, name, label, value);
    if (ImGui::IsItemActive()) {
        memory.typed_item_has_focus = true;
    } else if (memory.typed_item_has_focus) {
        memory.typed_item.clear();
        const bool was_left_by_key = ImGui::GetCurrentContext()->NavId == ImGui::GetItemID();
        if (was_left_by_key) memory.refocused_item = name;
    }
    return typed;
}

}  // namespace

float stepper_width(const Look& look, const std::string& value) {
    const float narrowest = look.is_touch ? 40.0F : 36.0F;
    constexpr float kWidest = 84;
    const float text = text_size(value_style(look), value).x + 16;
    return 2 * end_width(look) + std::clamp(text, narrowest, kWidest);
}

StepperEvent stepper(Canvas& canvas, const std::string& name, const std::string& value, const StepperLook& look,
                     float width) {
    StepperEvent event;
    const ImVec2 corner = ImGui::GetCursorScreenPos();
    const ImVec2 opposite = {corner.x + width, corner.y + control_height(canvas)};
    const float end = end_width(canvas);
    fill_box(corner, opposite, canvas.palette.panel);

    // An end held down until the last value still counts as pressed once.
    if (end_button(canvas, concat(name, "-"), Icon::minus, look.can_decrease, look, value) && look.can_decrease)
        event.step = -1;

    ImGui::SetCursorScreenPos({corner.x + end, corner.y});
    if (canvas.widgets.typed_item == name) {
        event.typed = value_field(canvas, name, value, look.label, width - 2 * end);
    } else if (value_button(canvas, name, value, look, width - 2 * end)) {
        canvas.widgets.typed_item = name;
        canvas.widgets.typed_item_has_focus = false;
    }

    ImGui::SetCursorScreenPos({opposite.x - end, corner.y});
    if (end_button(canvas, concat(name, "+"), look.more, look.can_increase, look, value) && look.can_increase)
        event.step = 1;

    frame_box(corner, opposite, canvas.palette.edge);
    return event;
}

}  // namespace attn
