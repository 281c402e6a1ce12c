// What the inspector keeps from one frame to the next: the way the reader walked, and what is slow to find out about
// the matrices beside the arithmetic. No choice of the visitor stands here.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "core/explain.h"

namespace attn {

// The range of the colours of one small map.
struct SourceRange {
    std::uint64_t content = 0;  // which matrix it was found for; 0: none yet
    float low = 0;
    float high = 1;
};

struct InspectorMemory {
    std::vector<CellRef> trail;          // the cells whose factors were followed, the first one first
    CellRef trail_end;                   // where the trail led: it is gone when another cell is pinned
    std::array<SourceRange, 2> sources;  // of the small maps
};

}  // namespace attn
