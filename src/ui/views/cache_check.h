// Check me in view=cache: one count after another is asked for.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "playground/cache/cache_questions.h"
#include "ui/frame/frame.h"

namespace attn {

// How far the visitor came: as long as the visit, and as long as the numbers are the same.
struct CacheCheck {
    int version = -1;  // of the evaluation
    CacheSplit split;
    std::vector<CacheQuestion> questions;  // those that are open, and what was found out
    std::size_t current = 0;
    std::string remark;
    bool is_counted = false;  // the current question was answered wrong, or told
    bool is_solved = false;   // right, or told
    int num_hints = 0;        // of the current one: the way, then the formula
};

// The question, its field and its buttons. The score goes into the next state.
void put_cache_check(UiFrame& frame, CacheCheck& check, const CacheSplit& split);

}  // namespace attn
