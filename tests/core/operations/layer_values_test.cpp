// The fast twin against the plain one, stage by stage, for every number of tokens and every head size a SIMD loop can
// trip on.
#include "core/explain/stage_numbers.h"
#include "core/fast/attend.h"
#include "core/operations/values.h"
#include "samples.h"

#include <algorithm>
#include <catch_amalgamated.hpp>
#include <cmath>
#include <limits>

#include "core/failed_check.h"
#include "core/problems.h"

namespace attn::test {
namespace {

// How far attend() may be from the exact numbers. Floats round by 2^-24 = 6e-8 of their size. Queries, keys and values
// here add 9 to 13 terms, scores up to 33 products of them, contexts up to 40, outputs up to 67; the roundings mostly
// cancel: 1e-6 is about 17 of them, and 4.8e-7 was the largest difference over all of the first test's problems. `size`
// is the largest number of the stage: scores may be larger than 1.
double tolerance(double size) {
    return 1e-6 * std::max(1.0, size);
}

void require_twins_agree(const AttentionProblem& problem) {
    const AttentionTrace trace = attend(problem);
    const LayerValues reference = layer_values(problem);
    for (const StageInfo& info : stage_table()) {
        if (!has_stage(problem, info.id)) continue;
        for (int h = 0; h < heads_of(problem, info.id); ++h) {
            const Matrix fast = stage_matrix(problem, trace, info.id, h);
            const MatrixD plain = reference.matrix(info.id, h);
            REQUIRE(fast.shape() == plain.shape());
            REQUIRE(same_bits(stage_number(problem, trace, info.id, h, length(fast, 0) - 1, 0),
                              fast(length(fast, 0) - 1, 0)));
            double size = 0;
            for (const double value : plain) size = std::isfinite(value) ? std::max(size, std::abs(value)) : size;
            for (std::size_t k = 0; k < fast.size(); ++k) {
                const double a = static_cast<double>(fast.data()[k]);
                const double b = plain.data()[k];
                const bool is_close = a == b || std::abs(a - b) <= tolerance(size);  // a == b: both -inf
                if (!is_close) FAIL(info.name << " head " << h << " element " << k << ": " << a << ", plainly " << b);
            }
        }
    }
}

}  // namespace

TEST_CASE("the twins agree for every T from 1 to 40 and head_dim from 1 to 33", "[attention][reference]") {
    for (int num_tokens = 1; num_tokens <= 40; ++num_tokens) {
        for (int head_dim = 1 + (num_tokens - 1) % sample_step(8); head_dim <= 33; head_dim += sample_step(8)) {
            CAPTURE(num_tokens, head_dim);
            const auto seed = static_cast<std::uint64_t>(100 * num_tokens + head_dim);
            require_twins_agree(
                random_problem({.num_tokens = num_tokens, .d_in = 8, .head_dim = head_dim, .num_heads = 2}, seed));
        }
    }
}

TEST_CASE("the twins agree for every setting", "[attention][reference]") {
    const Init init = GENERATE(Init::torch_linear, Init::torch_rand, Init::torch_randn, Init::identity, Init::none);
    const Scale scale = GENERATE(Scale::sqrt, Scale::none, Scale::dim);
    const double dropout = GENERATE(0.0, 0.4);
    const MaskAt mask_at = GENERATE(MaskAt::before, MaskAt::after, MaskAt::after_raw);
    const bool is_causal = GENERATE(true, false);
    CAPTURE(static_cast<int>(init), static_cast<int>(scale), dropout, static_cast<int>(mask_at), is_causal);
    AttentionProblem problem = random_problem({.num_tokens = 11, .d_in = 12, .head_dim = 4, .num_heads = 3}, 21, init);
    problem.settings.scale = scale;
    problem.settings.temperature = 1.7f;
    problem.settings.dropout = dropout;
    problem.settings.dropout_skip = 33;
    problem.settings.mask_at = mask_at;
    problem.hidden = is_causal ? make_mask(Mask::causal, 11) : random_mask(11, 22);
    require_twins_agree(problem);
}

TEST_CASE("the twins agree where heads share keys and values", "[attention][reference]") {
    const int num_kv_heads = GENERATE(1, 2, 3, 6);
    AttentionProblem problem =
        random_problem({.num_tokens = 19, .d_in = 7, .head_dim = 3, .num_heads = 6, .num_kv_heads = num_kv_heads}, 31);
    problem.settings.dropout = GENERATE(0.0, 0.4);
    problem.settings.mask_at = GENERATE(MaskAt::before, MaskAt::after);
    require_twins_agree(problem);
}

TEST_CASE("the twins agree where keys and values are made of latents", "[attention][reference]") {
    const int num_kv_heads = GENERATE(0, 2);
    const int query_latent = GENERATE(0, 1, 5);
    const int latent = GENERATE(0, 1, 4, 17);
    AttentionProblem problem = random_problem({.num_tokens = 19,
                                               .d_in = 7,
                                               .head_dim = 3,
                                               .num_heads = 6,
                                               .num_kv_heads = num_kv_heads,
                                               .query_latent = query_latent,
                                               .latent = latent},
                                              35);
    problem.settings.dropout = GENERATE(0.0, 0.4);
    problem.settings.mask_at = GENERATE(MaskAt::before, MaskAt::after);
    require_twins_agree(problem);
}

TEST_CASE("the twins agree where some numbers are turned alone", "[attention][reference]") {
    AttentionProblem problem = random_problem({.num_tokens = 19,
                                               .d_in = 7,
                                               .head_dim = 3,
                                               .num_heads = 6,
                                               .num_kv_heads = GENERATE(0, 2),
                                               .query_latent = GENERATE(0, 5),
                                               .latent = 4,
                                               .rope_dim = GENERATE(2, 8)},
                                              35);
    problem.settings.rotary.pairs = GENERATE(RotaryPairs::halves, RotaryPairs::neighbours);
    problem.settings.dropout = GENERATE(0.0, 0.4);
    problem.settings.scale = GENERATE(Scale::sqrt, Scale::dim);
    require_twins_agree(problem);
}

// Section 2.1.3 of 2405.04434, equation by equation: concatenated queries and keys, one position key for all heads, and
// the square root of both widths.
TEST_CASE("scores with numbers that are turned alone are those of DeepSeek-V2's equations", "[attention][golden]") {
    AttentionProblem problem = random_problem(
        {.num_tokens = 4, .d_in = 5, .head_dim = 3, .num_heads = 2, .query_latent = 4, .latent = 2, .rope_dim = 2}, 61);
    const Projections& p = problem.projections;
    const LayerValues trace = layer_values(problem);
    const auto number = [](float value) { return static_cast<double>(value); };
    for (int h = 0; h < 2; ++h) {
        for (int i = 0; i < 4; ++i) {
            for (int j = 0; j < 4; ++j) {
                double score = 0;
                for (int c = 0; c < 3; ++c)
                    score += trace.of(TensorId::queries)(h, i, c) * trace.of(TensorId::keys)(h, j, c);
                // q^R of head h, k^R: one pair, turned by the token's position, which begins at 2, in radians.
                double q[2] = {0, 0}, k[2] = {0, 0};
                for (int r = 0; r < 2; ++r) {
                    for (int l = 0; l < 4; ++l)
                        q[r] += trace.of(TensorId::query_latents)(0, i, l) * number(p.w_query_rope(l, h * 2 + r));
                    for (int x = 0; x < 5; ++x) k[r] += number(problem.embeddings(j, x)) * number(p.w_key_rope(x, r));
                }
                const double a = i + 2, b = j + 2;
                const double qx = q[0] * std::cos(a) - q[1] * std::sin(a), qy = q[1] * std::cos(a) + q[0] * std::sin(a);
                const double kx = k[0] * std::cos(b) - k[1] * std::sin(b), ky = k[1] * std::cos(b) + k[0] * std::sin(b);
                score += qx * kx + qy * ky;
                CHECK(std::abs(trace.of(TensorId::scores)(h, i, j) - score) < 1e-12);
                CHECK(std::abs(trace.of(TensorId::scaled_scores)(h, i, j) - score / std::sqrt(5.0)) < 1e-6);
            }
        }
    }
    const AttentionTrace fast = attend(problem);
    AttentionProblem slid = problem;
    slid.settings.rotary.shift += 40;
    const Matrix before = stage_matrix(problem, fast, TensorId::scores, 1);
    const Matrix after = stage_matrix(slid, attend(slid), TensorId::scores, 1);
    for (std::size_t n = 0; n < before.size(); ++n) CHECK(std::abs(before.data()[n] - after.data()[n]) < 1e-5F);
}

namespace {

// What the absorbed order gives: scores as absorbed queries times latents, contexts as mixed latents times w_value.
// Biases of keys and values are added as the sums ask for it.
struct Absorbed {
    double score = 0, context = 0;  // the largest differences to the expanded order
};

template <class Number, class StageOf>
Absorbed absorbed_differences(const AttentionProblem& problem, const StageOf& stage_of) {
    const Projections& p = problem.projections;
    Absorbed most;
    for (int h = 0; h < problem.settings.num_heads; ++h) {
        const int first = problem.kv_head(h) * problem.head_dim();
        const auto queries = stage_of(TensorId::queries, h), absorbed = stage_of(TensorId::absorbed_queries, h);
        const auto latents = stage_of(TensorId::latents, 0), scores = stage_of(TensorId::scores, h);
        const auto mixed = stage_of(TensorId::mixed_latents, h), context = stage_of(TensorId::context, h);
        for (int i = 0; i < problem.num_tokens(); ++i) {
            for (int j = 0; j < problem.num_tokens(); ++j) {
                Number score = 0;
                for (int l = 0; l < problem.latent(); ++l) score += absorbed(i, l) * latents(j, l);
                for (int c = 0; c < problem.head_dim(); ++c)
                    score += queries(i, c) * static_cast<Number>(p.b_key(first + c));
                if (problem.rope_dim() != 0) {
                    const auto turned = stage_of(TensorId::rotated_queries, h),
                               keys = stage_of(TensorId::rotated_keys, h);
                    for (int c = problem.head_dim(); c < problem.score_dim(); ++c) score += turned(i, c) * keys(j, c);
                }
                most.score = std::max(most.score, std::abs(static_cast<double>(score - scores(i, j))));
            }
            for (int c = 0; c < problem.head_dim(); ++c) {
                Number sum = static_cast<Number>(p.b_value(first + c));  // the weights sum to 1
                for (int l = 0; l < problem.latent(); ++l)
                    sum += mixed(i, l) * static_cast<Number>(p.w_value(l, first + c));
                most.context = std::max(most.context, std::abs(static_cast<double>(sum - context(i, c))));
            }
        }
    }
    return most;
}

}  // namespace

// The same sums in another order: doubles differ by their rounding alone, floats by some ten roundings of 6e-8.
TEST_CASE("absorbed and expanded order of the products give the same scores and contexts", "[attention][property]") {
    const int num_kv_heads = GENERATE(0, 2, 1);
    const int latent = GENERATE(1, 3, 8);
    const AttentionProblem problem = random_problem({.num_tokens = 9,
                                                     .d_in = 6,
                                                     .head_dim = 3,
                                                     .num_heads = 4,
                                                     .num_kv_heads = num_kv_heads,
                                                     .query_latent = 2,
                                                     .latent = latent,
                                                     .rope_dim = GENERATE(0, 4)},
                                                    36);
    const LayerValues reference = layer_values(problem);
    const Absorbed exact =
        absorbed_differences<double>(problem, [&](TensorId stage, int h) { return reference.matrix(stage, h); });
    CHECK(exact.score < 1e-14);
    CHECK(exact.context < 1e-14);
    const AttentionTrace trace = attend(problem);
    const Absorbed floats = absorbed_differences<float>(
        problem, [&](TensorId stage, int h) { return stage_matrix(problem, trace, stage, h); });
    CHECK(floats.score < 1e-6);
    CHECK(floats.context < 1e-6);
}

// Matrices that only copy round nothing: each sum is over the same products and zeros.
TEST_CASE("where the matrices only copy, both orders have the same bits", "[attention][property]") {
    AttentionProblem problem =
        random_problem({.num_tokens = 9, .d_in = 6, .head_dim = 3, .num_heads = 2, .latent = 6}, 37, Init::identity);
    const AttentionTrace trace = attend(problem);
    const Absorbed bits = absorbed_differences<float>(
        problem, [&](TensorId stage, int h) { return stage_matrix(problem, trace, stage, h); });
    CHECK(bits.score == 0);
    CHECK(bits.context == 0);
}

// The k-th key head's columns, given to every query head that reads it, are a layer without sharing.
TEST_CASE("shared keys are the same as copies of them, bit for bit", "[attention][property]") {
    const int num_kv_heads = GENERATE(1, 2, 4);
    const ProblemShape shape = {
        .num_tokens = 9, .d_in = 5, .head_dim = 3, .num_heads = 4, .num_kv_heads = num_kv_heads};
    const AttentionProblem shared = random_problem(shape, 32);
    AttentionProblem copied = shared;
    copied.settings.num_kv_heads = 0;
    for (auto matrix : {&Projections::w_key, &Projections::w_value}) {
        Matrix wide = zeros<Matrix>(shape.d_in, shared.d_out());
        for (int row = 0; row < shape.d_in; ++row) {
            for (int c = 0; c < shared.d_out(); ++c)
                wide(row, c) = ((*shared.projections).*matrix)(
                    row, shared.kv_head(c / shape.head_dim) * shape.head_dim + c % shape.head_dim);
        }
        copied.projections.edit().*matrix = wide;
    }
    for (auto bias : {&Projections::b_key, &Projections::b_value}) {
        Vector wide = zeros<Vector>(shared.d_out());
        for (int c = 0; c < shared.d_out(); ++c)
            wide(c) =
                ((*shared.projections).*bias)(shared.kv_head(c / shape.head_dim) * shape.head_dim + c % shape.head_dim);
        copied.projections.edit().*bias = wide;
    }
    const AttentionTrace a = attend(shared);
    const AttentionTrace b = attend(copied);
    CHECK(length(a.key, 0) == num_kv_heads);
    CHECK(length(b.key, 0) == 4);
    for (const StageInfo& info : stage_table()) {
        if (!has_stage(shared, info.id)) continue;
        for (int h = 0; h < heads_of(shared, info.id); ++h)
            CHECK(stage_matrix(shared, a, info.id, h) == stage_matrix(copied, b, info.id, h));
    }
}

TEST_CASE("neighbouring heads read the same key head", "[attention]") {
    AttentionProblem problem = random_problem({.num_heads = 8, .num_kv_heads = 2}, 33);
    std::vector<int> read;
    for (int h = 0; h < 8; ++h) read.push_back(problem.kv_head(h));
    CHECK(read == std::vector<int>{0, 0, 0, 0, 1, 1, 1, 1});
    problem.settings.num_kv_heads = 0;
    CHECK(problem.kv_head(5) == 5);
}

TEST_CASE("the twins agree without biases and without output projection", "[attention][reference]") {
    AttentionProblem problem = random_problem({.num_tokens = 6}, 23);
    problem.projections = make_projections(Init::torch_linear, 1, 6, 6, false, false);
    require_twins_agree(problem);
}

TEST_CASE("the twins agree where queries, keys and values are typed", "[attention][reference]") {
    const Init init = GENERATE(Init::torch_linear, Init::none);
    AttentionProblem problem = random_problem({.num_tokens = 5, .d_in = 6, .head_dim = 3, .num_heads = 2}, 25, init);
    problem.typed_roles = random_typed_roles(5, 6, 26);
    require_twins_agree(problem);
}

TEST_CASE("the reference leaves hidden keys out, whatever they hold", "[attention][reference]") {
    AttentionProblem problem = random_problem({.num_tokens = 5}, 24);
    problem.embeddings(4, 0) = std::numeric_limits<float>::infinity();
    const LayerValues trace = layer_values(problem);
    for (int i = 0; i < 4; ++i) {
        for (int c = 0; c < 6; ++c) CHECK(std::isfinite(trace.of(TensorId::output)(0, i, c)));
    }
}

TEST_CASE("the reference knows its cells", "[attention][bad-input]") {
    const AttentionProblem problem = random_problem({.num_tokens = 3}, 1);
    const LayerValues trace = layer_values(problem);
    CHECK_THAT(failed_check([&] { trace.matrix(TensorId::scores, 2); }),
               Catch::Matchers::ContainsSubstring("head is 2"));
    CHECK_THAT(failed_check([&] { trace.matrix(TensorId::dropped_weights, 0); }),
               Catch::Matchers::ContainsSubstring("no stage dropped_weights"));
}

}  // namespace attn::test
