// Check me in view=cache: whole numbers of the cache to work out, and what was done otherwise when one is wrong.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "playground/cache/cache_counts.h"
#include "playground/check/check_me.h"

namespace attn {

struct CacheQuestion {
    std::string asks;     // "How many rows of keys and values do all 4 passes compute with a cache?"
    std::int64_t number;  // right
    std::string hint;     // how to go about it, without the number
    std::string formula;  // with it: "p + n − 1 = 6 + 4 − 1 = 9"
    std::vector<std::pair<std::int64_t, std::string>> slips;  // wrong numbers, and a sentence on each
};

// Of the legal inputs at this step: rows and score cells with a cache and without, numbers that a token adds to the
// cache, and, where heads share keys, which key head some query heads read (all count from 1).
std::vector<CacheQuestion> cache_questions(const Inputs& inputs, const Sizes& sizes, const CacheSplit& split);

struct CountJudgement {
    Verdict verdict = Verdict::unclear;
    std::string remark;
    std::string mistake = {};  // the known slip behind a wrong one: the sentence on it
};

// Right is the number itself; spaces and thousands' commas do not count.
CountJudgement judge_count(const CacheQuestion& question, std::string_view typed);

}  // namespace attn
