// What is slow to find out about the numbers of a stage and is kept from one look to the next. No choice of the visitor
// stands here; those are all in the state.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/ground/tensor.h"
#include "playground/numbers/stage_range.h"

namespace attn {

// How far the walk over all numbers of a stage is.
struct StageWalk {
    std::uint64_t of = 0;  // content_version of the stage; 0: none yet
    std::optional<StageCensus> census;
    std::vector<int> num_rows;  // of each map, that were looked at
};

struct StageMemory {
    StageWalk walk;
    std::uint64_t summary_of = 0;  // content_version of the stage that `summary` describes to the end; 0: none yet
    StageSummary summary;
    Matrix combined;  // the heads of the stage that is walked over, put together as far as the walk is
};

}  // namespace attn
