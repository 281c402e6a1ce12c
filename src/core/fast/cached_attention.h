// A problem computed token by token with a KvCache: the first tokens at once (prefill), then one at a time (decode).
// Typed queries, keys and values, mask edits and dropout included. attend() is what it is held against.
#pragma once

#include <optional>
#include <vector>

#include "core/attention/attention.h"
#include "core/fast/kv_cache.h"
#include "core/ground/random.h"

namespace attn {

// The problem of its first num_tokens tokens alone, 1 to T, without its goal: what is computed for them when nothing is
// kept. Dropout draws anew.
AttentionProblem beginning_of(const AttentionProblem& problem, int num_tokens);

// How many of the first tokens have the same rows in both problems, so that what was computed for `kept` may stay: 0
// when anything differs that all rows depend on. Typed numbers and the mask count.
int tokens_still_valid(const AttentionProblem& kept, const AttentionProblem& now);

class CachedAttention {
public:
    // No tokens yet. The problem's matrices are copied.
    explicit CachedAttention(const AttentionProblem& problem);

    // The next `count` tokens of the problem, which is the same each time. Of the mask they see what is there: a mask
    // that shows later tokens to earlier ones cannot do so any more. Dropout draws (num_heads, count, num_tokens) after
    // what it drew before, as nn.Dropout does in such a loop.
    void append(const AttentionProblem& problem, int count);

    int num_tokens() const { return cache_.num_tokens(); }
    int num_new() const { return cache_.num_new(); }  // by the last append()
    const KvCache& cache() const { return cache_; }

    // Row `token` of a stage of one head (as in stage_matrix: keys and values are those that the head reads), of a
    // token that the last append() brought: queries to output but unmasked_weights, as has_stage tells. Score rows are
    // num_tokens() long, masked_scores with -inf where hidden.
    std::vector<float> row(const AttentionProblem& problem, TensorId stage, int head, int token) const;

private:
    std::vector<float> score_row(const AttentionProblem& problem, TensorId stage, int head, int token) const;

    KvCache cache_;
    std::optional<TorchGenerator> generator_;  // of dropout
    std::vector<std::uint8_t> keep_;           // of the last append()
    std::vector<float> plain_query_,
        plain_key_;  // of its tokens before they were turned; empty without rotary positions
};

}  // namespace attn
