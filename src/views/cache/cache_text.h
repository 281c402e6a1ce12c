// What view=cache says in words: the step, its announcement, the tables of the text version.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "playground/cache/cache_run.h"
#include "playground/text/text_table.h"

namespace attn {

// In place of the counts while Check me asks for them.
inline constexpr std::string_view kCountsBlank = "The counts are left blank: Check me asks for them.";

// "Prefill: the 4 tokens of the prompt at once." or "Step 2 of 7: “portrait” alone."
std::string cache_step_in_words(const CacheSplit& split, const Evaluation& evaluation);

// What a screen reader says of the view: the step, and what the two ways gave.
std::string announcement_of_cache(const PlaygroundState& state, const Evaluation& evaluation);

std::vector<TextTable> tables_of_cache(const PlaygroundState& state, const Evaluator& evaluator);

}  // namespace attn
