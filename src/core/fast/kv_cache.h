// A layer that reads one token after another: the keys and values of earlier tokens stay, so that a token costs its own
// rows alone. Plain arrays, as in dense_attention.h. Under a mask that lets no token look at later ones, all rows have
// the bits that the whole sentence at once gives: each of their sums runs over the same numbers in the same order.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "core/attention/attention.h"
#include "core/attention/masking.h"
#include "core/attention/projections.h"
#include "core/ground/float_buffer.h"
#include "core/kernels/packed_matrix.h"
#include "core/kernels/packed_rows.h"

namespace attn {

// What every token goes through. Pointers belong to the caller, matrices are row-major, null stands for "absent".
struct CacheLayer {
    int d_in = 0, d_out = 0, num_heads = 1;  // each at least 1; num_heads divides d_out
    int kv_heads = 1;                        // divides num_heads: that many heads have keys and values of their own
    // (d_in, d_out), of keys and values (d_in, kv_heads * head_dim), applied as x . w. All three null: queries, keys
    // and values are x itself, d_in is d_out, and kv_heads is num_heads.
    const float *w_query = nullptr, *w_key = nullptr, *w_value = nullptr;
    const float *b_query = nullptr, *b_key = nullptr, *b_value = nullptr;
    // Above 0: queries are made of x . w_down_query, keys and values of x . w_down_kv, as AttentionProblem has it; then
    // w_query, w_key and w_value have so many rows. With a latent the latents of all tokens are what is kept, and keys
    // and values of all tokens are made of them anew for each append.
    int query_latent = 0, latent = 0;
    const float *w_down_query = nullptr, *w_down_kv = nullptr;
    const float *w_out = nullptr, *b_out = nullptr;  // (d_out, d_out), (d_out)
    MaskAt mask_at = MaskAt::before;
    float divisor = 1;           // > 0 and finite: what the scores are divided by
    RotarySettings rotary = {};  // with it head_dim is even, and keys lie in the cache as they were turned
    // With rotary.own_dim, which a latent goes with: (d_in or query_latent, num_heads * own_dim), (d_in, own_dim).
    // Turned position keys of all tokens are kept beside the latents.
    const float *w_query_rope = nullptr, *w_key_rope = nullptr;
    const float *q_norm = nullptr, *k_norm = nullptr;  // (head_dim): both or none; keys lie in the cache normed
    float score_cap = 0;                               // as in AttentionSettings
    AlibiSettings alibi = {};
    const float* sink_logits = nullptr;  // (num_heads), with a mask before the softmax: a sink a head; null: none

    bool has_query_latent() const { return kHasLatents && query_latent != 0; }
    bool has_latent() const { return kHasLatents && latent != 0; }
    int head_dim() const { return d_out / num_heads; }
    int kv_width() const { return kv_heads * head_dim(); }
    int rope_dim() const { return has_latent() && rotary.is_on ? rotary.own_dim : 0; }
    int score_dim() const { return head_dim() + rope_dim(); }
};

// What the new tokens see of all that are there, old and new.
struct CacheMask {
    bool is_causal = true;  // each sees the earlier ones and itself; else all that are there
    const std::uint8_t* hidden =
        nullptr;  // (count, num_tokens), rows hidden_stride apart: then is_causal does not count
    std::size_t hidden_stride = 0;
    const std::uint8_t* keep = nullptr;  // (num_heads, count, num_tokens) of dropout, 0 where a weight is dropped
    float keep_scale = 1;                // what kept weights are multiplied by for the context
};

class KvCache {
public:
    // Takes the matrices in, which are copied, and forgets all tokens. Returns false when the memory is refused.
    [[nodiscard]] bool begin(const CacheLayer& layer);

    // The queries, keys and values of `count` new tokens x (count, d_in), count >= 1. They may be changed before
    // attend(), which follows. Returns false when the memory is refused: then begin() is next.
    [[nodiscard]] bool project(const float* x, int count);
    float* query(int i) { return query_.data() + at(i) * at(layer_.d_out); }
    const float* query(int i) const { return query_.data() + at(i) * at(layer_.d_out); }  // (d_out), i of the new ones
    // (kv_width). With a latent keys and values of earlier tokens are made anew, too: i is then from -num_made_anew().
    float* key(int i) { return key_.data() + at(num_made_anew_ + i) * at(layer_.kv_width()); }
    float* value(int i) { return value_.data() + at(num_made_anew_ + i) * at(layer_.kv_width()); }
    int num_made_anew() const { return num_made_anew_; }
    // The query latent of a new token, and the latent of any token; only where the layer has them.
    const float* query_latent(int i) const { return query_latents_.data() + at(i) * at(layer_.query_latent); }
    // With rope_dim: of a new token, before they are turned, (num_heads * rope_dim) and (rope_dim).
    const float* position_query(int i) const {
        return position_queries_.data() + at(i) * at(layer_.num_heads * layer_.rope_dim());
    }
    const float* position_key(int i) const { return new_position_keys_.data() + at(i) * at(layer_.rope_dim()); }
    // What the scores of a new token are the products of, after attend(): (num_heads * score_dim).
    const float* scored_query(int i) const {
        return layer_.rope_dim() == 0 ? query(i)
                                      : scored_queries_.data() + at(i) * at(layer_.num_heads * layer_.score_dim());
    }
    const float* latent(int token) const { return latents_.data() + at(token) * at(layer_.latent); }

