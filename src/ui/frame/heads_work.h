// The heat maps of a long text take longer than a frame: what a frame leaves of them is made between the frames, step
// by step. Knows no clock.
#pragma once

#include "playground/numbers/evaluation.h"
#include "render/heatmap.h"
#include "ui/frame/heads_memory.h"
#include "views/stage/heads_stage.h"

namespace attn {

// Uploads about `most_cells` numbers of those maps [first, last) of the stage that are ready and not yet in the
// renderer. Returns whether there were any.
bool upload_some(const ShownStage& stage, HeatmapRenderer& heatmaps, int first, int last, std::int64_t most_cells);

// The frame shows this stage, and the maps [first, last) of it as colours: none without a renderer.
void remember_shown(HeadsMemory& memory, const ShownStage& stage, const HeatmapRenderer* heatmaps, int first = 0,
                    int last = 0);

// What one step came to.
struct HeadsStep {
    bool has_worked = false;  // false: there was nothing to do
    bool has_first = false;   // the frame showed no map, and now there is one
};

// One step of what the last frame remembered: uploads first, then, if `looks_on`, the walk over all numbers, which
// decides the range of the colours. Nothing happens when other numbers were begun since.
HeadsStep go_on_with_heads(const Evaluator& evaluator, HeadsMemory& memory, HeatmapRenderer* heatmaps, bool looks_on);

}  // namespace attn
