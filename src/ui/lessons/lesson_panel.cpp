// The card of a lesson: its titles and icons, the words of the step, and Back and Next.
#include "ui/lessons/lesson_panel.h"

#include <algorithm>

#include "core/ground/check.h"
#include "playground/check/check_course.h"
#include "playground/lessons/lessons.h"
#include "playground/lessons/printed_check.h"
#include "playground/lessons/step_words.h"
#include "playground/link/own_task.h"
#include "ui/frame/layout.h"
#include "ui/kit/touch.h"
#include "ui/kit/widgets.h"
#include "ui/lessons/lesson_menu.h"
#include "ui/lessons/lesson_printed.h"

namespace attn {
namespace {

constexpr float kPadding = 14;
constexpr float kGap = 8;
constexpr float kLineGap = 2;
constexpr float kTitles = kHeadingSize + kTextSize + 4;  // lesson and step, one under the other
constexpr float kTableGap = 24;                          // between the text and the printed numbers beside it
constexpr float kNarrowestText = 230;
constexpr float kTallColumn = 600;  // a picture of which half is enough

// Where the step stands in the table of lessons.
struct Place {
    const Lesson* lesson;
    const LessonStep* step;
    std::size_t lesson_number;  // of ours, from 0; of a task after all of them

    int num_steps() const { return static_cast<int>(lesson->steps.size()); }
    bool is_own() const { return lesson_number == lessons().size(); }
};

Place place_of(const View& view) {
    const Lesson* lesson = lesson_of(view);
    ATTN_CHECK(lesson != nullptr, "no lesson is on");
    const std::size_t number =
        is_task(view.lesson) ? lessons().size() : static_cast<std::size_t>(lesson - lessons().data());
    return {.lesson = lesson, .step = step_of(view), .lesson_number = number};
}

float button_side(const Look& look) {
    return control_height(look) + 4;
}

// Whether a narrow column gives the titles lines of their own, below the icons, so that none is cut.
bool has_title_lines(const Display& display) {
    return has_lesson_beside(display) && !display.is_folded;
}

// Of what stands above Back and Next, or above the words: it is the same in all steps of a lesson.
float head_height(const Display& display, const Place& place, float width) {
    if (!has_title_lines(display)) return std::max(kTitles, button_side(display));
    return button_side(display) + wrapped_height(small(display), place.lesson->title, width);
}

// Of the step's title where it has lines of its own, above the words.
float own_title_height(const Display& display, const Place& place, float width) {
    return has_title_lines(display) ? wrapped_height(bold(display), place.step->title, width) + 2 * kLineGap : 0;
}

// Whether the visitor has changed anything since the step began.
bool is_changed(const Shown& shown, const Place& place) {
    PlaygroundState fresh = shown.state;
    go_to_step(fresh, *place.lesson, shown.state.view.step);
    return !(fresh == shown.state);
}

// --- Back, dots, Next ---

bool has_next(const Shown& shown, const Place& place) {
    return shown.state.view.step + 1 < place.num_steps() || place.lesson_number + 1 < lessons().size();
}

void go_on(UiFrame& frame, const Place& place) {
    const int next = frame.state.view.step + 1;
    if (next < place.num_steps()) return go_to_step(frame.next, *place.lesson, next);
    go_to_step(frame.next, lessons()[place.lesson_number + 1], 0);
}

float dot_width(const Look& look, const Place& place, float room) {
    const float wanted = look.is_touch ? 40.0F : 16.0F;
    return std::min(wanted, room / static_cast<float>(place.num_steps()));
}

// One dot a step, the present one filled and larger; smaller where many steps share a narrow card.
void put_dots(UiFrame& frame, const Place& place, float width) {
    const Palette& palette = frame.palette;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const float here = std::min(5.0F, width * 0.38F);
    const float other = std::min(3.5F, width * 0.27F);
    for (int i = 0; i < place.num_steps(); ++i) {
        if (i > 0) ImGui::SameLine(0, 0);
        const ItemState dot = item(frame, concat("step=", i + 1), {width, button_side(frame)});
        const bool is_here = i == frame.state.view.step;
        const std::string_view title = place.lesson->steps[static_cast<std::size_t>(i)].title;
        if (dot.is_focused) call_item(frame, dot, concat("step ", i + 1, ", ", title, is_here ? ", chosen" : ""));
        const ImU32 color = is_here || dot.is_hovered ? palette.accent : palette.soft_ink;
        if (is_here) {
            list.AddCircleFilled(dot.center(), here, color);
        } else {
            list.AddCircle(dot.center(), other, color, 0, 1.4F);
        }
        put_tooltip(frame, title, {}, {});
        if (dot.is_pressed) go_to_step(frame.next, *place.lesson, i);
    }
}

float text_button_width(const Look& look, std::string_view label) {
    return text_size(body(look), label).x + 24;  // as button() draws it
}

// A step asks for numbers, and not all of them are right: Next can be pressed, but is not what comes next.
bool waits_for_answer(const UiFrame& frame) {
    if (frame.session.prediction().is_open()) return true;
    if (!is_exercise(frame.state.view)) return false;
    const CacheCheck& counts = frame.session.cache_check();  // whose first question is the lesson's
    if (frame.state.view.view == ViewKind::cache) return counts.current == 0 && !counts.is_solved;
    return !is_exercise_done(frame.state, frame.evaluation, frame.session.answers());
}

std::string_view next_label(const Shown& shown, const Place& place) {
    return shown.state.view.step + 1 < place.num_steps() || place.is_own() ? "Next" : "Next lesson";
}

// Back at the left end of the line that begins at `corner`, Next at its right end, the dots between them. The place is
// the same in all steps: a card that takes the inspector's column, too, leaves it free here.
void put_way(UiFrame& frame, const Place& place, ImVec2 corner, float width) {
    const int step = frame.state.view.step;
    const std::string_view label = next_label(frame, place);
    width -= room_of_inspector(frame);
    const float next = text_button_width(frame, label);
    const float room = width - text_button_width(frame, "Back") - next - 2 * kGap;
    ImGui::SetCursorScreenPos(corner);
    if (button(frame, "step-", "Back", ButtonKind::quiet, step > 0)) go_to_step(frame.next, *place.lesson, step - 1);
    call_last_item(frame, "Back, key B");
    put_tooltip(frame, "key B", {}, {});
    ImGui::SameLine(0, kGap);
    put_dots(frame, place, dot_width(frame, place, room));
    ImGui::SetCursorScreenPos({corner.x + width - next, corner.y});
    const ButtonKind kind = waits_for_answer(frame) ? ButtonKind::quiet : ButtonKind::primary;
    if (button(frame, "step+", label, kind, has_next(frame, place))) go_on(frame, place);
    call_last_item(frame, concat(label, ", key N"));
    put_tooltip(frame, "key N", {}, {});
}

// N goes on and B goes back, wherever the focus is, but where something is typed.
void take_step_keys(UiFrame& frame, const Place& place) {
    const ImGuiIO& io = ImGui::GetIO();
    const bool is_elsewhere = ImGui::IsPopupOpen(nullptr, ImGuiPopupFlags_AnyPopup) || io.WantTextInput;
    if (is_elsewhere || io.KeyCtrl || io.KeyAlt || io.KeySuper) return;
    const int step = frame.state.view.step;
    for (const ImWchar typed : io.InputQueueCharacters) {
        if ((typed == 'n' || typed == 'N') && has_next(frame, place)) return go_on(frame, place);
        if ((typed == 'b' || typed == 'B') && step > 0) return go_to_step(frame.next, *place.lesson, step - 1);
    }
}

// --- the card ---

// Lesson and step, beside the icons; cut where they share one line.
void put_titles(Display& display, const Place& place, float width, float icons) {
    const ImVec2 corner = ImGui::GetCursorScreenPos();
    const TextStyle small_caps = {display.fonts.sans_bold, kHeadingSize, display.palette.soft_ink};
    const std::string number = concat(place.is_own() ? std::string("TASK") : concat("LESSON ", place.lesson_number + 1),
                                      " · ", display.state.view.step + 1, " of ", place.num_steps());
    if (has_title_lines(display)) {
        draw_text({corner.x, corner.y + (button_side(display) - kHeadingSize) / 2}, small_caps,
                  shortened(small_caps, number, width - icons));
        ImGui::SetCursorScreenPos({corner.x, corner.y + button_side(display)});
        return put_wrapped_text(small(display), place.lesson->title);
    }
    const float room = width - icons;
    const float top = corner.y + (head_height(display, place, width) - kTitles) / 2;
    draw_text({corner.x, top}, small_caps, shortened(small_caps, concat(number, " · ", place.lesson->title), room));
    draw_text({corner.x, top + kHeadingSize + 3}, bold(display), shortened(bold(display), place.step->title, room));
}

// Which buttons stand there beside the two that always do.
struct Icons {
    bool has_sheet = false;
    bool has_again = false;

