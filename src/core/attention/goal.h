// What training aims at: a pattern in which heads should look, or the next word. A goal turns what attention computed
// into one number, the loss.
#pragma once

#include <vector>

#include "core/ground/tensor.h"

namespace attn {

enum class GoalKind { none, pattern, next };

// Where one query of one head should look: shares (T) that are at least 0 and sum to 1. A hidden key has none.
struct TargetRow {
    int head = 0;
    int query = 0;
    Vector shares = {};
};

// The goal of one sentence. Its loss is
//   pattern: the sum over `rows` of their cross-entropy / num_terms, which is the sum of -p ln(A) over the keys with a
//   share
//            p > 0; A is the weight before dropout. It cannot go below lowest_loss: a row that is to look at two words
//            at once stops at ln 2;
//   next:    the sum over the positions i that a word follows of -ln softmax(logits(i))[next(i)] / num_terms, where
//            logits (T, V) = output . vocabulary^T; without an output projection `output` is `merged`.
struct Goal {
    GoalKind kind = GoalKind::none;
    std::vector<TargetRow> rows = {};  // pattern: at most one for each query of each head
    Matrix vocabulary = {};            // next: (V, d_out), one vector for each word; it does not learn
    std::vector<int> next = {};  // next: (T), the row of `vocabulary` that should follow, -1 where no word follows
    int num_terms = 1;           // rows with targets, or positions that a word follows, of all sentences together
};

// The shares that this row of this head has as targets, (T); null where it has none.
const Vector* target_shares(const Goal& goal, int head, int row);

// The entropy of the shares of the targets, sum of -p ln(p), of all rows, / num_terms: where the weights are the
// shares. 0 for `next`.
double lowest_loss(const Goal& goal);

}  // namespace attn
