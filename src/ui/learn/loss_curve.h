// The losses of a run as a small curve. The view of the same name has it large, with numbers.
#pragma once

#include "playground/numbers/evaluation.h"
#include "ui/look/look.h"

namespace attn {

// Over steps 0 to `range`, from 0 up to the largest loss, with a dot at the present step and dashes at the loss that
// no training can pass, where that is above 0.
void draw_loss_curve(const Look& look, const TrainingRun& run, int range, ImVec2 min, ImVec2 max);

}  // namespace attn