    int count() const { return 2 + (has_sheet ? 1 : 0) + (has_again ? 1 : 0); }
};

// The sheet once something was answered here; a narrow card offers to start over only where that has an effect.
Icons icons_of(const UiFrame& frame, const Place& place, float width) {
    constexpr float kNarrow = 420;
    return {.has_sheet = has_sheet(frame, lesson_in_log(place.lesson->name)),
            .has_again = width >= kNarrow || has_title_lines(frame) || is_changed(frame, place)};
}

float icons_width(const Look& look, int count) {
    return static_cast<float>(count) * (button_side(look) + kGap) - kGap;
}

// The sheet, start over, fold, leave: at the right end of the line that begins at `corner`.
void put_icons(UiFrame& frame, const Place& place, ImVec2 corner, float width) {
    const Icons icons = icons_of(frame, place, width);
    bool& is_folded = frame.memory.is_lesson_folded;
    const float line = has_title_lines(frame) ? button_side(frame) : head_height(frame, place, width);
    ImGui::SetCursorScreenPos(
        {corner.x + width - icons_width(frame, icons.count()), corner.y + (line - button_side(frame)) / 2});
    if (icons.has_sheet) {
        put_sheet_icon(frame);
        ImGui::SameLine(0, kGap);
    }
    if (icons.has_again) {
        if (icon_button(frame, "step=again", Icon::again, "Start this step over", is_changed(frame, place)))
            go_to_step(frame.next, *place.lesson, frame.state.view.step);
        ImGui::SameLine(0, kGap);
    }
    if (icon_button(frame, "lesson=fold", is_folded ? Icon::up : Icon::down,
                    is_folded ? "Show the text" : "Hide the text"))
        is_folded = !is_folded;
    call_last_item(frame, is_folded ? "Show the lesson’s text" : "Hide the lesson’s text");
    ImGui::SameLine(0, kGap);
    if (icon_button(frame, "lesson=leave", Icon::close, "Leave the lesson; the numbers stay"))
        leave_lesson(frame.next.view);
}

// Text and printed numbers: side by side if there is room, else one below the other.
struct Words {
    StepWords said;
    std::vector<PrintedTable> tables;
    PrintedLayout printed;
    float text_width = 0;
    bool is_beside = false;
    float height = 0;  // without scrolling
};

Words words_of(const Display& display, float width) {
    Words words;
    words.said = step_words(display.state, display.evaluation);
    if (display.evaluator.is_complete()) words.tables = check_printed(display.state.view, display.evaluation);
    const float beside = width - kTableGap - kNarrowestText;
    words.printed = layout_printed(display, words.tables, beside);
    words.is_beside = !words.tables.empty() && !words.printed.is_cut && words.printed.width <= beside;
    if (!words.is_beside) words.printed = layout_printed(display, words.tables, width);
    words.text_width = words.is_beside ? width - words.printed.width - kTableGap : width;
    if (!has_title_lines(display)) words.said.goal = {};  // a phone and a low window have no room for it
    float text = wrapped_height(body(display), words.said.text, words.text_width);
    if (!words.said.goal.empty()) text += wrapped_height(small(display), words.said.goal, words.text_width) + kLineGap;
    if (!words.said.answer.empty())
        text += wrapped_height(bold(display), words.said.answer, words.text_width) + kLineGap;
    words.height = words.is_beside ? std::max(text, words.printed.height) : text + words.printed.height;
    return words;
}

void put_words(Display& display, float width) {
    const Words words = words_of(display, width);
    const ImVec2 corner = ImGui::GetCursorPos();
    ImGui::PushTextWrapPos(corner.x + words.text_width);
    if (!words.said.goal.empty()) put_wrapped_text(small(display), words.said.goal);
    if (!words.said.answer.empty()) put_wrapped_text(bold(display), words.said.answer);
    put_wrapped_text(body(display), words.said.text);
    ImGui::PopTextWrapPos();
    if (words.tables.empty()) return;
    if (words.is_beside) ImGui::SetCursorPos({corner.x + words.text_width + kTableGap, corner.y});
    put_printed_tables(display, words.tables, words.printed);
}

std::string keep_line(std::string_view sentence) {
    return concat("• ", sentence);
}

// What to keep of the lesson stands behind all that its last step asks; 0 in other steps.
float keep_height(const Display& display, const Place& place, float width) {
    if (place.step->keep.empty()) return 0;
    float height = kGap + wrapped_height(bold(display), kKeepTitle, width) + kLineGap;
    if (display.is_small()) return height;  // the rest scrolls: the picture keeps its rows
    for (const std::string_view sentence : place.step->keep)
        height += wrapped_height(body(display), keep_line(sentence), width) + kLineGap;
    return height;
}

// Not inlined: a lesson's last step needs it, the first picture does not.
[[gnu::noinline]] void put_keep(Display& display, const Place& place) {
    if (place.step->keep.empty()) return;
    ImGui::Dummy({1, kGap - kLineGap});
    put_wrapped_text(bold(display), kKeepTitle);
    for (const std::string_view sentence : place.step->keep) put_wrapped_text(body(display), keep_line(sentence));
}

}  // namespace

float lesson_panel_height(UiFrame& frame, ImVec2 column) {
    if (!has_lesson(frame)) return 0;
    const float width = column.x - 2 * kPadding;
    const Place place = place_of(frame.state.view);
    const float head = head_height(frame, place, width) + 2 * kGap;
    if (frame.memory.is_lesson_folded) return head;
    const float way = button_side(frame) + kGap;
    const float least = head + way + 2 * kTextSize;
    const float prediction = prediction_height(frame, width);
    const float own_title = own_title_height(frame, place, width);
    const float words =
        own_title + words_of(frame, width).height + prediction + keep_height(frame, place, width) + kGap;
    if (has_lesson_beside(frame)) {
        constexpr float kMost = 0.75F;  // of the inspector's column
        return has_inspector(frame) ? std::min(head + way + words, std::max(least, column.y * kMost)) : column.y;
    }
    // All choices are in sight where half of the column is enough for the picture: a map needs its rows.
    const bool has_half = column.y >= kTallColumn || frame.state.view.view != ViewKind::matrix;
    const bool needs_all = prediction > 0 && has_half && !saves_height(frame);
    const float most = needs_all ? 0.55F : 0.42F;
    return std::min(head + way + words, std::max(least, column.y * most));
}

void draw_lesson_panel(UiFrame& frame, ImVec2 size) {
    if (!has_lesson(frame)) return;
    const Place place = place_of(frame.state.view);
    if (!ImGui::GetIO().InputQueueCharacters.empty()) take_step_keys(frame, place);
    const Palette& palette = frame.palette;
    const ImVec2 corner = ImGui::GetCursorScreenPos();
    fill_box(corner, {corner.x + size.x, corner.y + size.y}, palette.panel, 0);
    ImGui::GetWindowDrawList()->AddLine(corner, {corner.x + size.x, corner.y}, palette.accent, 2);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(kPadding, kGap));
    ImGui::BeginChild("lesson", size, ImGuiChildFlags_NavFlattened | ImGuiChildFlags_AlwaysUseWindowPadding,
                      ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
    ImGui::PopStyleVar();
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(6, kLineGap));

