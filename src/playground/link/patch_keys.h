// The key patch: what a model takes over from another text's run, "stream.2@5,mlp.2@5,2:7@5,weights.2:7@5". The other
// text is B, the link's compare=. The engine modules have none of it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "playground/link/key_info.h"
#include "playground/state/state.h"
#include "playground/text/notes.h"

namespace attn {

KeyInfo patch_key();

// As links name them. Layers, heads and tokens count from 1; "@*" is every token that both texts have.
std::string write_patches(const std::vector<Patch>& patches);

// Reads them into `patches`; a note names what is no patch.
void read_patches(std::string_view value, std::vector<Patch>& patches, Notes& notes);

bool has_patches(const Inputs& inputs);
void leave_patches(Inputs& inputs);
// Sorts the patches, of which there are some, finds the text that they come from, that of B, and leaves out what the
// model, one of the two texts or the link does not have. `other` is B; null where there is none.
void clamp_patches(PlaygroundState& state, const PlaygroundState* other, Notes& notes);

}  // namespace attn
