// view=compare: by how much the numbers of B differ from those of A. Knows numbers, no pixels.
#pragma once

#include <string>
#include <vector>

#include "playground/numbers/evaluation.h"
#include "playground/text/text_table.h"

namespace attn {

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

    // Whether no difference is larger than what float rounding leaves of equal numbers.
    bool is_rounding() const;
    float usual = 0;  // nineteen of twenty differences that are not 0 are at most so large
    // Where the colours of A - B end, at plus and minus this: at the largest difference; at twice the usual one where a
    // few are far larger, so that they do not take the colour from all others; where the largest is rounding, at the
    // largest number of A and B, so that it is no colour at all.
    float end_of_colors() const;
};

// One stage of one head of each. `a` has the stage.
Comparison compare(const Evaluation& a, const Evaluation& b, TensorId stage, int head_a, int head_b);

// "equal: every difference is 0", "largest difference 2.9802e−8: float rounding", ...; the reason where there is none.
std::string comparison_in_words(const Comparison& comparison);

// A, B and A - B as tables of text; what differs is in the title of B.
std::vector<TextTable> tables_of_compare(const PlaygroundState& state, const Evaluator& evaluator);

}  // namespace attn
