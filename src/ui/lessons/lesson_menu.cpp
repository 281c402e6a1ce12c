// The list of lessons under its button: title, time, subject, and a dot for each step.
#include "ui/lessons/lesson_menu.h"

#include <algorithm>
#include <set>

#include "core/ground/check.h"
#include "playground/lessons/lessons.h"
#include "ui/kit/touch.h"
#include "ui/kit/widgets.h"

namespace attn {
namespace {

constexpr const char* kMenu = "lesson list";
constexpr const char* kLabel = "Lessons";
constexpr float kIndent = 12;
constexpr float kNumberWidth = 26;

std::set<int> visited_in(const PanelMemory& memory, const Lesson& lesson) {
    const auto steps = memory.visited_steps.find(std::string(lesson.name));
    return steps == memory.visited_steps.end() ? std::set<int>() : steps->second;
}

// One dot a step, filled where the visitor was. `first` is the middle of the first.
void draw_dots(const Palette& palette, ImVec2 first, float distance, std::size_t num_steps,
               const std::set<int>& visited) {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    for (std::size_t i = 0; i < num_steps; ++i) {
        const ImVec2 middle = {first.x + distance * static_cast<float>(i), first.y};
        if (visited.contains(static_cast<int>(i))) {
            list.AddCircleFilled(middle, 3, palette.accent);
        } else {
            list.AddCircle(middle, 2.5F, palette.soft_ink, 0, 1);
        }
    }
}

// One lesson: its number, title, how long it takes, what it is about, and which steps the visitor saw.
bool put_entry(Display& display, const Lesson& lesson, std::size_t number, float width) {
    constexpr float kPadding = 6;
    constexpr float kMinutes = 56;  // the room of "12 min"
    constexpr float kDistance = 9;  // from one dot to the next
    constexpr float kDotLine = 14;  // the height of dots that stand below the words
    constexpr float kRoomy = 360;   // narrower, dots beside the title would leave it too little room
    const Palette& palette = display.palette;
    const float text_width = width - kNumberWidth - 2 * kIndent;
    const float about_height = wrapped_height(small(display), lesson.about, text_width);
    const bool has_dots_below = text_width < kRoomy;
    const float words_height = kTextSize + about_height + 2 + (has_dots_below ? kDotLine : 0);
    const float height = std::max(control_height(display), words_height + 2 * kPadding);
    const ItemState entry = item(display, concat("lesson=", lesson.name), {width, height});
    const bool is_on = display.state.view.lesson == lesson.name;
    const std::set<int> visited = visited_in(display.memory, lesson);
    const std::size_t num_steps = lesson.steps.size();
    if (entry.is_focused)
        call_item(display, entry,
                  concat("lesson ", number, ", ", lesson.title, ", ", minutes_of(lesson), " minutes, ", visited.size(),
                         " of ", num_steps, " steps seen", is_on ? ", chosen" : "", ": ", lesson.about));
    if (is_on || entry.is_hovered) fill_box(entry.min, entry.max, palette.chip);
    if (is_on) fill_box(entry.min, {entry.min.x + 3, entry.max.y}, palette.accent, 2);

    const ImVec2 corner = {entry.min.x + kIndent, entry.min.y + kPadding};
    TextStyle number_style = body(display);
    number_style.color = palette.soft_ink;
    draw_text(corner, number_style, concat(number));
    const ImVec2 text = {corner.x + kNumberWidth, corner.y};
    const float dots = kDistance * static_cast<float>(num_steps);
    const float right = entry.max.x - kIndent;
    const float title_width = text_width - kMinutes - (has_dots_below ? 0 : dots);
    draw_text(text, bold(display), shortened(bold(display), lesson.title, title_width));
    const ImVec2 first_dot = has_dots_below ? ImVec2(text.x + 3, text.y + words_height - kDotLine / 2 + 2)
                                            : ImVec2(right - kMinutes - dots + kDistance, text.y + kTextSize / 2);
    draw_dots(palette, first_dot, kDistance, num_steps, visited);
    const TextStyle soft = {display.fonts.sans, kSmallSize, palette.soft_ink};
    draw_text_in({right - kMinutes, text.y}, {right, text.y + kTextSize}, {1, 0.5F}, soft,
                 concat(minutes_of(lesson), " min"));

    ImGui::SetCursorScreenPos({text.x, text.y + kTextSize + 2});
    ImGui::PushTextWrapPos(text.x - ImGui::GetWindowPos().x + text_width);
    put_wrapped_text(small(display), lesson.about);
    ImGui::PopTextWrapPos();
    ImGui::SetCursorScreenPos(entry.min);
    ImGui::Dummy({width, height});
    return entry.is_pressed;
}

void open_lesson(UiFrame& frame, const Lesson& lesson) {
    const auto place = frame.memory.lesson_steps.find(std::string(lesson.name));
    go_to_step(frame.next, lesson, place == frame.memory.lesson_steps.end() ? 0 : place->second);
    frame.memory.is_lesson_folded = false;
}

// Not inlined: it comes with the second part of the page.
[[gnu::noinline]] void put_list(UiFrame& frame, const ScreenBox& button) {
    constexpr float kWidest = 680;
    const ImVec2 display = ImGui::GetIO().DisplaySize;
    const float width = std::min(kWidest, display.x - 40);
    const PopupPlace place = popup_place(button, width + 16, display);
    place_next_popup(place);
    ImGui::SetNextWindowSizeConstraints({width + 16, 0}, {width + 16, place.most_height});
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, 2));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(8, 8));
    const bool is_open = ImGui::BeginPopup(kMenu, ImGuiWindowFlags_NoMove);
    ImGui::PopStyleVar();
    if (is_open) {
        const std::span<const Lesson> all = lessons();
        for (std::size_t i = 0; i < all.size(); ++i) {
            // A scrolling list loses some width to its bar.
            if (!put_entry(frame, all[i], i + 1, std::min(width, ImGui::GetContentRegionAvail().x))) continue;
            open_lesson(frame, all[i]);
            ImGui::CloseCurrentPopup();
        }
        scroll_by_finger(frame);
        ImGui::EndPopup();
    }
    ImGui::PopStyleVar();
}

}  // namespace

float lesson_button_width(const Look& look) {
    return text_size(body(look), kLabel).x + 2 * kIndent;
}

void put_lesson_button(UiFrame& frame) {
    if (button(frame, "lessons", kLabel)) ImGui::OpenPopup(kMenu);
    if (ImGui::IsPopupOpen(kMenu)) put_list(frame, last_item_box());
}

}  // namespace attn
