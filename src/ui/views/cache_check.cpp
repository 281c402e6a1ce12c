// A question counts once: as right if its first answer is, as asked as soon as it is judged or told.
#include "ui/views/cache_check.h"

#include <imgui.h>

#include "core/ground/check.h"
#include "playground/check/check_me.h"
#include "playground/text/format.h"
#include "playground/text/notes.h"
#include "ui/frame/layout.h"
#include "ui/kit/fields.h"
#include "ui/kit/widgets.h"

namespace attn {
namespace {

constexpr float kFieldWidth = 130;

void count(UiFrame& frame, CacheCheck& check, bool is_right) {
    if (check.is_counted) return;
    check.is_counted = true;
    Score score = frame.next.view.score.value_or(Score());
    ++score.asked;
    if (is_right) ++score.right;
    frame.next.view.score = score;
}

void take_answer(UiFrame& frame, CacheCheck& check, const std::string& typed) {
    const CacheQuestion& question = check.questions[check.current];
    const CountJudgement judgement = judge_count(question, typed);
    check.remark = judgement.remark;
    if (judgement.verdict == Verdict::unclear) return;
    check.is_solved = judgement.verdict == Verdict::right;
    if (check.is_solved) check.remark += concat(" ", question.formula);
    count(frame, check, check.is_solved);
}

void go_on(CacheCheck& check) {
    check.current = (check.current + 1) % check.questions.size();
    check.remark.clear();
    check.is_counted = check.is_solved = false;
    check.num_hints = 0;
}

}  // namespace

void put_cache_check(UiFrame& frame, CacheCheck& check, const CacheSplit& split) {
    if (check.version != frame.version || check.split != split) {
        check = {.version = frame.version,
                 .split = split,
                 .questions = cache_questions(frame.evaluator.inputs(), frame.evaluation.sizes, split),
                 .remark = {}};
    }
    const CacheQuestion question = check.questions[check.current];
    put_heading(frame, concat("CHECK ME ", check.current + 1, " OF ", check.questions.size()));
    put_wrapped_text(bold(frame), question.asks);
    const std::string name = concat("count answer ", check.current + 1);
    if (const auto typed = edit_field(frame, name, "", kFieldWidth, 8)) take_answer(frame, check, *typed);
    note_field(frame, name, question.asks, "");
    ImGui::SameLine(0, 8);
    if (check.is_solved) {
        if (button(frame, "count next", "Next", ButtonKind::primary)) go_on(check);
    } else {
        if (button(frame, "count hint", "Hint", ButtonKind::quiet, check.num_hints == 0)) {
            ++check.num_hints;
            Score score = frame.next.view.score.value_or(Score());
            ++score.hints;
            frame.next.view.score = score;
        }
        ImGui::SameLine(0, 8);
        if (button(frame, "count show", "Show answer")) {
            check.remark = question.formula;
            check.is_solved = true;
            count(frame, check, false);
        }
    }
    if (check.num_hints > 0) put_wrapped_text(body(frame), question.hint);
    if (!check.remark.empty()) put_wrapped_text(body(frame), check.remark);
    if (const auto& score = frame.state.view.score)
        put_wrapped_text(small(frame), concat("Score: ", score_text(*score)));
    ImGui::Dummy({1, 6});
}

}  // namespace attn
