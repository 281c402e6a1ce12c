// The course of a check in view=cache: one count after another is asked for. A question counts once: as right if its
// first answer is, as asked as soon as it is judged or told. The picture and the text version both go by it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "playground/cache/cache_questions.h"

namespace attn {

// How far the visitor came: as long as the visit, and as long as the numbers are the same.
struct CacheCheck {
    Inputs inputs;
    int sentence = -1;
    std::string lesson;  // in whose step they are asked; empty: in none
    int step = 0;
    CacheSplit split;
    std::vector<CacheQuestion> questions;  // those that are open, and what was found out
    std::size_t current = 0;
    std::string remark;
    bool is_counted = false;   // the current question was answered wrong, or told
    bool is_solved = false;    // right, or told
    int num_hints = 0;         // of the current one: the way, then the formula
    bool wants_field = false;  // the keyboard goes to the field of the next one: the button that led there is gone
    int num_replaced = 0;      // of the log when it was last asked

    const CacheQuestion& question() const { return questions[current]; }
};

// To be called before it is read: begins anew where the sentence, its numbers or the step are others, with the first
// question answered where the log says so.
void keep_cache_check(CacheCheck& check, const AnswerLog& log, const Inputs& inputs, const View& view,
                      const Sizes& sizes, const CacheSplit& split);

// Each counts in the view's score, and stands in the log.
void answer_count(View& view, CacheCheck& check, AnswerLog& log, std::string_view typed);
void hint_count(View& view, CacheCheck& check, AnswerLog& log);
void show_count(View& view, CacheCheck& check, AnswerLog& log);

void next_count(CacheCheck& check);

}  // namespace attn
