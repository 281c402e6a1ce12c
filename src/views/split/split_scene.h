// The drawing of view=split, for paper and for the screen: the numbers of a tensor in one shape or moving to the next,
// and below them their order in memory. Each number has its head's colour.
#pragma once

#include <array>

#include "playground/link/blanks.h"
#include "scene/kit/figure_parts.h"
#include "views/split/weight_split.h"

namespace attn {

struct SplitDrawn {
    const Evaluation& evaluation;
    const Blanks& blanks;
    TensorId tensor;
    std::array<SplitPhase, kNumPhases> phases;
    Sizes sizes;  // of what is drawn: SplitCut::of
    bool has_values = true;
};

struct SplitLayout {
    double width = 900;         // of a shape, at most
    double height = 420;        // with cells for whole numbers; smaller cells may make it higher
    double smallest_label = 8;  // points an em

    bool operator==(const SplitLayout&) const = default;
};

// From shape to shape: at one of them, or the share `progress` of the way.
struct SplitWay {
    int from = 0, to = 0;
    double progress = 1;

    bool is_moving() const { return from != to && progress < 1; }
    bool operator==(const SplitWay&) const = default;
};

FigureBlock split_scene(const SceneStyle& style, const SplitDrawn& drawn, const SplitLayout& layout,
                        const SplitWay& way);

}  // namespace attn
