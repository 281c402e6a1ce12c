#include "ui/lesson_menu.h"

#include <algorithm>

#include "core/check.h"
#include "playground/lessons.h"
#include "ui/touch.h"
#include "ui/widgets.h"

namespace attn {
namespace {

constexpr const char* kMenu = "lesson list";
constexpr const char* kLabel = "Lessons";
constexpr float kIndent = 12;
constexpr float kNumberWidth = 26;

// "step 3 of 5" for a lesson that the visitor was in; empty for one that is new.
std::string place_in(const UiFrame& frame, const Lesson& lesson) {
    const auto place = frame.memory.lesson_steps.find(std::string(lesson.name));
    if (place == frame.memory.lesson_steps.end()) return {};
    return concat("step ", place->second + 1, " of ", lesson.steps.size());
}

// One lesson: its number, title, where the visitor was, and what it is about.
bool put_entry(UiFrame& frame, const Lesson& lesson, std::size_t number, float width) {
    constexpr float kPadding = 6;
    const Palette& palette = frame.palette;
    const float text_width = width - kNumberWidth - 2 * kIndent;
    const float about_height = wrapped_height(small(frame), lesson.about, text_width);
    const float height = std::max(control_height(frame), kTextSize + about_height + 2 * kPadding + 2);
    const ItemState entry = item(frame, concat("lesson=", lesson.name), {width, height});
    const bool is_on = frame.state.view.lesson == lesson.name;
    if (is_on || entry.is_hovered) fill_box(entry.min, entry.max, palette.chip);
    if (is_on) fill_box(entry.min, {entry.min.x + 3, entry.max.y}, palette.accent, 2);

    const ImVec2 corner = {entry.min.x + kIndent, entry.min.y + kPadding};
    TextStyle number_style = body(frame);
    number_style.color = palette.soft_ink;
    draw_text(corner, number_style, concat(number));
    const ImVec2 text = {corner.x + kNumberWidth, corner.y};
    const std::string place = place_in(frame, lesson);
    TextStyle place_style = small(frame);
    place_style.color = palette.accent;
    const float place_width = place.empty() ? 0 : text_size(place_style, place).x + 10;
    draw_text(text, bold(frame), shortened(bold(frame), lesson.title, text_width - place_width));
    if (!place.empty()) draw_text({entry.max.x - kIndent - place_width + 10, text.y + 1}, place_style, place);

    ImGui::SetCursorScreenPos({text.x, text.y + kTextSize + 2});
    ImGui::PushTextWrapPos(text.x - ImGui::GetWindowPos().x + text_width);
    put_wrapped_text(small(frame), lesson.about);
    ImGui::PopTextWrapPos();
    ImGui::SetCursorScreenPos(entry.min);
    ImGui::Dummy({width, height});
    return entry.is_pressed;
}

void open_lesson(UiFrame& frame, const Lesson& lesson) {
    const auto place = frame.memory.lesson_steps.find(std::string(lesson.name));
    go_to_step(frame.state, lesson, place == frame.memory.lesson_steps.end() ? 0 : place->second);
    frame.memory.is_lesson_folded = false;
}

void put_list(UiFrame& frame) {
    constexpr float kWidest = 520;
    const ImVec2 display = ImGui::GetIO().DisplaySize;
    const float width = std::min(kWidest, display.x - 40);
    ImGui::SetNextWindowSizeConstraints({width + 16, 0}, {width + 32, display.y - 24});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(8, 8));
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, 2));
    const bool is_open = ImGui::BeginPopup(kMenu, ImGuiWindowFlags_NoMove);
    ImGui::PopStyleVar();
    if (is_open) {
        const std::span<const Lesson> all = lessons();
        for (std::size_t i = 0; i < all.size(); ++i) {
            if (!put_entry(frame, all[i], i + 1, width)) continue;
            open_lesson(frame, all[i]);
            ImGui::CloseCurrentPopup();
        }
        scroll_by_finger(frame);
        ImGui::EndPopup();
    }
    ImGui::PopStyleVar();
}

}  // namespace

float lesson_button_width(const UiFrame& frame) {
    return text_size(body(frame), kLabel).x + 2 * kIndent;
}

void put_lesson_button(UiFrame& frame) {
    if (button(frame, "lessons", kLabel)) ImGui::OpenPopup(kMenu);
    put_list(frame);
}

}  // namespace attn
