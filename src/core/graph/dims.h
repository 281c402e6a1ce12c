// How large each tensor of a layer is, said once: its shape by names, and the sizes that the names stand for.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/graph/tensor_id.h"

namespace attn {

enum class Dim : std::uint8_t {
    one,
    tokens,        // T, of the sentence
    keys,          // T, the tokens that are looked at
    d_in,          // numbers of a token's vector
    d_out,         // of all heads together
    heads,         // num_heads
    kv_heads,      // heads of keys and values
    head_dim,      // d_out / num_heads
    kv_width,      // kv_heads * head_dim
    latent,        // of the latent vector that keys and values are made of
    query_latent,  // of the queries'
    query_rows,    // what queries are made of: query_latent, or d_in without
    kv_rows,       // what keys and values are made of: latent, or d_in without
    rope_dim,      // numbers of a head that are turned alone
    rope_width,    // num_heads * rope_dim
    score_dim,     // what a score is the products of: head_dim + rope_dim
    mlp_width,     // numbers of a model's MLP
    words,         // V, of the vocabulary
};

// `matrices` matrices of `rows` rows and `columns` columns. Queries, keys and values are cut into heads here.
struct Dims {
    Dim matrices = Dim::one, rows = Dim::one, columns = Dim::one;
};

struct TensorDims {
    TensorId id;
    Dims dims;
};
inline constexpr std::array kTensorDims = {
    TensorDims{TensorId::embeddings, {Dim::one, Dim::tokens, Dim::d_in}},
    TensorDims{TensorId::query_latents, {Dim::one, Dim::tokens, Dim::query_latent}},
    TensorDims{TensorId::latents, {Dim::one, Dim::tokens, Dim::latent}},
    TensorDims{TensorId::queries, {Dim::heads, Dim::tokens, Dim::head_dim}},
    TensorDims{TensorId::keys, {Dim::kv_heads, Dim::tokens, Dim::head_dim}},
    TensorDims{TensorId::values, {Dim::kv_heads, Dim::tokens, Dim::head_dim}},
    TensorDims{TensorId::absorbed_queries, {Dim::heads, Dim::tokens, Dim::latent}},
    TensorDims{TensorId::position_queries, {Dim::heads, Dim::tokens, Dim::rope_dim}},
    TensorDims{TensorId::position_keys, {Dim::one, Dim::tokens, Dim::rope_dim}},
    TensorDims{TensorId::normed_queries, {Dim::heads, Dim::tokens, Dim::head_dim}},
    TensorDims{TensorId::normed_keys, {Dim::kv_heads, Dim::tokens, Dim::head_dim}},
    TensorDims{TensorId::rotated_queries, {Dim::heads, Dim::tokens, Dim::score_dim}},
    TensorDims{TensorId::rotated_keys, {Dim::kv_heads, Dim::tokens, Dim::score_dim}},
    TensorDims{TensorId::scores, {Dim::heads, Dim::tokens, Dim::keys}},
    TensorDims{TensorId::scaled_scores, {Dim::heads, Dim::tokens, Dim::keys}},
    TensorDims{TensorId::capped_scores, {Dim::heads, Dim::tokens, Dim::keys}},
    TensorDims{TensorId::biased_scores, {Dim::heads, Dim::tokens, Dim::keys}},
    TensorDims{TensorId::masked_scores, {Dim::heads, Dim::tokens, Dim::keys}},
    TensorDims{TensorId::unmasked_weights, {Dim::heads, Dim::tokens, Dim::keys}},
    TensorDims{TensorId::weights, {Dim::heads, Dim::tokens, Dim::keys}},
    TensorDims{TensorId::sink_weights, {Dim::heads, Dim::tokens, Dim::one}},
    TensorDims{TensorId::dropped_weights, {Dim::heads, Dim::tokens, Dim::keys}},
    TensorDims{TensorId::mixed_latents, {Dim::heads, Dim::tokens, Dim::latent}},
    TensorDims{TensorId::context, {Dim::heads, Dim::tokens, Dim::head_dim}},
    TensorDims{TensorId::merged, {Dim::one, Dim::tokens, Dim::d_out}},
    TensorDims{TensorId::output, {Dim::one, Dim::tokens, Dim::d_out}},
    TensorDims{TensorId::before, {Dim::one, Dim::tokens, Dim::d_in}},
    TensorDims{TensorId::attention_out, {Dim::one, Dim::tokens, Dim::d_in}},
    TensorDims{TensorId::attention_added, {Dim::one, Dim::tokens, Dim::d_in}},
    TensorDims{TensorId::middle, {Dim::one, Dim::tokens, Dim::d_in}},
    TensorDims{TensorId::mlp_input, {Dim::one, Dim::tokens, Dim::d_in}},
    TensorDims{TensorId::mlp_gate, {Dim::one, Dim::tokens, Dim::mlp_width}},
    TensorDims{TensorId::mlp_sums, {Dim::one, Dim::tokens, Dim::mlp_width}},
    TensorDims{TensorId::mlp_hidden, {Dim::one, Dim::tokens, Dim::mlp_width}},
    TensorDims{TensorId::mlp_out, {Dim::one, Dim::tokens, Dim::d_in}},
    TensorDims{TensorId::mlp_added, {Dim::one, Dim::tokens, Dim::d_in}},
    TensorDims{TensorId::after, {Dim::one, Dim::tokens, Dim::d_in}},
    TensorDims{TensorId::final_stream, {Dim::one, Dim::tokens, Dim::d_in}},
    TensorDims{TensorId::logit_input, {Dim::one, Dim::tokens, Dim::d_in}},
    TensorDims{TensorId::logits, {Dim::one, Dim::tokens, Dim::words}},
    TensorDims{TensorId::capped_logits, {Dim::one, Dim::tokens, Dim::words}},
    TensorDims{TensorId::probabilities, {Dim::one, Dim::tokens, Dim::words}},
    // What is learned.
    TensorDims{TensorId::w_query, {Dim::one, Dim::query_rows, Dim::d_out}},
    TensorDims{TensorId::w_key, {Dim::one, Dim::kv_rows, Dim::kv_width}},
    TensorDims{TensorId::w_value, {Dim::one, Dim::kv_rows, Dim::kv_width}},
    TensorDims{TensorId::w_down_query, {Dim::one, Dim::d_in, Dim::query_latent}},
    TensorDims{TensorId::w_down_kv, {Dim::one, Dim::d_in, Dim::latent}},
    TensorDims{TensorId::w_query_rope, {Dim::one, Dim::query_rows, Dim::rope_width}},
    TensorDims{TensorId::w_key_rope, {Dim::one, Dim::d_in, Dim::rope_dim}},
    TensorDims{TensorId::b_query, {Dim::one, Dim::one, Dim::d_out}},
    TensorDims{TensorId::b_key, {Dim::one, Dim::one, Dim::kv_width}},
    TensorDims{TensorId::b_value, {Dim::one, Dim::one, Dim::kv_width}},
    TensorDims{TensorId::w_out, {Dim::one, Dim::d_out, Dim::d_out}},
    TensorDims{TensorId::b_out, {Dim::one, Dim::one, Dim::d_out}},
    TensorDims{TensorId::q_norm, {Dim::one, Dim::one, Dim::head_dim}},
    TensorDims{TensorId::k_norm, {Dim::one, Dim::one, Dim::head_dim}},
    TensorDims{TensorId::sink_logits, {Dim::one, Dim::one, Dim::heads}},
    // What stages are made of besides.
    TensorDims{TensorId::mask, {Dim::one, Dim::tokens, Dim::keys}},
    TensorDims{TensorId::token_vectors, {Dim::one, Dim::tokens, Dim::d_in}},
    TensorDims{TensorId::positions, {Dim::one, Dim::tokens, Dim::d_in}},
    TensorDims{TensorId::keep_mask, {Dim::heads, Dim::tokens, Dim::keys}},
    TensorDims{TensorId::vocabulary, {Dim::one, Dim::words, Dim::d_out}}};

// The tensor whose gradient each of the way back is, in the order of TensorId from grad_logits on.
inline constexpr std::array kTensorsOfGradients = {
    TensorId::logits,         TensorId::capped_logits,    TensorId::output,
    TensorId::merged,         TensorId::context,          TensorId::dropped_weights,
    TensorId::weights,        TensorId::unmasked_weights, TensorId::masked_scores,
    TensorId::biased_scores,  TensorId::capped_scores,    TensorId::scaled_scores,
    TensorId::scores,         TensorId::rotated_queries,  TensorId::rotated_keys,
    TensorId::normed_queries, TensorId::normed_keys,      TensorId::queries,
    TensorId::keys,           TensorId::values,           TensorId::query_latents,
    TensorId::latents,        TensorId::position_queries, TensorId::position_keys,
    TensorId::embeddings,     TensorId::w_query,          TensorId::w_key,
    TensorId::w_value,        TensorId::w_down_query,     TensorId::w_down_kv,
    TensorId::w_query_rope,   TensorId::w_key_rope,       TensorId::b_query,
    TensorId::b_key,          TensorId::b_value,          TensorId::w_out,
    TensorId::b_out,          TensorId::q_norm,           TensorId::k_norm,
    TensorId::sink_logits};

// Whether the tensor belongs to the way back: a gradient.
constexpr bool is_gradient(TensorId id) {
    return id >= TensorId::grad_logits && id < TensorId::w_query;
}

// The tensor whose gradient this one is: grad_w_query's is w_query. `id` is_gradient().
constexpr TensorId tensor_of_gradient(TensorId id) {
    return kTensorsOfGradients[static_cast<std::size_t>(id) - static_cast<std::size_t>(TensorId::grad_logits)];
}

// The other way round: grad_w_query of w_query; nothing for what never gets a gradient.
constexpr std::optional<TensorId> gradient_of(TensorId tensor) {
    for (std::size_t n = 0; n < kTensorsOfGradients.size(); ++n) {
        if (kTensorsOfGradients[n] == tensor)
            return static_cast<TensorId>(static_cast<std::size_t>(TensorId::grad_logits) + n);
    }
    return std::nullopt;
}

inline constexpr std::size_t kNumTensors = static_cast<std::size_t>(TensorId::vocabulary) + 1;
inline constexpr std::array<Dims, kNumTensors> kDimsOfTensors = [] {
    std::array<Dims, kNumTensors> all = {};
    for (const TensorDims& row : kTensorDims) all[static_cast<std::size_t>(row.id)] = row.dims;
    for (std::size_t i = 0; i < kTensorsOfGradients.size(); ++i)
        all[static_cast<std::size_t>(TensorId::grad_logits) + i] =
            all[static_cast<std::size_t>(kTensorsOfGradients[i])];
    return all;
}();

// A gradient has the dims of its tensor.
constexpr Dims dims_of(TensorId id) {
    return kDimsOfTensors[static_cast<std::size_t>(id)];
}

// The sizes of a layer and its sentence.
struct Sizes {
    int num_tokens = 0;  // T; 0 for an empty sentence
    int d_in = 0;
    int d_out = 0;
    int num_heads = 1;
    int num_words = 0;                 // V, goal `next` alone: of the vocabulary
    int num_kv_heads = 0;              // heads of keys and values, as in AttentionSettings: 0, as many as num_heads
    int query_latent = 0, latent = 0;  // widths of the latent vectors; 0: none
    int rope_dim = 0;                  // numbers of a head that are turned alone; 0: none
    int mlp_width = 0;                 // of a model's layer; 0: no MLP

