// What the first and the last colour of a stage's maps stand for, and what else is true of all its maps together.
// Knows no screen.
#pragma once

#include <functional>
#include <string>

#include "playground/evaluation.h"

namespace attn {

inline constexpr int kManyTokens = 16;

struct StageSummary {
    float largest = 0;              // the largest absolute value among the finite numbers
    float ceiling = 1;              // weights: 1, 0.5, 0.2, 0.1, ... that at most one row in four goes beyond
    bool has_hidden = false;        // at least one hidden cell
    bool hides_only_future = true;  // every hidden cell has its key after its query
};

// `map_of` gives the maps 0 to num_maps - 1: shown_matrix of each head, or all heads together. Numbers that are not
// finite do not count.
StageSummary summarize_stage(const Evaluation& evaluation, TensorId stage, int num_maps,
                             const std::function<Matrix(int)>& map_of);

// One range for all heads; low < high. Weights: 0 to 1, so that pictures can be compared; dropped weights: 0 to
// 1 / (1 - p), the most they can be. With more than kManyTokens most weights would be too close to 0 to be told apart,
// so the range ends at the summary's ceiling (times 1 / (1 - p)), and what lies above has the last colour. Signed
// stages: plus and minus the largest absolute value.
struct StageRange {
    float low = 0;
    float high = 1;
};
StageRange stage_range(const Evaluation& evaluation, TensorId stage, const StageSummary& summary);

// An end of the range as legends print it, without the zeros at the end: "1", "0.05", "−2.1968".
std::string range_end_text(float value);

}  // namespace attn
