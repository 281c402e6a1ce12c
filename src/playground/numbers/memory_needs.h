// How much memory the numbers of a state take, and whether there is that much: asked before they are computed, because
// a failed allocation ends the program.
#pragma once

#include <cstdint>
#include <string>

#include "core/ground/memory_room.h"
#include "playground/state/state.h"

namespace attn {

// Up to so many bytes the quick bound, bytes_needed_at_most, is good enough.
inline constexpr std::int64_t kLittleMemory = 16 << 20;

// Bytes for the evaluation of a sentence of `num_tokens` tokens, at most.
std::int64_t bytes_needed(const Inputs& inputs, int num_tokens);

// The same for all that the state shows: its sentence, and the other state where two are compared.
std::int64_t bytes_needed(const PlaygroundState& state);

// For another evaluation of the same sizes beside the one before, whose weights' memory it uses again.
std::int64_t bytes_needed_again(const PlaygroundState& state);

// An upper bound of bytes_needed, quick because it looks only at the lengths of the texts.
std::int64_t bytes_needed_at_most(const PlaygroundState& state);

// "271 MB".
std::string megabytes(std::int64_t bytes);

// Whether there is room for the numbers of a state beside all that is there already.
bool has_room_for(const PlaygroundState& state);

// "12 heads of 2,048 tokens need 271 MB of memory, and the limit here is about 150 MB": for a state that has no room.
// Asks for memory to find out how much there is.
std::string no_room_text(const PlaygroundState& state);

// The same where the state before stays: "...: the state before is shown".
std::string no_room_note(const PlaygroundState& state);

}  // namespace attn
