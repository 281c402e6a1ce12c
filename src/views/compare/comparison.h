// view=compare: by how much the numbers of B differ from those of A. Knows numbers, no pixels.
#pragma once

#include <string>
#include <vector>

#include "playground/numbers/evaluation.h"
#include "playground/text/text_table.h"

namespace attn {

struct Comparison {
    Matrix a, b;         // from shown_matrix; size 0 if the state has no such stage
    std::string reason;  // why there is no difference, as a sentence; empty when there is one
    // a - b. -inf if both are hidden, NaN if only one is and the other is a score. A hidden weight counts as 0.
    Matrix difference;
    float largest = 0;         // the largest absolute value of the finite differences
    std::string largest_at;    // where it stands: "“woman” → “artist”"; by place if the sentences differ
    float largest_number = 0;  // the largest absolute value of the finite numbers of A and B
    int num_not_numbers = 0;   // NaN or infinite cells that are not hidden in both
    bool has_same_tokens = false;

    // Whether float rounding explains every difference.
    bool is_rounding() const;
    float usual = 0;  // 19 of 20 differences other than 0 are at most this large
    // The colours of A - B end at plus and minus this: the largest difference; twice the usual one if a few are far
    // larger and would leave the others pale; and the largest number of A and B if all differences are rounding, which
    // then gets no colour.
    float end_of_colors() const;
};

// Compares one stage of one head of each. `a` has the stage.
Comparison compare(const Evaluation& a, const Evaluation& b, TensorId stage, int head_a, int head_b);

// "equal: every difference is 0", "largest difference 2.9802e−8: float rounding", ...; the reason if there is no
// difference.
std::string comparison_in_words(const Comparison& comparison);

// A, B and A - B as tables of text; the title of B says what differs.
std::vector<TextTable> tables_of_compare(const PlaygroundState& state, const Evaluator& evaluator);

}  // namespace attn
