// The proof of a gradient: its number moved a little up and a little down, and the loss computed anew each time, in
// double precision with plain loops, knowing nothing of the backward pass.
#pragma once

#include <span>

#include "core/operations/values.h"

namespace attn {

struct Nudge {
    double epsilon = 0;  // how far the number was moved
    double up = 0;       // the loss with the number + epsilon
    double down = 0;     // with the number - epsilon
    // (up - down) / (2 epsilon): the gradient, but for a part of the size of epsilon^2.
    double slope() const { return (up - down) / (2 * epsilon); }
};

// Small enough that the curve is a line, large enough that eight digits of the difference are left. A small
// weight with a target is moved by less.
inline constexpr double kNudge = 1e-4;

// Moves the number at (head, row, column) of `tensor` in the sentence `shown`; a matrix or bias in all of them. The
// loss is that of all sentences, whose problems have their goals.
Nudge nudge_loss(std::span<const AttentionProblem> sentences, int shown, NudgedNumber number);

// About what it costs, in multiply-adds.
double nudge_cost(std::span<const AttentionProblem> sentences);

}  // namespace attn
