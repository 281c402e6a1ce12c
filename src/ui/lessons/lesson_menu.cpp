// The list of lessons under its button, in groups: title, time, subject, and a dot for each step. Above them the sheet
// of what was answered, which the page shows.
#include "ui/lessons/lesson_menu.h"

#include <algorithm>
#include <optional>
#include <set>
#include <string>

#include "core/ground/check.h"
#include "playground/lessons/lessons.h"
#include "playground/text/notes.h"
#include "ui/kit/touch.h"
#include "ui/kit/widgets.h"

namespace attn {
namespace {

constexpr const char* kMenu = "lesson list";
constexpr const char* kLabel = "Lessons";
constexpr float kIndent = 12;
constexpr std::string_view kSheetHelp = "What you answered: to look at, to print, to hand in";
constexpr float kNumberWidth = 26;

std::set<int> visited_in(const PanelMemory& memory, const Lesson& lesson) {
    const auto steps = memory.visited_steps.find(std::string(lesson.name));
    return steps == memory.visited_steps.end() ? std::set<int>() : steps->second;
}

// The step at which the visitor left the lesson off, if it was the last one; a lesson that is on is not left.
std::optional<int> left_at(const Display& display, const Lesson& lesson) {
    const PanelMemory& memory = display.memory;
    const bool is_left = memory.last_lesson == lesson.name && display.state.view.lesson != lesson.name;
    return is_left ? std::optional(memory.last_step) : std::nullopt;
}

// One dot a step, filled where the visitor was, with a ring around `current`. `first` is the middle of the first.
void draw_dots(const Palette& palette, ImVec2 first, float distance, std::size_t num_steps,
               const std::set<int>& visited, std::optional<int> current) {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    for (std::size_t i = 0; i < num_steps; ++i) {
        const ImVec2 middle = {first.x + distance * static_cast<float>(i), first.y};
        if (visited.contains(static_cast<int>(i))) {
            list.AddCircleFilled(middle, 3, palette.accent);
        } else {
            list.AddCircle(middle, 2.5F, palette.soft_ink, 0, 1);
        }
        if (current == static_cast<int>(i)) list.AddCircle(middle, 5.5F, palette.accent, 0, 1.5F);
    }
}

// The lesson as a screen reader hears it. The first of a group also says which group begins.
std::string words_of(const Display& display, const Lesson& lesson, std::size_t number, std::size_t num_seen) {
    const std::size_t index = number - 1;
    const bool begins_group = index == 0 || lessons()[index - 1].group != lesson.group;
    const std::optional<int> left = left_at(display, lesson);
    return concat(begins_group ? concat(lesson.group, ": ") : "", "lesson ", number, ", ", lesson.title, ", ",
                  minutes_of(lesson), " minutes, ", num_seen, " of ", lesson.steps.size(), " steps seen",
                  left ? concat(", you left off at step ", *left + 1) : "",
                  display.state.view.lesson == lesson.name ? ", chosen" : "", ": ", lesson.about);
}

// One lesson: its number, title, how long it takes, what it is about, which steps the visitor saw, and where the
// visitor left off.
bool put_entry(Display& display, const Lesson& lesson, std::size_t number, float width) {
    constexpr float kPadding = 6;
    constexpr float kMinutes = 56;  // the room of "12 min"
    constexpr float kDistance = 9;  // from one dot to the next
    constexpr float kDotLine = 16;  // the height of dots that stand below the words
    constexpr float kRoomy = 360;   // narrower, dots beside the title would leave it too little room
    const Palette& palette = display.palette;
    const float text_width = width - kNumberWidth - 2 * kIndent;
    const bool has_dots_below = text_width < kRoomy;
    const std::size_t num_steps = lesson.steps.size();
    const float dots = kDistance * static_cast<float>(num_steps);
    const float title_width = text_width - kMinutes - (has_dots_below ? 0 : dots);
    const std::optional<int> left = left_at(display, lesson);
    const std::string left_words = left ? concat("You left off at step ", *left + 1, ".") : "";
    const float title_height = wrapped_height(bold(display), lesson.title, title_width);
    const float left_height = left ? kSmallSize + 2 : 0;
    const float words_height = title_height + wrapped_height(small(display), lesson.about, text_width) + 2 +
                               left_height + (has_dots_below ? kDotLine : 0);
    const float height = std::max(control_height(display), words_height + 2 * kPadding);
    const ItemState entry = item(display, concat("lesson=", lesson.name), {width, height});
    const bool is_on = display.state.view.lesson == lesson.name;
    if ((left || is_on) && ImGui::IsWindowAppearing()) ImGui::SetScrollHereY();
    const std::set<int> visited = visited_in(display.memory, lesson);
    if (entry.is_focused) call_item(display, entry, words_of(display, lesson, number, visited.size()));
    if (is_on || entry.is_hovered) fill_box(entry.min, entry.max, palette.chip);
    if (is_on || left) fill_box(entry.min, {entry.min.x + 3, entry.max.y}, palette.accent, 2);

    const ImVec2 corner = {entry.min.x + kIndent, entry.min.y + kPadding};
    TextStyle number_style = body(display);
    number_style.color = palette.soft_ink;
    draw_text(corner, number_style, concat(number));
    const ImVec2 text = {corner.x + kNumberWidth, corner.y};
    const float right = entry.max.x - kIndent;
    const auto put_lines = [&](float top, const TextStyle& style, std::string_view words, float room) {
        ImGui::SetCursorScreenPos({text.x, top});
        ImGui::PushTextWrapPos(text.x - ImGui::GetWindowPos().x + room);
        put_wrapped_text(style, words);
        ImGui::PopTextWrapPos();
    };
    put_lines(text.y, bold(display), lesson.title, title_width);
    const ImVec2 first_dot = has_dots_below ? ImVec2(text.x + 3, text.y + words_height - kDotLine / 2 + 2)
                                            : ImVec2(right - kMinutes - dots + kDistance, text.y + kTextSize / 2);
    draw_dots(palette, first_dot, kDistance, num_steps, visited, is_on ? std::optional(display.state.view.step) : left);
    const TextStyle soft = {display.fonts.sans, kSmallSize, palette.soft_ink};
    draw_text_in({right - kMinutes, text.y}, {right, text.y + kTextSize}, {1, 0.5F}, soft,
                 concat(minutes_of(lesson), " min"));
    const float about = text.y + title_height + 2;
    put_lines(about, small(display), lesson.about, text_width);
    const ImVec2 below = {text.x, text.y + words_height - (has_dots_below ? kDotLine : 0) - left_height + 2};
    if (left) draw_text(below, {display.fonts.sans, kSmallSize, palette.link}, left_words);
    ImGui::SetCursorScreenPos(entry.min);
    ImGui::Dummy({width, height});
    return entry.is_pressed;
}

// The heading above the lessons of a group.
void put_group(const Look& look, std::string_view title) {
    ImGui::Dummy({1, 4});
    ImGui::SetCursorPosX(ImGui::GetCursorPosX() + kIndent);
    put_text({look.fonts.sans_bold, kTextSize, look.palette.soft_ink}, title);
}

void request_sheet(UiFrame& frame) {
    frame.requests.push_back({.kind = UiRequest::Kind::sheet, .what = {}, .options = {}, .text = {}, .index = 0});
}

// Above the lessons: what was answered in all of them.
void put_sheet_entry(UiFrame& frame, float width) {
    const std::size_t count = frame.session.answers().log.records().size();
    const std::string label = concat("Your answers: ", counted(static_cast<int>(count), "question"));
    ImGui::SetCursorPosX(ImGui::GetCursorPosX() + kIndent);
    if (button(frame, "sheet=all", shortened(body(frame), label, width - 3 * kIndent))) {
        request_sheet(frame);
        ImGui::CloseCurrentPopup();
    }
    put_tooltip(frame, kSheetHelp, {}, {});
}

// Not inlined: it comes with a later part of the page.
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
        if (has_sheet(frame, {})) put_sheet_entry(frame, width);
        for (std::size_t i = 0; i < all.size(); ++i) {
            if (i == 0 || all[i].group != all[i - 1].group) put_group(frame, all[i].group);
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

// Not inlined, nor the next, as above.
[[gnu::noinline]] bool has_sheet(const UiFrame& frame, std::string_view lesson) {
    const std::vector<AnswerRecord>& records = frame.session.answers().log.records();
    return frame.surroundings.page_shows_sentence && std::ranges::any_of(records, [&](const AnswerRecord& record) {
               return lesson.empty() || record.place.lesson == lesson;
           });
}

[[gnu::noinline]] void put_sheet_icon(UiFrame& frame) {
    if (icon_button(frame, "sheet", Icon::sheet, "Your answers")) request_sheet(frame);
    put_tooltip(frame, kSheetHelp, {}, {});
}

float lesson_button_width(const Look& look) {
    return text_size(body(look), kLabel).x + 2 * kIndent;
}

// Not inlined, as above.
[[gnu::noinline]] void open_lesson(UiFrame& frame, const Lesson& lesson) {
    const PanelMemory& memory = frame.memory;
    const auto place = memory.lesson_steps.find(std::string(lesson.name));
    const int left = left_at(frame, lesson).value_or(0);
    go_to_step(frame.next, lesson, place == memory.lesson_steps.end() ? left : place->second);
    frame.memory.is_lesson_folded = false;
}

void put_lesson_button(UiFrame& frame) {
    if (button(frame, "lessons", kLabel)) ImGui::OpenPopup(kMenu);
    if (ImGui::IsPopupOpen(kMenu)) put_list(frame, last_item_box());
}

}  // namespace attn
