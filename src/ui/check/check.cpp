// Check me in place of a stage's picture: grid above, question below, and the button that begins and ends it.
#include "ui/check/check.h"

#include <algorithm>

#include "core/ground/check.h"
#include "core/operations/stage_words.h"
#include "playground/link/blanks.h"
#include "playground/link/hiding.h"
#include "playground/state/shapes.h"
#include "playground/state/view_table.h"
#include "playground/text/notes.h"
#include "ui/check/check_memory.h"
#include "ui/frame/layout.h"
#include "ui/frame/pins.h"
#include "ui/kit/lock.h"
#include "ui/kit/widgets.h"

namespace attn {
namespace {

std::string_view button_label(const Look& look, bool is_on) {
    if (look.is_small()) return is_on ? "Stop" : "Check";
    return is_on ? "Stop check" : "Check me";
}

bool put_button(UiFrame& frame, bool is_on, bool is_possible) {
    const std::string_view label = button_label(frame, is_on);
    if (!has_icons_beside_tabs(frame)) return button(frame, "check", label, ButtonKind::quiet, is_possible);
    return icon_button(frame, "check", is_on ? Icon::close : Icon::tick, label, is_possible);
}

// "‹ all 2 heads ›", "‹ head 1 of 2 ›"
void put_head_choice(UiFrame& frame) {
    const std::optional<int>& head = frame.state.view.head;
    const int count = frame.evaluation.sizes.num_heads;
    const std::string label = head ? concat("head ", *head + 1, " of ", count) : concat("all ", count, " heads");
    const auto go = [&](int next) {
        View& view = frame.next.view;
        view.head = next < 0 ? std::nullopt : std::optional(next);
        if (view.head && view.cell) view.cell->head = *view.head;
    };
    const int shown = head.value_or(-1);
    if (icon_button(frame, "head-", Icon::left, "Previous head", shown >= 0)) go(shown - 1);
    ImGui::SameLine();
    put_text(body(frame), label, control_height(frame) + 4);
    ImGui::SameLine();
    if (icon_button(frame, "head+", Icon::right, "Next head", shown + 1 < count)) go(shown + 1);
    ImGui::SameLine(0, 16);
}

void put_scope(UiFrame& frame) {
    const View& view = frame.state.view;
    const bool is_whole = view.check.size() == stage_table().size();
    const TensorId stage = view.stage;
    const bool is_small = frame.is_small();  // the words then fit beside the heads
    const std::vector<Segment> segments = {{concat("check=", tensor_name(stage)), is_small ? "stage" : "this stage"},
                                           {"check=all", is_small ? "all" : "whole case"}};
    const bool is_this_alone = view.check == std::set<TensorId>{stage};
    const float width = std::min(segmented_width(frame, segments), ImGui::GetContentRegionAvail().x);
    const auto chosen = segmented(frame, segments, is_whole ? 1 : is_this_alone ? 0 : -1, width, "check");
    if (!chosen) return;
    std::set<TensorId>& check = frame.next.view.check;
    check.clear();
    if (*chosen == 0) check.insert(stage);
    if (*chosen == 1) check = whole_case();
}

// Another view than the stage's own picture: it would give numbers away.
void put_hidden_view(UiFrame& frame) {
    ImGui::Dummy({1, 12});
    put_wrapped_text(body(frame), gives_away_in_words(frame.state));
    if (locks_control(frame.state.view, "view")) return;  // there is no way back
    ImGui::Dummy({1, 4});
    if (button(frame, "check numbers", "Back to the numbers", ButtonKind::primary))
        frame.next.view.view = ViewKind::matrix;
}

// The keyboard goes to the field when a check begins or another step asks. A finger has no keyboard before it asks for
// one, and that would cover the picture.
void begin_asking(const UiFrame& frame, CheckMemory& memory) {
    const View& view = frame.state.view;
    const std::string asked_by = is_exercise(view) ? concat(view.lesson, " ", view.step) : std::string();
    const int now = ImGui::GetFrameCount();
    const bool begins = memory.drawn_frame + 1 < now || memory.asked_by != asked_by;
    memory.drawn_frame = now;
    if (memory.asked_by != asked_by) memory.drafted.reset();  // the same cell in another step is another question
    memory.asked_by = asked_by;
    if (!begins) return;
    memory.after_right.reset();
    memory.wants_answer_field = memory.wants_answer_field || !frame.is_touch;
}

}  // namespace

CheckMemory& check_memory(Display& display) {
    std::shared_ptr<CheckMemory>& memory = display.memory.check;
    if (!memory) memory = std::make_shared<CheckMemory>();
    return *memory;
}

const Answer* CheckPicture::answer_to(const Question& question) const {
    return attn::answer_to(answers(), question);
}

void CheckPicture::go_to(const Question& question) const {
    frame.next.view.cell = question.cell();
}

std::optional<Question> CheckPicture::next_after(const Question& question) const {
    return question_after(questions, answers(), question);
}

float check_button_width(const Look& look) {
    if (has_icons_beside_tabs(look)) return control_height(look) + 4;
    const auto width = [&](bool is_on) { return text_size(body(look), button_label(look, is_on)).x; };
    return std::max(width(false), width(true)) + 24;
}

void put_check_button(UiFrame& frame) {
    const LockScope lock(frame, "check", frame.palette.paper);
    const bool is_on = is_asking(frame.state.view);
    const bool is_possible = can_toggle_check(frame.state, frame.evaluation);
    if (put_button(frame, is_on, is_possible)) {
        const Notes problem = toggle_check(frame.next, frame.session.answers(), frame.state, frame.evaluation);
        if (!problem.empty()) frame.notes = problem;
    }
    put_tooltip(frame, toggle_check_help(frame.state.view), {}, {});
}

void draw_check(UiFrame& frame) {
    const TensorId stage = frame.state.view.stage;
    if (!is_asked(frame.state, stage)) return put_hidden_view(frame);
    const bool has_other_numbers = keep_answers(frame.session.answers(), frame.next);
    if (has_other_numbers) check_memory(frame).drafted.reset();
    begin_asking(frame, check_memory(frame));
    CheckPicture picture = {.frame = frame,
                            .stage = stage,
                            .blanks = Blanks(frame.state),
                            .questions = asked_questions(frame.state, frame.evaluation),
                            .current = {},
                            .is_exercise = is_exercise(frame.state.view),
                            .is_out_of_date = has_other_numbers};
    ImGui::Dummy({1, 2});
    const bool has_heads = stage_info(stage).has_heads && frame.evaluation.sizes.num_heads > 1;
    const bool is_tight = frame.is_small() && has_lesson(frame);  // and the lesson says what it asks for
    if (!picture.is_exercise) {
        if (has_heads) put_head_choice(frame);
        if (has_heads || !is_tight) put_scope(frame);
    }
    if (picture.questions.empty()) {
        ImGui::Dummy({1, 8});
        put_wrapped_text(body(frame), concat(too_many_questions(frame.evaluation, stage), "."));
        return;
    }
    picture.current = current_question(frame.state, frame.session.answers(), picture.questions);
    const ImVec2 room = ImGui::GetContentRegionAvail();
    const float gap = ImGui::GetStyle().ItemSpacing.y;
    const float least = is_tight ? 202.0F : std::clamp(room.y * 0.42F, 150.0F, 230.0F);  // of the question
    const float grid =
        std::min(answer_grid_height(picture, room.x), std::max(room.y - least - gap, is_tight ? 60.0F : 80.0F));
    put_answer_grid(picture, {room.x, grid});
    put_question(picture, {room.x, std::max(room.y - grid - gap, is_tight ? 60.0F : least)});
}

void put_blank_arithmetic(UiFrame& frame, bool is_own) {
    put_wrapped_text(body(frame), blank_in_words(is_own));
    const bool is_locked = locks_control(frame.state.view, "check") || !shows_part(frame, "check");
    const TensorId stage = frame.state.view.stage;
    if (!is_own || is_locked || !frame.state.view.check.empty()) return;
    ImGui::Dummy({1, 4});
    if (button(frame, "check blank", "Type it", ButtonKind::primary)) {
        start_check(frame.next, frame.session.answers(), {stage});
        check_memory(frame).wants_answer_field = true;
    }
}

void put_blank_remark(Display& display) {
    const Inputs& inputs = display.state.inputs;
    const StageInfo& info = stage_info(display.state.view.stage);
    const StageWords words = stage_words(info.id, layer_parts(inputs), inputs.goal);
    put_wrapped_text(bold(display), info.name);
    put_wrapped_text(mono(display), words.formula);
    put_wrapped_text(small(display), words.meaning);
    ImGui::Dummy({1, 6});
    put_wrapped_text(body(display), is_blank(display.state, info.id)
                                        ? "These numbers are blank, for you to fill in."
                                        : "The arithmetic of these numbers would give away others that are blank.");
}

}  // namespace attn
