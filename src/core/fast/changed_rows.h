// Norms and rotary positions in the rows of heads: queries and keys on their way to the scores, and their gradients
// back.
#pragma once

#include <span>

#include "core/attention/attention.h"

namespace attn {

// How a token's row is turned: all its numbers, or those that are turned alone.
Rotation rotation_of(const AttentionProblem& problem, int token);

// Whether queries and keys are changed on their way to the scores: normed, or turned, or more numbers put behind them.
inline bool changes_roles(const AttentionProblem& problem) {
    return is_rotary(problem.settings) || problem.has_qk_norm();
}

// Gives the trace changed queries and keys of the right size, whatever their numbers, unless it has some.
void reserve_changed(const AttentionProblem& problem, AttentionTrace& trace);

// Norms a row of a query or key head by these weights, where the problem does so, and turns it, where it does that,
// into `changed`; where `own` has numbers, the row stays as it is and they are turned behind it. Returns whether
// `changed` has the same bits as before.
bool put_changed(const AttentionProblem& problem, const Vector& norm, const Rotation& rotation,
                 std::span<const float> row, std::span<const float> own, std::span<float> changed);

// Every row of these heads (heads, T, .) turned back, all of its numbers.
void rotate_back_heads(const AttentionProblem& problem, Cube& heads);

}  // namespace attn