    // Norms and turns the new queries and keys where the layer does so, puts keys and values beside the old ones,
    // and computes the new rows. Without wants_weights their weights are not kept. Returns false as project() does.
    [[nodiscard]] bool attend(const CacheMask& mask, bool wants_weights);

    int num_tokens() const { return num_tokens_; }      // all, after attend()
    int num_new() const { return num_new_; }            // of them, by the last attend()
    const CacheLayer& layer() const { return layer_; }  // its pointers may be void

    // Of new token i, before dropout: (num_tokens).
    const float* weights(int head, int i) const {
        return weights_.data() + (at(head) * at(num_new_) + at(i)) * at(num_tokens_);
    }
    // How far these fall short of 1 where the layer has a sink: the number of new token i.
    float sink_weight(int head, int i) const { return sink_weights_.data()[at(head) * at(num_new_) + at(i)]; }
    const float* context(int i) const {
        return context_.data() + at(i) * at(layer_.d_out);
    }  // (d_out): heads side by side
    const float* output(int i) const { return output_.data() + at(i) * at(layer_.d_out); }  // (d_out); only with w_out

    float slope(int head) const;  // of a head in ALiBi, 0 without it

    // Number c of the key (as scores take it: of score_dim) and of the value of any token, and the score of a new one
    // before the division.
    float kept_key(int kv_head, int token, int c) const;
    float kept_value(int kv_head, int token, int c) const;
    float score(int head, int i, int token) const;

    // Forgets the tokens from this one on; the new rows are void.
    void forget_from(int num_tokens);

    // Floats that the next tokens need of these: 2 * kv_width a token, or its latent and turned position key.
    std::int64_t num_kept() const {
        return std::int64_t{layer_.has_latent() ? layer_.latent + layer_.rope_dim() : 2 * layer_.kv_width()} *
               num_tokens_;
    }

private:
    static std::size_t at(int n) { return static_cast<std::size_t>(n); }
    [[nodiscard]] bool grow(int num_tokens);
    [[nodiscard]] bool keep_latents(const float* x, int count);
    [[nodiscard]] bool project_positions(const float* x, const float* of_queries, int count, int query_rows);
    [[nodiscard]] bool project_rows(int matrix, const float* x, int count, int inner, int width, const float* w,
                                    const float* b, float* rows);
    void norm_new();
    void rotate_new();
    void rotate_own();
    void keep_rows();
    static constexpr int kHeadsTogether = 4;  // as many as the kernels' softmax takes together
    int visible_to(const CacheMask& mask, int i) const;
    void score_rows(int head, int first, int end, std::size_t most, float* scores);
    void make_alike(const CacheMask& mask, int head, int end, int seen, float* weights);
    void make_rows(const CacheMask& mask, int head, int first, int end, float* weights);
    void mix_row(const CacheMask& mask, int head, int i, int seen, const float* weights);

    CacheLayer layer_;
    static constexpr std::size_t kNumMatrices = kHasLatents ? 8 : 6;
    std::array<FloatBuffer, kNumMatrices> biases_;  // of queries, keys, values, output; the others have none
    std::array<PackedMatrix, kNumMatrices> matrices_;
    PackedRows x_;
    FloatBuffer query_latents_, query_, key_, value_, weights_, context_, output_;  // of the new tokens
    FloatBuffer position_queries_, new_position_keys_, scored_queries_;             // of the new tokens, with rope_dim
    FloatBuffer latents_;        // of all tokens, with room for latent_capacity_
    FloatBuffer position_keys_;  // the same: turned, with rope_dim
    FloatBuffer keys_, values_;  // panels of all tokens, one head after another
    FloatBuffer rows_, dropped_, sums_;
    FloatBuffer q_norm_, k_norm_;             // (head_dim) where the layer has norms
    FloatBuffer sink_logits_, sink_weights_;  // (num_heads), (num_heads, num_new) where the layer has a sink
    std::size_t row_stride_ = 0, sum_stride_ = 0;
    int capacity_ = 0;  // tokens that the panels have room for
    int latent_capacity_ = 0;
    int num_made_anew_ = 0;  // earlier tokens whose keys and values the last project() made
    int num_tokens_ = 0, num_new_ = 0;
    int num_finite_ = 0;  // tokens before the first one with a value that is no finite number
};

}  // namespace attn
