// A cache gives the bits of the whole sentence for every split of it, and says what it has computed for when it cannot.
#include "core/fast/cached_attention.h"
#include "core/explain/stage_numbers.h"
#include "core/fast/attend.h"
#include "core/operations/values.h"

#include <catch_amalgamated.hpp>
#include <cmath>
#include <limits>
#include <vector>

#include "core/failed_check.h"
#include "core/instruction_sets.h"
#include "core/problems.h"

namespace attn::test {
namespace {

constexpr TensorId kRowStages[] = {
    TensorId::query_latents,   TensorId::latents,        TensorId::queries,       TensorId::keys,
    TensorId::values,          TensorId::scores,         TensorId::scaled_scores, TensorId::weights,
    TensorId::masked_scores,   TensorId::context,        TensorId::merged,        TensorId::output,
    TensorId::rotated_queries, TensorId::rotated_keys,   TensorId::capped_scores, TensorId::biased_scores,
    TensorId::sink_weights,    TensorId::normed_queries, TensorId::normed_keys};

// The first cell in which the cached rows of a split differ from the whole, or "".
std::string first_difference(const AttentionProblem& problem, const std::vector<int>& counts) {
    const AttentionTrace whole = attend(problem);
    CachedAttention cached(problem);
    for (const int count : counts) {
        const int old = cached.num_tokens();
        cached.append(problem, count);
        for (const TensorId stage : kRowStages) {
            if (!has_stage(problem, stage)) continue;
            for (int h = 0; h < heads_of(problem, stage); ++h) {
                const Matrix all = stage_matrix(problem, whole, stage, h);
                for (int i = old; i < old + count; ++i) {
                    const std::vector<float> row = cached.row(problem, stage, h, i);
                    for (std::size_t c = 0; c < row.size(); ++c) {
                        const float want = all(i, c);
                        if (same_bits(row[c], want) || (std::isnan(row[c]) && std::isnan(want))) continue;
                        return std::string(stage_info(stage).name) + " head " + std::to_string(h) + " (" +
                               std::to_string(i) + ", " + std::to_string(c) + "): " + std::to_string(row[c]) + ", " +
                               std::to_string(want);
                    }
                }
            }
        }
    }
    return "";
}

std::vector<int> split_after(int prompt, int num_tokens) {
    std::vector<int> counts = {prompt};
    for (int i = prompt; i < num_tokens; ++i) counts.push_back(1);
    return counts;
}

}  // namespace

TEST_CASE("cached rows have the bits of the whole sentence, for every split of it", "[cache][property]") {
    const auto [num_tokens, d_in, head_dim, num_heads] =
        GENERATE(table<int, int, int, int>({{1, 3, 2, 1}, {7, 6, 3, 2}, {12, 8, 2, 4}, {19, 3, 17, 1}, {9, 5, 16, 3}}));
    const Scale scale = GENERATE(Scale::sqrt, Scale::none, Scale::dim);
    AttentionProblem problem =
        random_problem({.num_tokens = num_tokens, .d_in = d_in, .head_dim = head_dim, .num_heads = num_heads}, 3);
    problem.settings.scale = scale;
    problem.settings.temperature = scale == Scale::none ? 0.3F : 1.0F;
    if (scale == Scale::dim) {
        problem.projections.edit().w_out = Matrix();
        problem.projections.edit().b_out = Vector();
    }
    if (scale == Scale::none) problem.typed_roles = random_typed_roles(num_tokens, problem.d_out(), 5);
    for (int prompt = 1; prompt <= num_tokens; ++prompt) {
        CAPTURE(num_tokens, d_in, head_dim, num_heads, prompt);
        REQUIRE(first_difference(problem, split_after(prompt, num_tokens)) == "");
    }
    if (num_tokens > 5) CHECK(first_difference(problem, {1, 4, num_tokens - 5}) == "");
}

TEST_CASE("heads that share key heads keep their bits, for every split", "[cache][property]") {
    const int num_kv_heads = GENERATE(1, 2, 3);
    const Init init = GENERATE(Init::torch_linear, Init::torch_rand);
    const AttentionProblem problem = random_problem(
        {.num_tokens = 9, .d_in = 5, .head_dim = 3, .num_heads = 6, .num_kv_heads = num_kv_heads}, 21, init);
    for (int prompt = 1; prompt <= 9; ++prompt) {
        CAPTURE(num_kv_heads, prompt);
        CHECK(first_difference(problem, split_after(prompt, 9)) == "");
    }
    CachedAttention cached(problem);
    cached.append(problem, 9);
    CHECK(cached.cache().num_kept() == 2 * num_kv_heads * 3 * 9);
}

TEST_CASE("a cache of a layer with a sink gives the bits of the whole sentence, for every split", "[cache][property]") {
    AttentionProblem problem =
        random_problem({.num_tokens = 19, .d_in = 5, .head_dim = 4, .num_heads = 2, .has_sink = true}, 29);
    problem.settings.alibi.is_on = GENERATE(true, false);
    problem.settings.score_cap = problem.settings.alibi.is_on ? 0 : 0.6F;
    if (GENERATE(true, false)) problem.hidden = make_mask(Mask::causal, 19, {.keys = 3, .sinks = 1});
    for (int prompt = 1; prompt <= 19; ++prompt) {
        CAPTURE(prompt);
        CHECK(first_difference(problem, split_after(prompt, 19)) == "");
    }
    AttentionProblem other = problem;
    CHECK(tokens_still_valid(problem, other) == 19);
    other.projections.edit().sink_logits(1) += 1;
    CHECK(tokens_still_valid(problem, other) == 0);
}

TEST_CASE("a cache of latents gives the bits of the whole sentence, for every split", "[cache][property]") {
    const auto [num_kv_heads, query_latent, latent] =
        GENERATE(table<int, int, int>({{0, 0, 4}, {0, 3, 0}, {2, 2, 5}, {0, 17, 1}}));
    AttentionProblem problem = random_problem({.num_tokens = 9,
                                               .d_in = 5,
                                               .head_dim = 3,
                                               .num_heads = 4,
                                               .num_kv_heads = num_kv_heads,
                                               .query_latent = query_latent,
                                               .latent = latent},
                                              23);
    // Typed keys stay typed, though a latent does not know them.
    if (latent == 5)
        problem.typed_roles = random_typed_roles(9, problem.d_out(), 5, problem.role_width(TensorId::keys));
    if (latent == 4) problem.embeddings(2, 1) = std::numeric_limits<float>::infinity();
    for (int prompt = 1; prompt <= 9; ++prompt) {
        CAPTURE(latent, prompt);
        CHECK(first_difference(problem, split_after(prompt, 9)) == "");
    }
    for (const simd::InstructionSet set : simd::available())
        CHECK(with_set(set, [&] { return first_difference(problem, {4, 5}); }) == "");
}

TEST_CASE("a cache of latents and turned position keys gives the bits of the whole sentence", "[cache][property]") {
    const auto [num_kv_heads, query_latent, rope_dim] =
        GENERATE(table<int, int, int>({{0, 0, 4}, {2, 3, 2}, {1, 0, 18}}));
    const AttentionProblem problem = random_problem({.num_tokens = 80,
                                                     .d_in = 5,
                                                     .head_dim = 3,
                                                     .num_heads = 4,
                                                     .num_kv_heads = num_kv_heads,
                                                     .query_latent = query_latent,
                                                     .latent = 4,
                                                     .rope_dim = rope_dim},
                                                    23);
    for (const int prompt : {1, 7, 63, 80}) {
        CAPTURE(rope_dim, prompt);
        CHECK(first_difference(problem, split_after(prompt, 80)) == "");
    }
    for (const simd::InstructionSet set : simd::available())
        CHECK(with_set(set, [&] { return first_difference(problem, {40, 40}); }) == "");
    CachedAttention cached(problem);
    cached.append(problem, 9);
    CHECK(cached.cache().num_kept() == (4 + rope_dim) * 9);  // (d_c + d_r) a token
    AttentionProblem other = problem;
    other.projections.edit().w_key_rope(0, 0) += 1;
    CHECK(tokens_still_valid(problem, other) == 0);
}

TEST_CASE("a cache of latents keeps d_c numbers a token, outgrows its room, and can forget", "[cache]") {
    const AttentionProblem problem = random_problem(
        {.num_tokens = 150, .d_in = 6, .head_dim = 3, .num_heads = 2, .query_latent = 2, .latent = 4}, 24);
    CHECK(first_difference(problem, split_after(1, 150)) == "");
    CachedAttention cached(problem);
    cached.append(problem, 9);
    CHECK(cached.cache().num_kept() == 4 * 9);
    AttentionProblem other = problem;
    other.projections.edit().w_down_kv(0, 0) += 1;
    CHECK(tokens_still_valid(problem, other) == 0);
    other = problem;
    other.projections.edit().w_down_query = Matrix();
    CHECK(tokens_still_valid(problem, other) == 0);
}

TEST_CASE("a long sentence outgrows the cache's first room and keeps its bits", "[cache][property]") {
    const Init init = GENERATE(Init::torch_linear, Init::none);
    const AttentionProblem problem =
        random_problem({.num_tokens = 150, .d_in = 6, .head_dim = 3, .num_heads = 2}, 4, init);
    CHECK(first_difference(problem, split_after(1, 150)) == "");
    CHECK(first_difference(problem, {63, 1, 1, 70, 15}) == "");
    CHECK(first_difference(problem, {150}) == "");
}

TEST_CASE("a cache gives the same bits with every instruction set", "[cache][property]") {
    const AttentionProblem problem = random_problem({.num_tokens = 35, .d_in = 7, .head_dim = 5, .num_heads = 2}, 8);
    for (const simd::InstructionSet set : simd::available()) {
        CAPTURE(simd::name_of(set));
        CHECK(with_set(set, [&] { return first_difference(problem, split_after(20, 35)); }) == "");
    }
}

TEST_CASE("edits of a mask that shows no later token leave the bits", "[cache][property]") {
    AttentionProblem problem = random_problem({.num_tokens = 11, .d_in = 6, .head_dim = 3, .num_heads = 2}, 9);
    const Flags random = random_mask(11, 10);
    for (int i = 0; i < 11; ++i) {
        for (int j = 0; j < i; ++j) problem.hidden(i, j) = random(i, j);
    }
    for (int prompt = 1; prompt <= 11; ++prompt) CHECK(first_difference(problem, split_after(prompt, 11)) == "");
    problem.embeddings(4, 2) = std::numeric_limits<float>::infinity();
    problem.embeddings(7, 0) = std::numeric_limits<float>::quiet_NaN();
    for (int prompt = 1; prompt <= 11; ++prompt) CHECK(first_difference(problem, split_after(prompt, 11)) == "");
}

TEST_CASE("a window and sinks leave the bits", "[cache][property]") {
    AttentionProblem problem =
        random_problem({.num_tokens = 19, .d_in = 6, .head_dim = 3, .num_heads = 4, .num_kv_heads = 2}, 11);
    const int keys = GENERATE(1, 3, 8, 19);
    for (const int sinks : {0, 1, 4}) {
        problem.hidden = make_mask(Mask::causal, 19, {.keys = keys, .sinks = sinks});
        CAPTURE(keys, sinks);
        for (int prompt = 1; prompt <= 19; prompt += 3) CHECK(first_difference(problem, split_after(prompt, 19)) == "");
    }
}

TEST_CASE("rotary positions and ALiBi leave the bits: what is cached is the rotated key",
          "[cache][rotary][alibi][property]") {
    AttentionProblem problem =
        random_problem({.num_tokens = 19, .d_in = 6, .head_dim = 4, .num_heads = 6, .num_kv_heads = 3}, 21);
    problem.settings.rotary.pairs = GENERATE(RotaryPairs::halves, RotaryPairs::neighbours);
    problem.settings.rotary.shift = GENERATE(0, 70);
    problem.settings.rotary.is_on = GENERATE(true, false);
    problem.settings.alibi.is_on = !problem.settings.rotary.is_on;
    problem.settings.score_cap = problem.settings.rotary.shift == 0 ? 0 : 0.6F;
    problem.typed_roles = random_typed_roles(19, 24, 22, 12);
    if (GENERATE(false, true)) draw_norms(problem, 23);
    for (int prompt = 1; prompt <= 19; prompt += 3) CHECK(first_difference(problem, split_after(prompt, 19)) == "");
}

TEST_CASE("cached rows agree with the reference in double", "[cache][reference]") {
    const AttentionProblem problem = random_problem({.num_tokens = 8, .d_in = 6, .head_dim = 3, .num_heads = 2}, 12);
    const LayerValues reference = layer_values(problem);
    CachedAttention cached(problem);
    cached.append(problem, 3);
    for (int token = 3; token < 8; ++token) {
        cached.append(problem, 1);
        for (const TensorId stage : {TensorId::scaled_scores, TensorId::weights, TensorId::context, TensorId::output}) {
            for (int h = 0; h < heads_of(problem, stage); ++h) {
                const MatrixD want = reference.matrix(stage, h);
                const std::vector<float> row = cached.row(problem, stage, h, token);
                for (std::size_t c = 0; c < row.size(); ++c) {
                    // Numbers around 1 with some 30 roundings of 6e-8 behind each.
                    CHECK(std::abs(static_cast<double>(row[c]) - want(token, c)) <= 3e-6);
                }
            }
        }
    }
}

TEST_CASE("key heads that several heads share are those of a layer with the same matrices repeated",
          "[cache][property]") {
    const int T = 9;
    const AttentionProblem problem = random_problem({.num_tokens = T, .d_in = 6, .head_dim = 3, .num_heads = 4}, 13);
    Matrix w_key = zeros<Matrix>(6, 6);  // two key heads
    Matrix w_value = zeros<Matrix>(6, 6);
    AttentionProblem repeated = problem;
    for (int r = 0; r < 6; ++r) {
        for (int c = 0; c < 12; ++c) {
            const int source = c / 6 * 3 + c % 3;  // heads 0 and 1 read key head 0
            w_key(r, source) = problem.projections->w_key(r, source);
            w_value(r, source) = problem.projections->w_value(r, source);
            repeated.projections.edit().w_key(r, c) = problem.projections->w_key(r, source);
            repeated.projections.edit().w_value(r, c) = problem.projections->w_value(r, source);
        }
    }
    for (Vector* bias : {&repeated.projections.edit().b_key, &repeated.projections.edit().b_value}) {
        for (int c = 0; c < 12; ++c) (*bias)(c) = 0;
    }
    const Projections& p = problem.projections;
    KvCache cache;
    REQUIRE(cache.begin({.d_in = 6,
                         .d_out = 12,
                         .num_heads = 4,
                         .kv_heads = 2,
                         .w_query = p.w_query.data(),
                         .w_key = w_key.data(),
                         .w_value = w_value.data(),
                         .b_query = p.b_query.data(),
                         .w_out = p.w_out.data(),
                         .b_out = p.b_out.data(),
                         .divisor = score_divisor(problem.settings, 3)}));
    const AttentionTrace whole = attend(repeated);
    for (int token = 0; token < T; ++token) {
        REQUIRE(cache.project(row_of(problem.embeddings, token).data(), 1));
        REQUIRE(cache.attend({}, token % 2 == 0));
        CHECK(cache.num_kept() == 2 * 6 * (token + 1));
        for (int c = 0; c < 12; ++c) CHECK(same_bits(cache.output(0)[c], whole.output(token, c)));
    }
}

TEST_CASE("without the causal mask earlier rows differ, and the newest does not", "[cache][property]") {
    AttentionProblem problem = random_problem({.num_tokens = 6, .d_in = 6, .head_dim = 3, .num_heads = 2}, 14);
    problem.hidden = make_mask(Mask::none, 6);
    CHECK(first_difference(problem, {6}) == "");
    CachedAttention cached(problem);
    cached.append(problem, 5);
    const std::vector<float> early = cached.row(problem, TensorId::weights, 0, 0);
    cached.append(problem, 1);
    const Matrix whole = stage_matrix(problem, attend(problem), TensorId::weights, 0);
    CHECK_FALSE(same_bits(early[0], whole(0, 0)));
    const std::vector<float> newest = cached.row(problem, TensorId::weights, 0, 5);
    for (int j = 0; j < 6; ++j) CHECK(same_bits(newest[static_cast<std::size_t>(j)], whole(5, j)));
}

TEST_CASE("dropout is drawn anew: weights stay, what is dropped of them differs", "[cache][property]") {
    AttentionProblem problem = random_problem({.num_tokens = 8, .d_in = 6, .head_dim = 3, .num_heads = 2}, 15);
    problem.settings.dropout = 0.5;
    problem.settings.dropout_seed = 7;
    problem.settings.dropout_skip = 3;
    CHECK(first_difference(problem, {8}) == "");  // all at once draws as the whole does
    CHECK(first_difference(problem, {4, 1, 1, 1, 1}).starts_with("context"));
    // The numbers are drawn on: (2, 4, 4) first, then (2, 1, 5).
    TorchGenerator generator(7);
    std::vector<std::uint8_t> keep(10);
    fill_keep_mask(generator, keep, 0.5, 3 + 32);
    CachedAttention cached(problem);
    cached.append(problem, 4);
    cached.append(problem, 1);
    for (int h = 0; h < 2; ++h) {
        const std::vector<float> weights = cached.row(problem, TensorId::weights, h, 4);
        const std::vector<float> dropped = cached.row(problem, TensorId::dropped_weights, h, 4);
        for (std::size_t j = 0; j < 5; ++j) {
            CHECK(same_bits(dropped[j], weights[j] * (keep[static_cast<std::size_t>(h) * 5 + j] != 0 ? 2.0F : 0.0F)));
        }
    }
}

TEST_CASE("a mask after the softmax gives nearly the same weights, to the last bits", "[cache][property]") {
    AttentionProblem problem = random_problem({.num_tokens = 12, .d_in = 6, .head_dim = 3, .num_heads = 2}, 16);
    problem.settings.mask_at = MaskAt::after;
    CHECK(first_difference(problem, {12}) == "");
    const Matrix whole = stage_matrix(problem, attend(problem), TensorId::weights, 0);
    CachedAttention cached(problem);
    cached.append(problem, 4);
    for (int token = 4; token < 12; ++token) {
        cached.append(problem, 1);
        const std::vector<float> row = cached.row(problem, TensorId::weights, 0, token);
        // A softmax over fewer keys, divided by its sum again: the same number but for some roundings of 6e-8.
        for (std::size_t j = 0; j < row.size(); ++j) CHECK(std::abs(row[j] - whole(token, j)) <= 5e-7F);
    }
}

TEST_CASE("what a cache may keep ends at the first token that changed", "[cache][property]") {
    const AttentionProblem problem = random_problem({.num_tokens = 8, .d_in = 6, .head_dim = 3, .num_heads = 2}, 17);
    CHECK(tokens_still_valid(problem, problem) == 8);
    CHECK(tokens_still_valid(problem, beginning_of(problem, 5)) == 5);
    AttentionProblem now = problem;
    now.embeddings(3, 1) += 1;
    CHECK(tokens_still_valid(problem, now) == 3);
    now = problem;
    now.typed_roles = {{.role = TensorId::keys, .row = 6, .column = 0, .value = 1}};
    CHECK(tokens_still_valid(problem, now) == 6);
    CHECK(tokens_still_valid(now, problem) == 6);
    now = problem;
    now.hidden(5, 2) = 1;
    CHECK(tokens_still_valid(problem, now) == 5);
    now.hidden(5, 2) = 0;
    now.hidden(5, 7) = 0;  // what a row sees of later tokens was not there when it was computed
    CHECK(tokens_still_valid(problem, now) == 8);
    now = problem;
    now.projections.edit().b_value(0) += 1;
    CHECK(tokens_still_valid(problem, now) == 0);
    now = problem;
    now.settings.temperature = 2;
    CHECK(tokens_still_valid(problem, now) == 0);
}

TEST_CASE("tokens can be forgotten and come again", "[cache][property]") {
    const AttentionProblem problem = random_problem({.num_tokens = 6, .d_in = 6, .head_dim = 3, .num_heads = 2}, 18);
    const AttentionTrace whole = attend(problem);
    const Projections& p = problem.projections;
    KvCache cache;
    REQUIRE(cache.begin({.d_in = 6,
                         .d_out = 6,
                         .num_heads = 2,
                         .kv_heads = 2,
                         .w_query = p.w_query.data(),
                         .w_key = p.w_key.data(),
                         .w_value = p.w_value.data(),
                         .b_query = p.b_query.data(),
                         .b_key = p.b_key.data(),
                         .b_value = p.b_value.data(),
                         .w_out = p.w_out.data(),
                         .b_out = p.b_out.data(),
                         .divisor = score_divisor(problem.settings, 3)}));
    const std::vector<float> spoiled(6, std::numeric_limits<float>::infinity());
    REQUIRE(cache.project(problem.embeddings.data(), 4));
    REQUIRE(cache.attend({}, false));
    REQUIRE(cache.project(spoiled.data(), 1));
    REQUIRE(cache.attend({}, false));
    cache.forget_from(3);
    CHECK(cache.num_tokens() == 3);
    REQUIRE(cache.project(row_of(problem.embeddings, 3).data(), 3));
    REQUIRE(cache.attend({}, true));
    for (int i = 3; i < 6; ++i) {
        for (int c = 0; c < 6; ++c) CHECK(same_bits(cache.output(i - 3)[c], whole.output(i, c)));
        for (int j = 0; j < 6; ++j)
            CHECK(same_bits(cache.weights(1, i - 3)[j], row_of(whole.weights, 1, i)[static_cast<std::size_t>(j)]));
    }
}

}  // namespace attn::test
