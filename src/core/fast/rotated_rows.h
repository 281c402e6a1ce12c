// Norms and rotary positions in the rows of heads: queries and keys on their way to the scores, and their gradients
// back.
#pragma once

#include <span>

#include "core/attention/attention.h"

namespace attn {

// How a token's row is turned: all its numbers, or those that are turned alone.
Rotation rotation_of(const AttentionProblem& problem, int token);

// Gives the trace normed queries and keys of the right size, whatever their numbers, unless it has some; the same of
// rotated ones.
void reserve_normed(const AttentionProblem& problem, AttentionTrace& trace);
void reserve_rotated(const AttentionProblem& problem, AttentionTrace& trace);

// Turns a row of a query or key head into `turned`; where `own` has numbers, the row stays as it is and they are turned
// behind it. Returns whether `turned` has the same bits as before.
bool put_rotated(RotaryPairs pairs, const Rotation& rotation, std::span<const float> row, std::span<const float> own,
                 std::span<float> turned);

// Norms a row of a query or key head into `normed`. Returns whether that has the same bits as before.
bool put_normed(std::span<const float> row, std::span<const float> weight, std::span<float> normed);

// Every row of these heads (heads, T, .) turned back, all of its numbers.
void rotate_back_heads(const AttentionProblem& problem, Cube& heads);

}  // namespace attn
