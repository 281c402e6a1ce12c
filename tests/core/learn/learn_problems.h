// What the tests of learning share: random problems in every variant of the forward pass, and goals for them.
#pragma once

#include <catch_amalgamated.hpp>
#include <cstdint>
#include <vector>

#include "core/attention/goal.h"
#include "core/problems.h"

namespace attn::test {

// Every second query of every head has targets: random shares of the keys it sees.
inline Goal random_pattern(const AttentionProblem& problem, std::uint64_t seed) {
    TorchGenerator generator(seed);
    Goal goal{.kind = GoalKind::pattern};
    for (int h = 0; h < problem.settings.num_heads; ++h) {
        for (int i = h % 2; i < problem.num_tokens(); i += 2) {
            TargetRow row{.head = h, .query = i, .shares = zeros<Vector>(problem.num_tokens())};
            fill_uniform(generator, elements(row.shares), 0, 1);
            float sum = 0;
            for (int j = 0; j < problem.num_tokens(); ++j) {
                if (problem.hidden(i, j) != 0) row.shares(j) = 0;
                sum += row.shares(j);
            }
            for (int j = 0; j < problem.num_tokens(); ++j) row.shares(j) /= sum;
            goal.rows.push_back(row);
        }
    }
    goal.num_terms = static_cast<int>(goal.rows.size());
    return goal;
}

// Each token but the last is followed by a random word of seven.
inline Goal random_next(const AttentionProblem& problem, std::uint64_t seed) {
    constexpr int kNumWords = 7;
    Goal goal{.kind = GoalKind::next};
    goal.vocabulary = random_embeddings(kNumWords, problem.d_out(), seed);
    for (int i = 0; i < problem.num_tokens(); ++i)
        goal.next.push_back(i + 1 < problem.num_tokens() ? (i * 3 + static_cast<int>(seed)) % kNumWords : -1);
    goal.num_terms = problem.num_tokens() - 1;
    return goal;
}

// Problems with and without biases, output projection and matrices, masked in each place by a rule and by none, scaled
// in each way, hot and cold, with dropout and with typed numbers, with keys for each head and with shared ones, made of
// the embeddings and of latents, with numbers that are turned alone, with a sink and without; each once more with
// rotary positions where heads have pairs, and with ALiBi; some of all these once more with capped scores.
inline std::vector<AttentionProblem> every_kind_of_problem() {
    std::vector<AttentionProblem> problems;
    std::uint64_t seed = 1;
    for (const MaskAt mask_at : {MaskAt::before, MaskAt::after, MaskAt::after_raw}) {
        for (const double dropout : {0.0, 0.4}) {
            for (const Init init : {Init::torch_linear, Init::torch_rand, Init::none}) {
                const bool is_shared = init == Init::torch_rand;
                ++seed;
                AttentionProblem problem =
                    random_problem({.num_tokens = 5,
                                    .d_in = 6,
                                    .head_dim = is_shared ? 2 : 4,
                                    .num_heads = is_shared ? 4 : 2,
                                    .num_kv_heads = is_shared ? 2 - static_cast<int>(seed % 2) : 0},
                                   seed, init);
                problem.settings.mask_at = mask_at;
                problem.settings.dropout = dropout;
                problem.settings.dropout_seed = seed;
                problem.settings.scale = std::vector{Scale::sqrt, Scale::none, Scale::dim}[seed % 3];
                problem.settings.temperature = seed % 2 == 0 ? 1.0F : 0.5F;
                if (seed % 4 == 0) problem.hidden = random_mask(5, seed);
                if (seed % 4 == 1) problem.hidden = make_mask(Mask::none, 5);
                if (seed % 4 == 2)
                    problem.hidden =
                        make_mask(seed % 3 == 0 ? Mask::none : Mask::causal, 5, {.keys = 2, .sinks = seed % 5 < 2});
                if (seed % 5 == 0)
                    problem.typed_roles = random_typed_roles(5, problem.d_out(), seed, is_shared ? 2 : 0);
                if (init == Init::torch_rand) {
                    problem.projections.edit().w_out = Matrix();
                    problem.projections.edit().b_query = Vector();
                    problem.projections.edit().b_key = problem.projections.edit().b_value =
                        problem.projections.edit().b_out = Vector();
                }
                problems.push_back(problem);
                if (problem.head_dim() % 2 == 0) {
                    problem.settings.rotary = {.is_on = true,
                                               .pairs = seed % 2 == 0 ? RotaryPairs::halves : RotaryPairs::neighbours,
                                               .base = 100,
                                               .shift = static_cast<int>(seed % 3) * 5 - 5};
                    problems.push_back(problem);
                    problem.settings.rotary = {};
                }
                problem.settings.alibi.is_on = true;
                problems.push_back(problem);
            }
        }
    }
    for (const MaskAt mask_at : {MaskAt::before, MaskAt::after, MaskAt::after_raw}) {
        for (const int query_latent : {0, 3}) {
            for (const int latent : {0, 1, 2}) {
                if (query_latent + latent == 0) continue;
                ++seed;
                AttentionProblem problem = random_problem({.num_tokens = 5,
                                                           .d_in = 6,
                                                           .head_dim = 2,
                                                           .num_heads = 4,
                                                           .num_kv_heads = seed % 3 == 0 ? 2 : 0,
                                                           .query_latent = query_latent,
                                                           .latent = latent},
                                                          seed);
                problem.settings.mask_at = mask_at;
                problem.settings.dropout = seed % 2 == 0 ? 0.4 : 0.0;
                problem.settings.dropout_seed = seed;
                if (seed % 4 == 0)
                    problem.typed_roles =
                        random_typed_roles(5, problem.d_out(), seed, problem.role_width(TensorId::keys));
                problems.push_back(problem);
            }
        }
    }
    for (const MaskAt mask_at : {MaskAt::before, MaskAt::after_raw}) {
        for (const int query_latent : {0, 3}) {
            for (const int rope_dim : {2, 4}) {
                ++seed;
                AttentionProblem problem = random_problem({.num_tokens = 5,
                                                           .d_in = 6,
                                                           .head_dim = 3,
                                                           .num_heads = 4,
                                                           .num_kv_heads = seed % 3 == 0 ? 2 : 0,
                                                           .query_latent = query_latent,
                                                           .latent = 2,
                                                           .rope_dim = rope_dim},
                                                          seed);
                problem.settings.mask_at = mask_at;
                problem.settings.rotary.pairs = seed % 2 == 0 ? RotaryPairs::halves : RotaryPairs::neighbours;
                problem.settings.scale = std::vector{Scale::sqrt, Scale::none, Scale::dim}[seed % 3];
                problem.settings.dropout = seed % 2 == 0 ? 0.4 : 0.0;
                problem.settings.dropout_seed = seed;
                if (seed % 3 == 1)
                    problem.typed_roles =
                        random_typed_roles(5, problem.d_out(), seed, problem.role_width(TensorId::keys));
                problems.push_back(problem);
            }
        }
    }
    for (std::size_t k = 0; k < problems.size(); k += 2) {
        AttentionProblem problem = problems[k];
        if (problem.settings.mask_at != MaskAt::before) break;
        problem.projections.edit().sink_logits = zeros<Vector>(problem.settings.num_heads);
        TorchGenerator sinks(k);
        fill_uniform(sinks, elements(problem.projections.edit().sink_logits), -2, 2);
        problems.push_back(problem);
    }
    for (std::size_t k = 1, num_plain = problems.size(); k < num_plain; k += 2) {
        AttentionProblem problem = problems[k];
        if (problem.latent() + problem.query_latent() != 0) continue;
        draw_norms(problem, k);
        problems.push_back(problem);
    }
    for (std::size_t k = 0, num_plain = problems.size(); k < num_plain; k += 3) {
        AttentionProblem problem = problems[k];
        problem.settings.score_cap = k % 2 == 0 ? 0.5F : 3;
        problem.settings.logit_cap = k % 4 == 0 ? 0.75F : 0;
        problems.push_back(problem);
    }
    return problems;
}

}  // namespace attn::test
