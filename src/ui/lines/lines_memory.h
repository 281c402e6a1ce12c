// What the lines view keeps from one frame to the next: weights and lines that are slow to find, and what a click does.
#pragma once

#include <optional>

#include "ui/frame/frame.h"
#include "views/lines/attention_lines.h"

namespace attn {

// What a click on a token does without Shift or Ctrl.
enum class LinesTool { pin, target, select };

struct LinesMemory {
    int version = -1;  // of the evaluation that `weights` is of
    Combine combine = Combine::none;
    std::optional<ShownWeights> weights;
    std::optional<LineChoice> choice;  // that `lines` are of; nothing: none yet
    LineSet lines;
    LinesTool tool = LinesTool::pin;
    std::optional<int> target_from;  // a query whose key is still to be chosen
    std::optional<int> followed;     // the pinned row that was last scrolled to
};

LinesMemory& lines_memory(PanelMemory& memory);

// The weights of the stage that the lines, targets and selected tokens are about. Never called without tokens.
const ShownWeights& shown_weights(Display& display);

// Whether their numbers are left out, because the visitor is asked for them.
bool are_weights_blank(const Shown& shown);

// The colour of a head; the accent where heads are combined.
ImU32 lines_color(const Look& look, const ShownWeights& weights, int head);

}  // namespace attn
