// The question below the grid: its words, the verdict on the answer, hints, and further buttons.
#include "core/ground/check.h"
#include "core/operations/stage_words.h"
#include "playground/lessons/step_words.h"
#include "playground/state/shapes.h"
#include "scene/kit/figure_text.h"
#include "ui/check/check.h"
#include "ui/check/check_memory.h"
#include "ui/frame/layout.h"
#include "ui/frame/pins.h"
#include "ui/kit/touch.h"
#include "ui/kit/widgets.h"

namespace attn {

namespace {

// Goes on the same line if the next button fits there.
void flow(const Look& look, std::string_view next_label) {
    ImGui::SameLine();
    if (ImGui::GetContentRegionAvail().x < text_size(body(look), next_label).x + 24) ImGui::NewLine();
}

void put_buttons(const CheckPicture& picture) {
    UiFrame& frame = picture.frame;
    PlaygroundState other = frame.state;
    const bool has_others = take_new_numbers_of_step(other);
    const std::string_view why_none = why_no_new_numbers(frame.state);
    if (picture.current && !is_solved(picture.answers(), *picture.current)) {
        const Question question = *picture.current;
        const std::string hint = next_hint_label(picture.answer_to(question));
        if (!hint.empty()) {
            if (button(frame, "check hint", hint)) tell_hint(picture, question);
            put_tooltip(frame, "Shift+Enter in the field", {}, {});
            flow(frame, "Show answer");
        }
        if (button(frame, "check show", "Show answer")) tell_answer(picture, question);
        put_tooltip(frame, ImGui::GetIO().ConfigMacOSXBehaviors ? "⌘Enter in the field" : "Ctrl+Enter in the field", {},
                    {});
        if (has_others || !why_none.empty()) flow(frame, "New numbers");
    }
    if (!has_others && why_none.empty()) return;
    if (button(frame, "check new", "New numbers", ButtonKind::quiet, has_others))
        frame.next.inputs = std::move(other.inputs);
    if (!has_others) put_tooltip(frame, why_none, {}, {});
}

// Green for what is right, red for what is not, both bold.
TextStyle verdict_style(const Look& look, const Answer* answer, bool is_after_right) {
    const bool is_judged = answer != nullptr && answer->verdict && *answer->verdict != Verdict::unclear;
    if (!is_judged || answer->is_shown) {
        TextStyle style = body(look);
        if (is_after_right) style.color = right_color(look.palette);
        return style;
    }
    TextStyle style = bold(look);
    style.color = answer->verdict == Verdict::right ? right_color(look.palette) : look.palette.warning;
    return style;
}

}  // namespace

ImU32 right_color(const Palette& palette) {
    if (palette.warning == palette.ink) return palette.ink;
    return palette.is_dark ? IM_COL32(0x74, 0xcf, 0x94, 255) : IM_COL32(0x1b, 0x73, 0x40, 255);
}

void tell_hint(const CheckPicture& picture, const Question& question) {
    UiFrame& frame = picture.frame;
    take_hint(frame.next, picture.answers(), frame.evaluation, question);
    const std::vector<std::string> hints = hints_of(frame.state, picture.answers(), frame.evaluation, question);
    if (!hints.empty()) frame.said.push_back(concat("Hint: ", hints.back()));
}

void tell_answer(const CheckPicture& picture, const Question& question) {
    UiFrame& frame = picture.frame;
    show_answer(frame.next, picture.answers(), frame.evaluation, question);
    if (const Answer* given = picture.answer_to(question))
        frame.said.push_back(with_score(given->remark, frame.next.view.score));
}

void put_question(const CheckPicture& picture, ImVec2 size) {
    Display& display = picture.frame;
    const ImVec2 corner = ImGui::GetCursorScreenPos();
    ImGui::GetWindowDrawList()->AddLine(corner, {corner.x + size.x, corner.y}, display.palette.line);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(3, 8));
    ImGui::BeginChild("question", size, ImGuiChildFlags_NavFlattened | ImGuiChildFlags_AlwaysUseWindowPadding);
    ImGui::PopStyleVar();
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(6, 4));
    const StageWords words = stage_words(picture.stage, layer_parts(display.state.inputs), display.state.inputs.goal);
    if (picture.current) {
        const Question& question = *picture.current;
        put_text(bold(display), question_in_words(display.evaluation, question));
        put_wrapped_text(small(display), concat(stage_info(picture.stage).name, " = ", words.formula));
        const Answer* answer = picture.answer_to(question);
        const bool has_remark = answer != nullptr && !answer->remark.empty();
        const bool is_after_right = check_memory(display).after_right == picture.current;
        const std::string_view how = is_after_right                              ? "Right. Now this one. "
                                     : display.is_small() && has_lesson(display) ? ""
                                                                                 : "Type the number and press Enter. ";
        put_wrapped_text(verdict_style(display, answer, is_after_right),
                         has_remark ? answer->remark : concat(how, judging_rule()));
        if (picture.is_exercise && is_solved(picture.answers(), question) && !picture.next_after(question))
            put_wrapped_text(bold(display), done_in_words(display.state.view));
        put_buttons(picture);  // above the hints, which then do not push them away
        for (const std::string& line : needs_of(display.state, picture.answers(), display.evaluation, question))
            put_wrapped_text(mono(display), line);
        for (const std::string& hint : hints_of(display.state, picture.answers(), display.evaluation, question))
            put_wrapped_text(mono(display), hint);
    } else {
        put_wrapped_text(bold(display), done_in_words(display.state.view));
        put_buttons(picture);
    }
    const std::optional<Score>& score = display.state.view.score;
    if (score) put_wrapped_text(bold(display), concat("Score: ", score_text(*score)));
    ImGui::PopStyleVar();
    scroll_by_finger(display);
    ImGui::EndChild();
}

}  // namespace attn
