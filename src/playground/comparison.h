// view=compare: the state B beside the shown state A, in which keys the two differ, and by how much their numbers do.
// Knows links and numbers, no pixels.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "playground/evaluation.h"
#include "playground/notes.h"
#include "playground/view_text.h"

namespace attn {

// What a link keeps of B: its inputs, its sentence and its head, as write_link gives them. How they are looked at is
// A's business, so the other keys are left out; whatever else had to be changed is noted, "B: " in front. Empty for an
// empty link, and for one beyond kMaxCompareBytes (with a note). What it returns it would return again, without notes.
std::string legal_compare(std::string_view link, Notes& notes);

// The link of `state` as B.
std::string link_as_other(const PlaygroundState& state);

// B becomes what is shown and the shown state becomes B; how they are looked at stays. There must be a B.
void swap_with_other(PlaygroundState& state);

// A state one step away from the shown one, worth comparing it with.
struct QuickOther {
    std::string_view name;  // "seed"
    std::string label;      // "seed 124"
    std::string link;       // as legal_compare leaves it
};

// Those that make sense for this state: without what was typed, another seed, ...
std::vector<QuickOther> quick_others(const PlaygroundState& state);

// How B differs from A, one entry a key: "seed 124 instead of 123". Empty when both are the same.
std::vector<std::string> differences_in_words(const PlaygroundState& a, const PlaygroundState& b);

// The head that a state is compared by: the enlarged one, or else the first.
int compared_head(const PlaygroundState& state);

struct Comparison {
    Matrix a, b;         // as shown_matrix gives them; size 0 where the state has no such stage
    std::string reason;  // why there is no difference, as a sentence; empty when there is one
    // a - b. -inf where both are hidden, NaN where only one is and the other is a score. A hidden weight counts as 0.
    Matrix difference;
    float largest = 0;         // the largest absolute value of the finite differences
    std::string largest_at;    // where it stands: "“woman” → “artist”"; by place where the sentences differ
    float largest_number = 0;  // the largest absolute value of the finite numbers of A and B
    int num_not_numbers = 0;   // cells that are NaN or infinite although they are not hidden in both
    bool has_same_tokens = false;
};

// One stage of one head of each. `a` has the stage.
Comparison compare(const Evaluation& a, const Evaluation& b, TensorId stage, int head_a, int head_b);

// "equal: every difference is 0", "largest difference 2.9802e−8: float rounding", ...; the reason where there is none.
std::string comparison_in_words(const Comparison& comparison);

// A, B and A - B as tables of text; what differs is in the title of B.
std::vector<TextTable> comparison_tables(const PlaygroundState& state, const Evaluator& evaluator);

}  // namespace attn
