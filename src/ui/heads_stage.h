// The chosen stage as the picture shows it: its size, its numbers, the range of its colours. Knows no pixels.
#pragma once

#include <cstdint>

#include "playground/evaluation.h"
#include "playground/heads_together.h"
#include "playground/colormap.h"
#include "ui/heads_memory.h"

namespace attn {

inline constexpr int kManyTokens = 16;

struct ShownStage {
    const Evaluation& evaluation;  // not empty, and it has the stage
    const StageInfo& info;
    int num_maps = 1;  // one a head, or one for all
    Combine combine = Combine::none;
    const Matrix* combined = nullptr;  // the one picture of all heads, if they are put together
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
    bool is_combined() const { return combined != nullptr; }
    // Whether each map is of one head.
    bool is_by_head() const { return info.has_heads && !is_combined(); }
    bool has_keys() const { return info.columns == Axis::key_token; }
    ColorMap map() const { return info.is_signed ? ColorMap::diverging : ColorMap::sequential; }
};

// `version` counts the evaluations. `memory` keeps what is slow to find out, and must outlive what is returned.
// `combine`: puts the heads together where is_combined says they can be.
ShownStage shown_stage(const Evaluation& evaluation, int version, TensorId stage, HeadsMemory& memory,
                       Combine combine = Combine::none);

// One map: shown_matrix, or all heads together.
Matrix map_values(const ShownStage& stage, int head);

// One row of it, -inf in hidden cells.
Vector shown_row(const ShownStage& stage, int head, int row);

}  // namespace attn
