// What paper and scripts leave out beside the blanks. On the screen a blank is one question among others, and a teacher
// may want the rest of its row to be the way to it. What is printed is worked out with pen and paper: there neither the
// rest of a row nor a later stage may give a blank away by a subtraction or a division.
#pragma once

#include <string>
#include <vector>

#include "playground/link/hiding.h"
#include "playground/state/state.h"

namespace attn {

// All numbers that are blank or follow from a blank one, in the order of the stages: rows, or whole stages (-1
// everywhere), without their copies left out: each present stage is named by itself. Empty where nothing is blank.
//   - the blanks, and in a row with a known sum company for one that would be alone: the key before, or the one after
//     where there is none before; where a window or an edited mask decides which keys a row sees, the whole row. Two
//     blanks of one row are company where the row surely sees both.
//   - each later stage that is computed from them: the row; from a key or a value, the stage
//   - beside weights the sink's share of the row, and the other way round
//   - every gradient where a number of the forward pass is blank
//   - stages that are left out of the picture (hide=stage.scores); nobody asks for those, so nothing follows from them
std::vector<HiddenValue> withheld_values(const PlaygroundState& state);

// Everything that prints goes by this: `state` with these in View::hide: what Blanks and everything that leaves blanks
// out then leave out. The state itself where nothing is blank.
PlaygroundState with_withheld(const PlaygroundState& state);

// Whether a page for print that asks for these blanks has a use for this stage: it is not after the last stage with a
// blank. True for all stages where nothing is blank.
bool is_up_to_blanks(const PlaygroundState& state, TensorId stage);

}  // namespace attn
