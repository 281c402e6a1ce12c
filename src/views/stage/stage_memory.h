// Facts about a stage's numbers that are slow to find out and kept from frame to frame. Holds no choice of the visitor;
// those are all in the state.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/ground/tensor.h"
#include "playground/numbers/stage_range.h"

namespace attn {

// How far the walk over all numbers of a stage has come.
struct StageWalk {
    std::uint64_t of = 0;  // content_version of the stage; 0: none yet
    std::optional<StageCensus> census;
    std::vector<int> num_rows;  // rows read, of each map
};

struct StageMemory {
    StageWalk walk;
    std::uint64_t summary_of = 0;  // content_version of the stage that `summary` describes to the end; 0: none yet
    StageSummary summary;
    Matrix combined;  // the combined heads of the stage, as far as the walk has come
};

}  // namespace attn
