// The chosen stage as the picture shows it: its size, its numbers, the range of its colours. Knows no pixels.
#pragma once

#include <cstdint>

#include "playground/link/blanks.h"
#include "playground/numbers/evaluation.h"
#include "playground/numbers/heads_together.h"
#include "scene/kit/colormap.h"
#include "views/stage/stage_memory.h"

namespace attn {

struct ShownStage {
    const Evaluation& evaluation;  // not empty, and it has the stage
    int version = 0;               // of the evaluation
    const StageInfo& info;
    int num_maps = 1;  // one a head, or one for all
    Combine combine = Combine::none;
    const Matrix* combined = nullptr;  // the one picture of all heads, once they are put together
    int rows = 0;
    int columns = 0;
    std::uint64_t content_version = 0;  // names the numbers: another version, other numbers
    StageSummary summary;               // of the numbers looked at so far
    bool is_summarized = true;          // all that are computed were looked at; else that goes on between frames
    Blanks blanks;                      // numbers that are left out of the picture
    // What the first and the last colour stand for: stage_range.
    float low = 0;
    float high = 1;

    // Whether numbers above `high` are drawn in its colour.
    bool is_cut() const { return !info.is_signed && summary.ceiling < 1; }
    bool is_combined() const { return combine != Combine::none; }
    // Whether the numbers of this map are there. The others are not asked for.
    bool is_ready(int head) const;
    // Whether what they are made of is computed; heads are then put together step by step.
    bool is_computed(int head) const;
    // Whether each map is of one head.
    bool is_by_head() const { return info.has_heads && !is_combined(); }
    // Whether this number is blank: of any head where the heads are put together.
    bool is_blank(int head, int row, int column) const;
    bool is_row_blank(int head, int row) const;  // any number of the row
    bool has_keys() const { return info.columns == Axis::key_token; }
    ColorMap map() const { return info.is_signed ? ColorMap::diverging : ColorMap::sequential; }
};

// So many numbers are looked at in one step, and so many uploaded: a few milliseconds' work each.
std::int64_t cells_per_step(const ShownStage& stage);

// `version` counts the evaluations. `memory` keeps what is slow to find out, and must outlive what is returned.
// `combine`: puts the heads together where is_combined says they can be. Numbers that are not computed yet are left
// out, and of many one step is done now. `looks_on` false: none.
ShownStage shown_stage(const Evaluation& evaluation, int version, TensorId stage, StageMemory& memory,
                       Combine combine = Combine::none, const Blanks& blanks = {}, bool looks_on = true);

// The rows [first, last) of one map, which is ready: of shown_matrix, or of all heads together. NaN where a number is
// blank.
Matrix map_rows(const ShownStage& stage, int head, int first, int last);

// One row of the numbers, -inf in hidden cells; blank ones too.
Vector shown_row(const ShownStage& stage, int head, int row);

}  // namespace attn
