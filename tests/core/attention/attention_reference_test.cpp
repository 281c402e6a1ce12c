// The fast twin against the plain one, stage by stage, for every number of tokens and every head size a SIMD loop can
// trip on.
#include "core/attention/attention_reference.h"
#include "core/explain/stage_numbers.h"
#include "core/fast/attend.h"

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
    const ReferenceTrace reference = attend_reference(problem);
    for (const StageInfo& info : stage_table()) {
        if (!has_stage(problem, info.id)) continue;
        for (int h = 0; h < heads_of(problem, info.id); ++h) {
            const Matrix fast = stage_matrix(problem, trace, info.id, h);
            const MatrixD plain = reference_matrix(problem, reference, info.id, h);
            REQUIRE(fast.shape() == plain.shape());
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
        for (int head_dim = 1; head_dim <= 33; ++head_dim) {
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
    const ReferenceTrace trace = attend_reference(problem);
    for (int i = 0; i < 4; ++i) {
        for (int c = 0; c < 6; ++c) CHECK(std::isfinite(trace.output(i, c)));
    }
}

TEST_CASE("the reference knows its cells", "[attention][bad-input]") {
    const AttentionProblem problem = random_problem({.num_tokens = 3}, 1);
    const ReferenceTrace trace = attend_reference(problem);
    CHECK_THAT(failed_check([&] { reference_matrix(problem, trace, TensorId::scores, 2); }),
               Catch::Matchers::ContainsSubstring("head is 2"));
    CHECK_THAT(failed_check([&] { reference_matrix(problem, trace, TensorId::dropped_weights, 0); }),
               Catch::Matchers::ContainsSubstring("no stage dropped_weights"));
}

}  // namespace attn::test
