// How much memory the numbers of a state take, and whether it is to be had: asked before they are computed, because
// afterwards there is no way back.
#pragma once

#include <cstdint>
#include <string>

#include "playground/state.h"

namespace attn {

// Up to so many bytes the bound that is quick, bytes_needed_at_most, will do.
inline constexpr std::int64_t kLittleMemory = 16 << 20;

// Bytes for the evaluation of a sentence of `num_tokens` tokens, at most.
std::int64_t bytes_needed(const Inputs& inputs, int num_tokens);

// The same for all that the state shows: its sentence, and the other state where two are compared.
std::int64_t bytes_needed(const PlaygroundState& state);

// For another evaluation of the same sizes beside the one before, whose weights' memory it uses again.
std::int64_t bytes_needed_again(const PlaygroundState& state);

// No less than bytes_needed, from the lengths of the texts alone: quick.
std::int64_t bytes_needed_at_most(const PlaygroundState& state);

// Whether so many bytes can be had now, in one piece. Takes them for a moment.
bool has_room_for(std::int64_t bytes);

// Whether there is room for the numbers of a state beside all that is there already.
bool has_room_for(const PlaygroundState& state);

// "12 heads of 2,048 tokens need 271 MB of memory, and the limit here is about 150 MB": for a state that has no room.
// Asks for memory to find out how much there is.
std::string no_room_text(const PlaygroundState& state);

// The same where the state before stays: "...: the state before is shown".
std::string no_room_note(const PlaygroundState& state);

}  // namespace attn
