// Judges counts and keeps the score of them.
#include "playground/cache/cache_check.h"

#include "core/ground/check.h"
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

}  // namespace

void keep_cache_check(CacheCheck& check, const Inputs& inputs, int sentence, const Sizes& sizes,
                      const CacheSplit& split) {
    const bool is_same = !check.questions.empty() && check.split == split && check.sentence == sentence &&
                         decide_same_numbers(check.inputs, inputs);
    if (is_same) return;
    check = {.inputs = inputs,
             .sentence = sentence,
             .split = split,
             .questions = cache_questions(inputs, sizes, split),
             .remark = {}};
}

void answer_count(View& view, CacheCheck& check, std::string_view typed) {
    const CountJudgement judgement = judge_count(check.question(), typed);
    check.remark = judgement.remark;
    if (judgement.verdict == Verdict::unclear) return;
    check.is_solved = judgement.verdict == Verdict::right;
    if (check.is_solved) check.remark += concat(" ", check.question().formula);
    count_question(view, check, check.is_solved);
}

void hint_count(View& view, CacheCheck& check) {
    if (check.num_hints > 0) return;
    ++check.num_hints;
    Score score = view.score.value_or(Score());
    ++score.hints;
    view.score = score;
}

void show_count(View& view, CacheCheck& check) {
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
