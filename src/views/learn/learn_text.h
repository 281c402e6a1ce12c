// view=learn in words and as tables of text: see view_text.h.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "playground/text/text_table.h"
#include "views/learn/film_strip.h"
#include "views/learn/next_words.h"

namespace attn {

// What the view says instead of a curve where there is no goal, or no target.
std::string_view no_goal_in_words(const Inputs& inputs);

// Whether there is nothing to learn yet, so that no curve is shown.
bool has_nothing_to_learn(const Inputs& inputs);

// States to begin with: the present one with other keys.
struct LearnExample {
    std::string_view name;   // of its button
    std::string_view label;  // on it
    std::string_view link;
};
inline constexpr LearnExample kLearnExamples[] = {
    {"learn=readings", "Two heads, two readings: brush → artist, brush → woman",
     "view=learn&goal=pattern&target=1:10>1&target=2:10>7&optimizer=adam&rate=0.05&steps=150"},
    {"learn=next", "The next word", "view=learn&d_out=8&goal=next&optimizer=adam&rate=0.05&steps=150"}};

// The losses at some steps with their bound, each map of the strip (of a long text only its rows with targets), the
// next words. Earlier maps are trained for this where that takes no more than kMaxTextCost.
std::vector<TextTable> tables_of_learn(const PlaygroundState& state, const Evaluator& evaluator);
inline constexpr double kMaxTextCost = 2e8;  // multiply-adds

// What a screen reader says of the view: the loss and its bound.
std::string announcement_of_learn(const PlaygroundState& state, const Evaluation& evaluation);

}  // namespace attn
