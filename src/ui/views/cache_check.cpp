// What playground/cache/cache_check asks, as a field and buttons.
#include "ui/views/cache_check.h"

#include <imgui.h>

#include "core/ground/check.h"
#include "playground/check/check_course.h"
#include "playground/numbers/recipe.h"
#include "playground/text/format.h"
#include "playground/text/notes.h"
#include "ui/frame/layout.h"
#include "ui/kit/fields.h"
#include "ui/kit/widgets.h"

namespace attn {
namespace {

constexpr float kFieldWidth = 130;

void tell_count(UiFrame& frame, std::string_view what) {
    frame.said.push_back(with_score(what, frame.next.view.score));
}

}  // namespace

void put_cache_check(UiFrame& frame, const CacheSplit& split) {
    CacheCheck& check = frame.session.cache_check();
    const bool begins = check.questions.empty() || !decide_same_numbers(check.inputs, frame.evaluator.inputs());
    AnswerLog& log = frame.session.answers().log;
    keep_cache_check(check, log, frame.evaluator.inputs(), frame.state.view, frame.evaluation.sizes, split);
    const CacheQuestion question = check.question();
    const bool is_asked_by_lesson = is_exercise(frame.state.view);  // this count alone
    put_heading(frame, is_asked_by_lesson ? std::string("CHECK ME")
                                          : concat("CHECK ME ", check.current + 1, " OF ", check.questions.size()));
    put_wrapped_text(bold(frame), question.asks);
    const std::string name = concat("count answer ", check.current + 1);
    if (check.wants_field || (begins && !frame.is_touch)) focus_next_field(concat("##", name).c_str());
    check.wants_field = false;
    if (const auto typed = edit_field(frame, name, "", kFieldWidth, 8)) {
        answer_count(frame.next.view, check, log, *typed);
        tell_count(frame, check.remark);
    }
    note_field(frame, name, question.asks, "");
    ImGui::SameLine(0, 8);
    if (check.is_solved && is_asked_by_lesson) {
        put_text(bold(frame), done_in_words(frame.state.view), control_height(frame) + 4);
    } else if (check.is_solved) {
        if (button(frame, "count next", "Next", ButtonKind::primary)) next_count(check);
    } else {
        if (button(frame, "count hint", "Hint", ButtonKind::quiet, check.num_hints == 0)) {
            hint_count(frame.next.view, check, log);
            tell_count(frame, question.hint);
        }
        ImGui::SameLine(0, 8);
        if (button(frame, "count show", "Show answer")) {
            show_count(frame.next.view, check, log);
            tell_count(frame, check.remark);
        }
    }
    if (check.num_hints > 0) put_wrapped_text(body(frame), question.hint);
    if (!check.remark.empty()) put_wrapped_text(body(frame), check.remark);
    if (const auto& score = frame.state.view.score)
        put_wrapped_text(small(frame), concat("Score: ", score_text(*score)));
    ImGui::Dummy({1, 6});
}

}  // namespace attn
