// Judges counts and keeps the score of them.
#include "playground/cache/cache_check.h"

#include <algorithm>

#include "core/ground/check.h"
#include "playground/check/answers.h"
#include "playground/numbers/recipe.h"

namespace attn {
namespace {

void count_question(View& view, CacheCheck& check, bool is_right) {
    if (check.is_counted) return;
    check.is_counted = true;
    Score score = view.score.value_or(Score());
    ++score.asked;
    if (is_right) ++score.right;
    view.score = score;
}

// "count[2]": the second question, after so many tokens.
AnswerPlace place_of(const CacheCheck& check) {
    View view;
    view.lesson = check.lesson;
    view.step = check.step;
    const CacheSplit& split = check.split;
    return answer_place(view, check.inputs, check.sentence,
                        concat("count[", check.current + 1, ",", split.prompt, ",", split.at, "]"));
}

void bring_back_count(CacheCheck& check, const AnswerLog& log) {
    check.num_replaced = log.num_replaced();
    const AnswerRecord* record = check.questions.empty() ? nullptr : log.find(place_of(check));
    if (record == nullptr || check.is_solved) return;
    check.is_counted = record->tries > 0 || record->is_told;
    check.is_solved = record->is_done();
    check.num_hints = std::min(record->hints, 1);
    if (check.is_solved) check.remark = check.question().formula;
}

}  // namespace

void keep_cache_check(CacheCheck& check, const AnswerLog& log, const Inputs& inputs, const View& view,
                      const Sizes& sizes, const CacheSplit& split) {
    const bool is_same_step = check.lesson == view.lesson && (view.lesson.empty() || check.step == view.step);
    const bool is_same = is_same_step && !check.questions.empty() && check.split == split &&
                         check.sentence == view.sentence && decide_same_numbers(check.inputs, inputs);
    if (is_same && check.num_replaced == log.num_replaced()) return;
    if (!is_same)
        check = {.inputs = inputs,
                 .sentence = view.sentence,
                 .lesson = view.lesson,
                 .step = view.step,
                 .split = split,
                 .questions = cache_questions(inputs, sizes, split),
                 .remark = {}};
    bring_back_count(check, log);
}

void answer_count(View& view, CacheCheck& check, AnswerLog& log, std::string_view typed) {
    const CountJudgement judgement = judge_count(check.question(), typed);
    check.remark = judgement.remark;
    if (judgement.verdict == Verdict::unclear) return;
    check.is_solved = judgement.verdict == Verdict::right;
    if (check.is_solved) check.remark += concat(" ", check.question().formula);
    count_question(view, check, check.is_solved);
    log_try(log, place_of(check), check.question().asks, typed, check.is_solved, judgement.mistake);
}

void hint_count(View& view, CacheCheck& check, AnswerLog& log) {
    if (check.num_hints > 0) return;
    log_hint(log, place_of(check), check.question().asks);
    ++check.num_hints;
    Score score = view.score.value_or(Score());
    ++score.hints;
    view.score = score;
}

void show_count(View& view, CacheCheck& check, AnswerLog& log) {
    log_told(log, place_of(check), check.question().asks);
    check.remark = check.question().formula;
    check.is_solved = true;
    count_question(view, check, false);
}

void next_count(CacheCheck& check) {
    check.current = (check.current + 1) % check.questions.size();
    check.remark.clear();
    check.is_counted = check.is_solved = false;
    check.num_hints = 0;
    check.wants_field = true;
}

}  // namespace attn
