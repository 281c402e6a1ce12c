// Puts the label, control and help of one setting; reads and writes its value by the key table.
#include "ui/kit/setting_rows.h"

#include <imgui_internal.h>  // which item has the focus

#include <algorithm>
#include <limits>
#include <vector>

#include "core/ground/check.h"
#include "playground/link/choice_labels.h"
#include "playground/link/hiding.h"
#include "playground/link/state_url.h"
#include "ui/kit/widgets.h"

namespace attn {
namespace {

constexpr float kHelpPadding = 8;  // above and below the help

// What the help says. The words of a choice can be seen on its control; the range of a number cannot.
std::string help_text(const Display& display) {
    if (display.memory.helped_key.empty()) {
        return display.is_touch ? "Touch a setting to read what it does." : "Point at a setting to read what it does.";
    }
    const KeyInfo& info = key_info(display.memory.helped_key);
    const bool is_number = info.kind == KeyKind::whole_number || info.kind == KeyKind::number;
    const std::string_view locked =
        locks_control(display.state.view, display.memory.helped_key) ? " Fixed by the author of this page." : "";
    return is_number ? concat(info.help(), " (", info.legal(), ")", locked.empty() ? "" : ".", locked)
                     : concat(info.help(), locked.empty() ? "" : ".", locked);
}

std::optional<std::string> whole_between(int value, int low, int high) {
    return value >= low && value <= high ? std::optional(concat(value)) : std::nullopt;
}

}  // namespace

Steps whole_steps(int value, int step, int low, int high) {
    return {.less = whole_between(value - step, low, high), .more = whole_between(value + step, low, high)};
}

Steps steps_along(const std::vector<int>& list, int value) {
    Steps steps;
    for (const int count : list) {
        if (count < value) steps.less = concat(count);
        if (count > value && !steps.more) steps.more = concat(count);
    }
    return steps;
}

void put_remark(const Look& look, const std::string& text) {
    ImGui::SetCursorPosY(ImGui::GetCursorPosY() - 4);
    put_wrapped_text(small(look), text);
}

void set_value(UiFrame& frame, std::string_view key, std::string_view value) {
    Notes fresh;
    key_info(key).read(frame.next, value, fresh);
    if (!fresh.empty()) frame.notes.clear();
    for (const std::string& note : fresh) frame.session.note_failure(note);
}

SettingRow::SettingRow(UiFrame& frame, std::string_view key, std::string_view label)
    : frame_(frame),
      key_(key),
      corner_(ImGui::GetCursorScreenPos()),
      width_(ImGui::GetContentRegionAvail().x),
      first_item_(frame.items.size()) {
    if (label.empty()) label = key_info(key).label;
    label_width_ = text_size(body(frame), label).x;
    const float height = control_height(frame);
    ImGui::Dummy({label_width_, height});
    draw_text_in(corner_, {corner_.x + label_width_, corner_.y + height}, {0, 0.5F}, body(frame), label);
    if (!locks_control(frame.state.view, key)) return;
    constexpr float kLock = 11;
    draw_icon(Icon::lock, {corner_.x + label_width_ + 6 + kLock / 2, corner_.y + height / 2}, kLock,
              frame.palette.soft_ink);
    label_width_ += 6 + kLock;
}

SettingRow::~SettingRow() {
    lock_.reset();
    const ImGuiContext& context = *ImGui::GetCurrentContext();
    const ImVec2 opposite = {corner_.x + width_, ImGui::GetCursorScreenPos().y - ImGui::GetStyle().ItemSpacing.y};
    bool is_pointed_at = ImGui::IsWindowHovered(ImGuiHoveredFlags_AllowWhenBlockedByActiveItem) &&
                         ImGui::IsMouseHoveringRect(corner_, opposite);
    for (std::size_t i = first_item_; i < frame_.items.size(); ++i) {
        const ImGuiID id = frame_.items[i].id;
        is_pointed_at = is_pointed_at || id == context.ActiveId || (id == context.NavId && context.NavCursorVisible);
    }
    if (is_pointed_at) frame_.memory.helped_key = key_;
}

float SettingRow::place_control(float width, bool stretches) {
    const bool fits = label_width_ + 12 + width <= width_;
    const float given = !fits && stretches ? width_ : std::min(width, width_);
    const float y = fits ? corner_.y : corner_.y + control_height(frame_) - 2;
    ImGui::SetCursorScreenPos({corner_.x + width_ - given, y});
    lock_ = std::make_unique<LockScope>(frame_, key_, frame_.palette.panel);
    return given;
}

void choice_row(UiFrame& frame, std::string_view key) {
    const KeyInfo& info = key_info(key);
    ATTN_CHECK(info.kind == KeyKind::choice, key, " is no choice");
    if (hides_control(frame.state.view, key)) return;
    const std::string now = info.write(frame.state).front();
    std::vector<Segment> segments;
    int chosen = -1;
    for (const std::string_view choice : info.choices) {
        if (choice == now) chosen = static_cast<int>(segments.size());
        segments.push_back({.name = concat(key, "=", choice), .label = std::string(choice_label(key, choice))});
    }
    SettingRow row(frame, key);
    const float width = row.place_control(segmented_width(frame, segments), true);
    if (const auto index = segmented(frame, segments, chosen, width)) {
        set_value(frame, key, info.choices[static_cast<std::size_t>(*index)]);
    }
}

void flag_row(UiFrame& frame, std::string_view key, bool value) {
    if (hides_control(frame.state.view, key)) return;
    SettingRow row(frame, key);
    row.place_control(toggle_width(frame));
    if (toggle(frame, std::string(key), value)) set_value(frame, key, value ? "0" : "1");
}

void number_row(UiFrame& frame, std::string_view key, const std::string& value, const Steps& steps) {
    if (hides_control(frame.state.view, key)) return;
    SettingRow row(frame, key);
    const float width = row.place_control(stepper_width(frame, value));
    const StepperLook look = {.can_decrease = steps.less.has_value(), .can_increase = steps.more.has_value()};
    const StepperEvent event = stepper(frame, std::string(key), value, look, width);
    if (event.step < 0) set_value(frame, key, *steps.less);
    if (event.step > 0) set_value(frame, key, *steps.more);
    if (event.typed) set_value(frame, key, *event.typed);
}

void seed_row(UiFrame& frame, std::string_view key, std::uint64_t seed) {
    if (hides_control(frame.state.view, key)) return;
    SettingRow row(frame, key);
    const std::string value = concat(seed);
    const float width = row.place_control(stepper_width(frame, value));
    const StepperLook look = {.can_decrease = seed > 0,
                              .can_increase = seed < std::numeric_limits<std::uint64_t>::max(),
                              .more = Icon::again};
    const StepperEvent event = stepper(frame, std::string(key), value, look, width);
    if (event.step < 0) set_value(frame, key, concat(seed - 1));
    if (event.step > 0) set_value(frame, key, concat(seed + 1));
    if (event.typed) set_value(frame, key, *event.typed);
}

SettingHelp setting_help(const Display& display, float width) {
    constexpr float kUsualLines =
        4;  // nearly all helps' below their title: so the rows' end rarely moves under the pointer
    const std::string& key = display.memory.helped_key;
    SettingHelp help = {.title = key.empty() ? std::string() : std::string(key_info(key).label),
                        .text = help_text(display),
                        .size = {width, 0}};
    const float usual = kUsualLines * wrapped_height(small(display), "x", width);
    help.size.y = kSmallSize + std::max(usual, wrapped_height(small(display), help.text, width)) + 2 * kHelpPadding;
    return help;
}

void put_setting_help(const Look& look, const SettingHelp& help) {
    const ImVec2 corner = ImGui::GetCursorScreenPos();
    ImGui::GetWindowDrawList()->AddLine(corner, {corner.x + help.size.x, corner.y}, look.palette.line);
    ImGui::SetCursorScreenPos({corner.x, corner.y + kHelpPadding});
    ImGui::BeginGroup();
    ImGui::PushTextWrapPos(ImGui::GetCursorPosX() + help.size.x);
    if (!help.title.empty()) {
        TextStyle title = small(look);
        title.font = look.fonts.sans_bold;
        put_wrapped_text(title, help.title);
        ImGui::SetCursorPosY(ImGui::GetCursorPosY() - ImGui::GetStyle().ItemSpacing.y);
    }
    put_wrapped_text(small(look), help.text);
    ImGui::PopTextWrapPos();
    ImGui::EndGroup();
    ImGui::SetCursorScreenPos(corner);
    ImGui::Dummy(help.size);
}

}  // namespace attn
