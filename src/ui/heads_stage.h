// The chosen stage as the picture shows it: its size, its numbers, the range of its colours. Knows no pixels.
#pragma once

#include <cstdint>

#include "playground/evaluation.h"
#include "render/colormap.h"
#include "ui/heads_memory.h"

namespace attn {

inline constexpr int kManyTokens = 16;

struct ShownStage {
    const Evaluation& evaluation;  // not empty, and it has the stage
    const StageInfo& info;
    int num_maps = 1;  // one a head, or one for all
    int rows = 0;
    int columns = 0;
    std::uint64_t content_version = 0;  // names the numbers: another version, other numbers
    StageSummary summary;
    // What the first and the last colour stand for, one range for all heads; low < high. Weights: 0 to 1, so that
    // pictures can be compared; dropped weights: 0 to 1 / (1 - p), the most they can be. With more than kManyTokens
    // most weights would be too close to 0 to be told apart, so the range ends at the summary's ceiling (times 1 / (1 -
    // p)), and what lies above has the last colour. Signed stages: plus and minus the largest absolute value.
    float low = 0;
    float high = 1;

    // Whether numbers above `high` are drawn in its colour.
    bool is_cut() const { return !info.is_signed && summary.ceiling < 1; }
    bool has_keys() const { return info.columns == Axis::key_token; }
    ColorMap map() const { return info.is_signed ? ColorMap::diverging : ColorMap::sequential; }
};

// `version` counts the evaluations. `memory` keeps what is slow to find out.
ShownStage shown_stage(const Evaluation& evaluation, int version, TensorId stage, HeadsMemory& memory);

// One row of one head: row `row` of shown_matrix, -inf in hidden cells.
Vector shown_row(const ShownStage& stage, int head, int row);

}  // namespace attn
