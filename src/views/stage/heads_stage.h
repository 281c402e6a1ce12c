// The chosen stage as the screen shows it, with numbers that come bit by bit. Knows no pixels.
#pragma once

#include <cstdint>

#include "views/stage/stage_memory.h"
#include "views/stage/stage_shape.h"

namespace attn {

struct ShownStage : StageShape {
    ShownStage(const StageShape& shape, const Evaluation& of, int number)
        : StageShape(shape), evaluation(of), version(number) {}

    const Evaluation& evaluation;       // not empty, and it has the stage
    int version = 0;                    // of the evaluation
    const Matrix* combined = nullptr;   // the one picture of all heads, once they are put together
    std::uint64_t content_version = 0;  // names the numbers: another version, other numbers
    bool is_summarized = true;          // all that are computed were looked at; else that goes on between frames

    // Whether the numbers of this map are there. The others are not asked for.
    bool is_ready(int head) const;
    // Whether what they are made of is computed; heads are then put together step by step.
    bool is_computed(int head) const;
    // Whether this number is blank: of any head where the heads are put together.
    bool is_blank(int head, int row, int column) const;
    bool is_row_blank(int head, int row) const;  // any number of the row
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
