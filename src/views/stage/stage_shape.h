// A stage as its maps show it, on the screen and on paper: how many maps of what size, which numbers are blank, what
// the colours mean.
#pragma once

#include "playground/link/blanks.h"
#include "playground/numbers/evaluation.h"
#include "playground/numbers/heads_together.h"
#include "playground/numbers/stage_range.h"
#include "scene/kit/colormap.h"

namespace attn {

struct StageShape {
    const StageInfo& info;
    Combine combine = Combine::none;  // of all heads together
    int num_maps = 1;                 // one a head, or one for all
    int rows = 0, columns = 0;
    Blanks blanks = {};         // numbers that the maps leave out
    StageSummary summary = {};  // of all numbers read so far
    StageRange range = {};      // what the first and the last colour mean

    bool is_combined() const { return combine != Combine::none; }
    // Whether each map is of one head.
    bool is_by_head() const { return info.has_heads && !is_combined(); }
    bool has_keys() const { return info.columns == Axis::key_token; }
    ColorMap map() const { return info.is_signed ? ColorMap::diverging : ColorMap::sequential; }
    // Whether numbers above the range are drawn in its last colour.
    bool is_cut() const { return !info.is_signed && summary.ceiling < 1; }
};

// The stage of an evaluation that has it, before its numbers are looked at. `combine`: puts the heads together where
// is_combined says they can be.
StageShape stage_shape_of(const Evaluation& evaluation, TensorId stage, Combine combine, const Blanks& blanks);

}  // namespace attn
