// What the special views show, as text tables. The text mirror, the page without a canvas, and tests read them.
#pragma once

#include <vector>

#include "playground/numbers/evaluation.h"
#include "playground/state/state.h"
#include "playground/text/text_table.h"

namespace attn {

// The tables of the current view; none for views that show the stage's own numbers (matrix, lines, numbers). Numbers as
// the picture prints them.
std::vector<TextTable> tables_of_view(const PlaygroundState& state, const Evaluator& evaluator);

}  // namespace attn
