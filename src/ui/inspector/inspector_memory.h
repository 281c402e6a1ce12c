// What the inspector keeps from one frame to the next: the way the reader walked, and what is slow to find out about
// the matrices beside the arithmetic. No choice of the visitor stands here.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/explain/explain.h"
#include "playground/numbers/strongest.h"
#include "share/scripts/stage_code.h"

namespace attn {

// The range of the colours of one small map.
struct SourceRange {
    std::uint64_t content = 0;  // which matrix it was found for; 0: none yet
    float low = 0;
    float high = 1;
};

// What the list of strongest cells was found in.
struct StrongestOf {
    int version = -1;  // of the evaluation
    TensorId stage = TensorId::weights;
    int head = 0;
    std::uint64_t blanks = 0;

    bool operator==(const StrongestOf&) const = default;
};

// An explanation that is kept: a model's may be of a thousand products for each number of a row.
struct ExplainedCell {
    int version = -1;  // of the evaluation
    CellRef cell;
    Explanation explanation;
};

// The lines of the shown numbers' script, cut to the panel.
struct CodeOfShown {
    int version = -1;  // of the evaluation
    float width = 0;   // of the panel
    std::vector<StageCode> stages;
    std::vector<std::vector<std::string>> lines;  // of each of `stages`
};

struct InspectorMemory {
    ExplainedCell explained;
    CodeOfShown code;
    bool shows_all_code = false;         // the lines of all stages beside those of the shown one
    std::vector<CellRef> trail;          // the cells whose factors were followed, the first one first
    CellRef trail_end;                   // where the trail led: it is gone when another cell is pinned
    std::array<SourceRange, 2> sources;  // of the small maps
    std::optional<bool> is_by_weight;    // the order of a row's list; nothing: by weight where it is long
    std::string wanted_token;            // what is typed into the search
    bool shows_strongest = false;
    StrongestOf strongest_of;
    std::vector<StrongCell> strongest;
};

}  // namespace attn