    const float width = size.x - 2 * kPadding;
    const ImVec2 start = ImGui::GetCursorScreenPos();
    put_titles(frame, place, width, icons_width(frame, icons_of(frame, place, width).count()) + 2 * kGap);
    put_icons(frame, place, start, width);
    const float head = head_height(frame, place, width);

    if (!frame.memory.is_lesson_folded) {
        const float way = button_side(frame) + kGap;
        // Beside the picture the card is of several heights, and its top stays.
        const float above = has_lesson_beside(frame) ? way : 0;
        const float own_title = own_title_height(frame, place, width);
        ImGui::SetCursorScreenPos({start.x, start.y + head + kGap + above});
        if (own_title > 0) put_wrapped_text(bold(frame), place.step->title);
        ImGui::SetCursorScreenPos({start.x, start.y + head + kGap + above + own_title});
        ImGui::BeginChild("words", {width, size.y - head - 3 * kGap - way - own_title}, ImGuiChildFlags_NavFlattened,
                          ImGuiWindowFlags_HorizontalScrollbar);
        if (frame.memory.scroll_frames > 0) ImGui::SetScrollY(0);  // a new step
        put_words(frame, ImGui::GetContentRegionAvail().x);
        put_prediction(frame, ImGui::GetContentRegionAvail().x);
        put_keep(frame, place);
        scroll_by_finger(frame);
        ImGui::EndChild();
        const float top = above > 0 ? start.y + head + kGap : corner.y + size.y - kGap - button_side(frame);
        put_way(frame, place, {start.x, top}, width);
    }
    ImGui::PopStyleVar();
    ImGui::EndChild();
}

}  // namespace attn
