// The chosen stage as the screen shows it, while its numbers arrive piece by piece. Knows no pixels.
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
    const Matrix* combined = nullptr;   // the one picture of all heads, once they are combined
    std::uint64_t content_version = 0;  // names the numbers: another version, other numbers
    bool is_summarized = true;          // all computed numbers are read; else reading goes on between frames

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

// `version` counts the evaluations. `memory` keeps what is slow to find out, and must outlive the result. `combine`:
// combines the heads if is_combined allows it. Leaves out numbers that are not computed yet; if many need reading, does
// one step now, or none if `looks_on` is false.
ShownStage shown_stage(const Evaluation& evaluation, int version, TensorId stage, StageMemory& memory,
                       Combine combine = Combine::none, const Blanks& blanks = {}, bool looks_on = true);

// The rows [first, last) of one map, which is ready: of shown_matrix, or of all heads together. NaN where a number is
// blank.
Matrix map_rows(const ShownStage& stage, int head, int first, int last);

// One row of the numbers, -inf in hidden cells; blank ones too.
Vector shown_row(const ShownStage& stage, int head, int row);

}  // namespace attn