    int head_dim() const { return d_out / num_heads; }
    int score_dim() const { return head_dim() + rope_dim; }
    int kv_heads() const { return num_kv_heads == 0 ? num_heads : num_kv_heads; }
    int heads_per_kv_head() const { return num_heads / kv_heads(); }
    int kv_width() const { return kv_heads() * head_dim(); }
    int query_rows() const { return query_latent == 0 ? d_in : query_latent; }
    int kv_rows() const { return latent == 0 ? d_in : latent; }

    int of(Dim dim) const;
    // As people read it: "head_dim"; of two that are the same here the plainer one, "d_out" for kv_width.
    std::string_view letters(Dim dim) const;

    bool operator==(const Sizes&) const = default;
};

// Rows and columns of one matrix; 0 x 0 for a tensor that is not there.
struct Extent {
    int rows = 0;
    int columns = 0;

    bool contains(int row, int column) const { return row >= 0 && row < rows && column >= 0 && column < columns; }
    bool operator==(const Extent&) const = default;
};

// One matrix of the tensor: that of a head, where each has one.
Extent extent_of(const Sizes& sizes, TensorId tensor);
// The same before the cut into heads, whose matrices stand side by side.
Extent whole_extent(const Sizes& sizes, TensorId tensor);

// "(num_heads, T, head_dim)"
std::string shape_letters(const Sizes& sizes, TensorId tensor);

}  // namespace attn
