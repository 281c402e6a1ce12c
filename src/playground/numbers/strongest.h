// Helps to find something among many weights: the largest of a head, and the tokens that contain a text. Knows no
// screen.
#pragma once

#include <string_view>
#include <vector>

#include "playground/link/blanks.h"
#include "playground/numbers/evaluation.h"

namespace attn {

inline constexpr int kNumStrongest = 20;

struct StrongCell {
    Cell cell;
    float value = 0;
};

// The largest numbers of one head's weights, at most kNumStrongest, the largest first; of equal ones the earlier cell.
// Left out: blank ones, and the rows of queries that see a single key, whose weight is 1 whatever the numbers are.
// `evaluation` is complete.
std::vector<StrongCell> strongest_cells(const Evaluation& evaluation, TensorId stage, int head, const Blanks& blanks);

// The tokens that have `text` in them, whatever the case of its English letters; none for an empty one.
std::vector<int> tokens_with(const Evaluation& evaluation, std::string_view text);

}  // namespace attn
