// The heat maps of a long text take longer than a frame. Whatever a frame leaves, this unit makes between the frames,
// step by step. Knows no clock.
#pragma once

#include "playground/numbers/evaluation.h"
#include "render/heatmap.h"
#include "ui/frame/heads_memory.h"
#include "views/stage/shown_stage.h"

namespace attn {

// Uploads about `most_cells` numbers of the maps [first, last) that are ready but not yet in the renderer. Returns
// whether there were any.
bool upload_some(const ShownStage& stage, HeatmapRenderer& heatmaps, int first, int last, std::int64_t most_cells);

// The frame shows this stage, and the maps [first, last) of it as colours: none without a renderer.
void remember_shown(HeadsMemory& memory, const ShownStage& stage, const HeatmapRenderer* heatmaps, int first = 0,
                    int last = 0);

// The result of one step.
struct HeadsStep {
    bool has_worked = false;   // false: there was nothing to do
    bool wants_frame = false;  // something is there now that the last frame had nothing of
};

// One step of the work that the last frame left: uploads first, then, if `looks_on`, the walk over all numbers, which
// decides the range of the colours. Does nothing if other numbers were begun since.
HeadsStep go_on_with_heads(const Evaluator& evaluator, HeadsMemory& memory, HeatmapRenderer* heatmaps, bool looks_on);

}  // namespace attn
