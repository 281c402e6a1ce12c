// What the tests of attention share: random problems, and comparisons of bits.
#pragma once

#include <cstdint>
#include <cstring>
#include <vector>

#include "core/attention/attention.h"
#include "core/attention/projections.h"
#include "core/ground/random.h"

namespace attn::test {

struct ProblemShape {
    int num_tokens = 5;
    int d_in = 6;
    int head_dim = 3;
    int num_heads = 2;
    int num_kv_heads = 0;  // as in AttentionSettings
    int query_latent = 0, latent = 0;
    int rope_dim = 0;  // with a latent: so many numbers are turned alone
    bool has_qk_norm = false;
    bool has_sink = false;
};

// Uniform in +-2.
inline std::vector<float> drawn_numbers(std::size_t count, std::uint64_t seed) {
    std::vector<float> numbers(count);
    TorchGenerator generator(seed);
    fill_uniform(generator, numbers, -2, 2);
    return numbers;
}

// Uniform in +-1: with PyTorch's uniform nn.Linear weights queries, keys and values stay around 1 in size.
inline Matrix random_embeddings(int num_tokens, int d_in, std::uint64_t seed) {
    Matrix embeddings = zeros<Matrix>(num_tokens, d_in);
    TorchGenerator generator(seed);
    fill_uniform(generator, elements(embeddings), -1, 1);
    return embeddings;
}

// Norms of queries and keys, their weights uniform between 1/2 and 3/2.
inline void draw_norms(AttentionProblem& problem, std::uint64_t seed) {
    TorchGenerator generator(seed);
    for (Vector* weight : {&problem.projections.edit().q_norm, &problem.projections.edit().k_norm}) {
        *weight = zeros<Vector>(problem.head_dim());
        fill_uniform(generator, elements(*weight), 0.5F, 1.5F);
    }
}

// A problem with biases and an output projection, causal, scaled by sqrt(head_dim).
inline AttentionProblem random_problem(const ProblemShape& shape, std::uint64_t seed, Init init = Init::torch_linear) {
    const int d_out = init == Init::none ? shape.d_in : shape.head_dim * shape.num_heads;
    const bool has_matrices = init != Init::none;
    AttentionProblem problem;
    problem.embeddings = random_embeddings(shape.num_tokens, shape.d_in, seed + 1000);
    problem.projections = make_projections(init, seed,
                                           {.d_in = shape.d_in,
                                            .d_out = d_out,
                                            .bias = has_matrices,
                                            .out = has_matrices,
                                            .num_heads = shape.num_heads,
                                            .num_kv_heads = shape.num_kv_heads,
                                            .query_latent = shape.query_latent,
                                            .latent = shape.latent,
                                            .rope_dim = shape.rope_dim,
                                            .has_sink = shape.has_sink});
    if (shape.has_sink) {
        TorchGenerator sinks(seed + 2000);
        fill_uniform(sinks, elements(problem.projections.edit().sink_logits), -2, 2);
    }
    if (shape.rope_dim != 0)
        problem.settings.rotary = {.is_on = true, .base = 100, .shift = 2, .own_dim = shape.rope_dim};
    problem.settings.num_heads = shape.num_heads;
    problem.settings.num_kv_heads = shape.num_kv_heads;
    problem.hidden = make_mask(Mask::causal, shape.num_tokens);
    if (shape.has_qk_norm) draw_norms(problem, seed + 3000);
    return problem;
}

// A mask no rule makes: each key hidden from each query with probability 1/2, the diagonal visible.
inline Flags random_mask(int num_tokens, std::uint64_t seed) {
    Flags hidden = zeros<Flags>(num_tokens, num_tokens);
    TorchGenerator generator(seed);
    fill_keep_mask(generator, elements(hidden), 0.5, 0);
    for (int i = 0; i < num_tokens; ++i) hidden(i, i) = 0;
    return hidden;
}

// About half the queries, keys and values typed, each number uniform in +-2; keys and values kv_width wide (0: d_out).
inline std::vector<TypedNumber> random_typed_roles(int num_tokens, int d_out, std::uint64_t seed, int kv_width = 0) {
    TorchGenerator generator(seed);
    std::vector<TypedNumber> typed;
    for (const TensorId role : {TensorId::queries, TensorId::keys, TensorId::values}) {
        for (int i = 0; i < num_tokens; ++i) {
            const int width = role == TensorId::queries || kv_width == 0 ? d_out : kv_width;
            for (int c = 0; c < width; ++c) {
                float number = 0;
                fill_uniform(generator, {&number, 1}, -2, 2);
                if (number > 0) typed.push_back({.role = role, .row = i, .column = c, .value = number});
            }
        }
    }
    return typed;
}

// Heads of a stage as the tests walk them.
inline int heads_of(const AttentionProblem& problem, TensorId stage) {
    return stage_info(stage).has_heads ? problem.settings.num_heads : 1;
}

// The same bits, not only equal numbers: 0 and -0 differ here, a NaN equals itself.
inline bool same_bits(float a, float b) {
    std::uint32_t a_bits = 0;
    std::uint32_t b_bits = 0;
    std::memcpy(&a_bits, &a, sizeof a);
    std::memcpy(&b_bits, &b, sizeof b);
    return a_bits == b_bits;
}

}  // namespace attn::test
