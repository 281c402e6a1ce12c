// The engine's fast entry: attention on plain arrays, in one call, without names, typed numbers or explanations. The
// same bits as attend() gives for the same numbers.
#pragma once

#include <cstdint>
#include <memory>

#include "core/attention/attention.h"

namespace attn {

// What is computed. Pointers belong to the caller, matrices are row-major, null stands for "absent".
struct DenseProblem {
    int num_tokens = 0, d_in = 0, d_out = 0, num_heads = 1;  // each at least 1; num_heads divides d_out
    int num_kv_heads = 0;                                    // divides num_heads; 0: as many
    const float* x = nullptr;                                // (T, d_in)
    // (d_in, d_out), w_key and w_value (d_in, num_kv_heads * head_dim); applied as x . w. All three null: queries, keys
    // and values are x itself, and d_in is d_out.
    const float *w_query = nullptr, *w_key = nullptr, *w_value = nullptr;
    const float *b_query = nullptr, *b_key = nullptr, *b_value = nullptr;  // as wide
    const float *w_out = nullptr, *b_out = nullptr;                        // (d_out, d_out), (d_out)
    // Above 0: a name for what the four matrices hold. They are kept arranged for calls that name the same again, which
    // must have the same sizes but for num_tokens. 0: they are arranged anew.
    int matrices = 0;
    bool is_causal = true;  // hides key j from query i when j > i
    // (T, T), 1 where key j is hidden from query i; when it is given, is_causal does not count. Each row shows
    // at least one key.
    const std::uint8_t* hidden = nullptr;
    MaskAt mask_at = MaskAt::before;
    float divisor = 1;                   // > 0 and finite: what the scores are divided by
    const std::uint8_t* keep = nullptr;  // (num_heads, T, T) of dropout, 0 where a weight is dropped
    float keep_scale = 1;                // what kept weights are multiplied by for the context
};

// Where the results are, null for what was not computed. Valid until the next call of run(); the same addresses as long
// as no result is larger than before.
struct DenseResult {
    const float* query = nullptr;                  // (num_heads, T, head_dim)
    const float *key = nullptr, *value = nullptr;  // (num_kv_heads, T, head_dim)
    const float* weights = nullptr;                // (num_heads, T, T), before dropout
    const float* context = nullptr;                // (num_heads, T, head_dim)
    const float* merged = nullptr;                 // (T, d_out), the heads side by side
    const float* output = nullptr;                 // (T, d_out); only with w_out
};

// Owns its memory, which only grows: calls of sizes that were there before allocate nothing.
class DenseAttention {
public:
    DenseAttention();
    ~DenseAttention();
    DenseAttention(const DenseAttention&) = delete;
    DenseAttention& operator=(const DenseAttention&) = delete;

    // Bytes that run() takes for this problem at first, inputs not included; only its sizes and what is given count.
    static std::uint64_t bytes_needed(const DenseProblem& problem, bool wants_weights);

    // Computes everything. Without wants_weights no (T, T) memory is used, only that of some rows. Returns false when
    // the memory was refused: then nothing was computed and result() is empty. Sizes are checked (ATTN_CHECK).
    [[nodiscard]] bool run(const DenseProblem& problem, bool wants_weights);

    const DenseResult& result() const { return result_; }

private:
    bool compute(const DenseProblem& problem, bool wants_weights);

    struct Workspace;
    std::unique_ptr<Workspace> workspace_;
    DenseResult result_;
};

}  // namespace attn
