// The chosen stage as its maps show it, on the screen and on paper: how many maps of what size, which numbers are
// blank, what the colours mean. On the screen its numbers arrive piece by piece. Knows no pixels.
#pragma once

#include <cstdint>
#include <functional>

#include "playground/link/blanks.h"
#include "playground/numbers/evaluation.h"
#include "playground/numbers/heads_together.h"
#include "playground/numbers/stage_range.h"
#include "scene/kit/colormap.h"
#include "views/stage/stage_memory.h"

namespace attn {

struct ShownStage {
    const Evaluation& evaluation;  // not empty, and it has the stage
    const StageInfo& info;
    int version = 0;                  // of the evaluation
    Combine combine = Combine::none;  // of all heads together
    int num_maps = 1;                 // one a head, or one for all
    int rows = 0, columns = 0;
    Blanks blanks = {};                 // numbers that the maps leave out
    const Matrix* combined = nullptr;   // the one picture of all heads, once they are combined
    std::uint64_t content_version = 0;  // names the numbers: another version, other numbers
    bool is_summarized = true;          // all computed numbers are read; else reading continues between frames
    StageSummary summary = {};          // of the numbers read so far, but for blank ones: the legend prints its ends
    StageRange range = {};              // what the first and the last colour mean

    bool is_combined() const { return combine != Combine::none; }
    // Whether each map is of one head.
    bool is_by_head() const { return info.has_heads && !is_combined(); }
    bool has_keys() const { return info.columns == Axis::key_token; }
    ColorMap map() const { return info.is_signed ? ColorMap::diverging : ColorMap::sequential; }
    // Whether numbers above the range are drawn in its last colour.
    bool is_cut() const { return !info.is_signed && summary.ceiling < 1; }

    // Whether this map's numbers are there; ask for no others.
    bool is_ready(int head) const;
    // Whether all that they need is computed; combining the heads then goes on step by step.
    bool is_computed(int head) const;
    // Whether this number is blank; if heads are combined, in any head.
    bool is_blank(int head, int row, int column) const;
    bool is_row_blank(int head, int row) const;  // any number of the row
};

// How many numbers one step reads, and how many it uploads: a few milliseconds' work each.
std::int64_t cells_per_step(const ShownStage& stage);

// Rows of one map as they are shown.
struct StageRows {
    Matrix values;
    Flags blank;  // of the same shape; size 0 if none is
};

// Called with each piece of a map that is read: the map, its first row there, the rows.
using VisitRows = std::function<void(int map, int first, const StageRows& rows)>;

// `version` counts the evaluations. `memory` keeps what is slow to find out, and must outlive the result. `combine`:
// combines the heads if is_combined allows it. Leaves out numbers that are not computed yet; if many need reading, does
// one step now, or none if `looks_on` is false.
ShownStage shown_stage(const Evaluation& evaluation, int version, TensorId stage, StageMemory& memory,
                       Combine combine = Combine::none, const Blanks& blanks = {}, bool looks_on = true,
                       const VisitRows& visit = {});

// The rows [first, end) of one map, which is ready: of shown_matrix, or of all heads together.
StageRows rows_of_map(const ShownStage& stage, int map, int first, int end);

// The same with NaN where a number is blank.
Matrix map_rows(const ShownStage& stage, int head, int first, int last);

// One row of the numbers, -inf in hidden cells; blank ones too.
Vector shown_row(const ShownStage& stage, int head, int row);

}  // namespace attn
