// Clamps each field by itself, then the state B.
#include "playground/link/legal.h"

#include "playground/link/state_url.h"

namespace attn {

Notes clamp_to_legal(PlaygroundState& state) {
    Notes notes = clamp_fields(state);
    clamp_other(state, notes);
    return notes;
}

}  // namespace attn
