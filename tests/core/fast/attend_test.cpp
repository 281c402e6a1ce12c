// Properties of attention that hold for every problem, and problems that are refused.
#include "core/fast/attend.h"
#include "core/attention/attention.h"
#include "core/explain/stage_numbers.h"

#include <algorithm>
#include <catch_amalgamated.hpp>
#include <cmath>
#include <limits>
#include <sstream>
#include <string>
#include <vector>

#include "core/failed_check.h"
#include "core/ground/check.h"
#include "core/problems.h"
#include "core/words/embeddings.h"

namespace attn::test {
namespace {

// The first `num_tokens` tokens of a causal problem.
AttentionProblem prefix_of(const AttentionProblem& problem, int num_tokens) {
    AttentionProblem prefix = problem;
    prefix.embeddings = zeros<Matrix>(num_tokens, problem.d_in());
    for (int i = 0; i < num_tokens; ++i) {
        std::copy(row_of(problem.embeddings, i).begin(), row_of(problem.embeddings, i).end(),
                  row_of(prefix.embeddings, i).begin());
    }
    prefix.hidden = make_mask(Mask::causal, num_tokens);
    return prefix;
}

// The first rows of every stage, and of the (T, T) stages the first columns, are the same bits in both.
void require_same_start(const AttentionProblem& shorter, const AttentionProblem& longer, int num_tokens) {
    const AttentionTrace short_trace = attend(shorter);
    const AttentionTrace long_trace = attend(longer);
    int num_compared = 0;
    for (const StageInfo& info : stage_table()) {
        if (!has_stage(shorter, info.id)) continue;
        for (int h = 0; h < heads_of(shorter, info.id); ++h) {
            const Matrix a = stage_matrix(shorter, short_trace, info.id, h);
            const Matrix b = stage_matrix(longer, long_trace, info.id, h);
            const int columns = info.columns == Axis::key_token ? num_tokens : length(a, 1);
            for (int i = 0; i < num_tokens; ++i) {
                for (int j = 0; j < columns; ++j, ++num_compared) {
                    if (!same_bits(a(i, j), b(i, j))) FAIL(info.name << " head " << h << " (" << i << ", " << j << ")");
                }
            }
        }
    }
    CHECK(num_compared > 10 * num_tokens);
}

std::uint64_t digest_of(const Matrix& matrix) {
    return fnv1a64({reinterpret_cast<const char*>(matrix.data()), matrix.size() * sizeof(float)});
}

}  // namespace

TEST_CASE("later tokens never change earlier outputs, bit for bit", "[attention][property]") {
    const auto [d_in, head_dim, num_heads] =
        GENERATE(table<int, int, int>({{8, 8, 1}, {8, 4, 4}, {16, 1, 2}, {3, 17, 1}, {5, 37, 3}}));
    const AttentionProblem longer =
        random_problem({.num_tokens = 41, .d_in = d_in, .head_dim = head_dim, .num_heads = num_heads}, 3);
    for (int num_tokens = 1; num_tokens <= 41; num_tokens += 1 + num_tokens / 8) {
        CAPTURE(d_in, head_dim, num_heads, num_tokens);
        require_same_start(prefix_of(longer, num_tokens), longer, num_tokens);
    }
}

TEST_CASE("not even infinities and NaNs in later tokens are felt by earlier ones", "[attention][property]") {
    const AttentionProblem problem = random_problem({.num_tokens = 10, .d_in = 6, .head_dim = 5, .num_heads = 2}, 4);
    AttentionProblem spoiled = problem;
    for (int c = 0; c < 6; ++c) {
        spoiled.embeddings(7, c) = std::numeric_limits<float>::infinity();
        spoiled.embeddings(8, c) = std::numeric_limits<float>::quiet_NaN();
        spoiled.embeddings(9, c) = -3e38f;
    }
    require_same_start(prefix_of(problem, 7), spoiled, 7);
}

TEST_CASE("the rows of weights sum to 1 and hidden keys get exactly 0", "[attention][property]") {
    const auto [num_tokens, scale] = GENERATE(table<int, Scale>(
        {{1, Scale::sqrt}, {2, Scale::none}, {40, Scale::sqrt}, {300, Scale::dim}, {2048, Scale::none}}));
    AttentionProblem problem = random_problem({.num_tokens = num_tokens, .d_in = 4, .head_dim = 4, .num_heads = 1}, 5);
    problem.settings.scale = scale;
    problem.settings.temperature = GENERATE(1.0f, 0.01f, 50.0f);
    if (num_tokens == 40) problem.hidden = random_mask(40, 6);
    const AttentionTrace trace = attend(problem);
    const Matrix weights = stage_matrix(problem, trace, TensorId::weights, 0);
    REQUIRE(length(weights, 0) == num_tokens);
    for (int i = 0; i < num_tokens; ++i) {
        double sum = 0;
        for (int j = 0; j < num_tokens; ++j) {
            sum += static_cast<double>(weights(i, j));
            if (problem.hidden(i, j) != 0 && !same_bits(weights(i, j), 0.0f)) FAIL("hidden (" << i << ", " << j << ")");
            if (!(weights(i, j) >= 0 && weights(i, j) <= 1)) FAIL("(" << i << ", " << j << ") is " << weights(i, j));
        }
        // The row sum is rounded to float once and each weight once: 2 * 2^-24, far below 1e-6.
        if (!(std::abs(sum - 1) <= 1e-6)) FAIL("row " << i << " sums to " << sum);
    }
}

TEST_CASE("without mask and positions, permuted tokens give permuted outputs", "[attention][property]") {
    const Init init = GENERATE(Init::torch_linear, Init::none);
    AttentionProblem problem = random_problem({.num_tokens = 9, .d_in = 6, .head_dim = 3, .num_heads = 2}, 6, init);
    problem.hidden = make_mask(Mask::none, 9);
    const std::vector<int> order = {4, 0, 8, 3, 1, 7, 2, 6, 5};
    AttentionProblem permuted = problem;
    for (int i = 0; i < 9; ++i) {
        for (int c = 0; c < 6; ++c)
            permuted.embeddings(i, c) = problem.embeddings(order[static_cast<std::size_t>(i)], c);
    }
    const TensorId last = init == Init::none ? TensorId::merged : TensorId::output;
    const Matrix a = stage_matrix(problem, attend(problem), last, 0);
    const Matrix b = stage_matrix(permuted, attend(permuted), last, 0);
    for (int i = 0; i < 9; ++i) {
        for (int c = 0; c < length(a, 1); ++c) {
            // Sums over 9 keys run in another order: 9 roundings of numbers around 1, carried through 6 more products.
            CHECK(std::abs(b(i, c) - a(order[static_cast<std::size_t>(i)], c)) <= 2e-6f);
        }
    }
}

TEST_CASE("one head is the plain formula", "[attention][reference]") {
    const int T = 6;
    const int d = 5;
    const AttentionProblem problem = random_problem({.num_tokens = T, .d_in = d, .head_dim = d, .num_heads = 1}, 7);
    const Projections& p = problem.projections;
    const auto projected = [&](const Matrix& w, const Vector& b, int i, int c) {
        double sum = static_cast<double>(b(c));
        for (int k = 0; k < d; ++k) sum += static_cast<double>(problem.embeddings(i, k)) * static_cast<double>(w(k, c));
        return sum;
    };
    const AttentionTrace trace = attend(problem);
    for (int i = 0; i < T; ++i) {
        std::vector<double> exps;
        for (int j = 0; j <= i; ++j) {
            double score = 0;
            for (int c = 0; c < d; ++c) {
                score += projected(p.w_query, p.b_query, i, c) * projected(p.w_key, p.b_key, j, c);
            }
            exps.push_back(std::exp(score / std::sqrt(5.0)));
        }
        double total = 0;
        for (const double e : exps) total += e;
        for (int c = 0; c < d; ++c) {
            double context = 0;
            for (int j = 0; j <= i; ++j) {
                context += exps[static_cast<std::size_t>(j)] / total * projected(p.w_value, p.b_value, j, c);
            }
            // Numbers around 1, about 20 roundings of 6e-8 behind each.
            CHECK(std::abs(static_cast<double>(trace.context(0, i, c)) - context) <= 2e-6);
        }
    }
}

TEST_CASE("scale and temperature divide the scores", "[attention]") {
    CHECK(score_divisor({.scale = Scale::sqrt}, 2) == std::sqrt(2.0f));
    CHECK(score_divisor({.scale = Scale::none}, 64) == 1.0f);
    CHECK(score_divisor({.scale = Scale::dim}, 64) == 64.0f);
    CHECK(score_divisor({.scale = Scale::sqrt, .temperature = 0.5f}, 64) == 4.0f);
}

TEST_CASE("a large temperature spreads the weights evenly, a small one puts all on the best key",
          "[attention][property]") {
    AttentionProblem problem = random_problem({.num_tokens = 8}, 8);
    problem.hidden = make_mask(Mask::none, 8);
    problem.settings.temperature = 1e6f;
    for (const float weight : stage_matrix(problem, attend(problem), TensorId::weights, 0)) {
        CHECK(std::abs(weight - 0.125f) < 1e-5f);  // scores of size 1 differ by 1e-6 after division
    }
    problem.settings.temperature = 1e-6f;
    const AttentionTrace trace = attend(problem);
    const Matrix weights = stage_matrix(problem, trace, TensorId::weights, 0);
    for (int i = 0; i < 8; ++i) {
        const Vector scores = stage_row(problem, trace, TensorId::scores, 0, i);
        CHECK(weights(i, std::max_element(scores.begin(), scores.end()) - scores.begin()) > 0.99f);
    }
}

TEST_CASE("scores too large for exp still give weights", "[attention][property]") {
    AttentionProblem problem = random_problem({.num_tokens = 5}, 9);
    for (float& value : problem.embeddings) value *= 1e15f;  // scores around 1e30
    for (const float weight : stage_matrix(problem, attend(problem), TensorId::weights, 1)) {
        CHECK(weight >= 0);
        CHECK(weight <= 1);
    }
}

TEST_CASE("dropout keeps or drops, and what it keeps grows by 1/(1-p)", "[attention][property]") {
    AttentionProblem problem = random_problem({.num_tokens = 30}, 10);
    problem.settings.dropout = 0.25;
    problem.settings.dropout_seed = 5;
    const AttentionTrace trace = attend(problem);
    const Matrix weights = stage_matrix(problem, trace, TensorId::weights, 1);
    const Matrix dropped = stage_matrix(problem, trace, TensorId::dropped_weights, 1);
    const float grown = 1.0f / 0.75f;
    for (int i = 0; i < 30; ++i) {
        for (int j = 0; j < 30; ++j) CHECK(dropped(i, j) == (trace.keep(1, i, j) != 0 ? weights(i, j) * grown : 0.0f));
    }
    const auto num_kept = std::count(trace.keep.begin(), trace.keep.end(), 1);
    CHECK(std::abs(static_cast<double>(num_kept) / 1800 - 0.75) < 0.05);  // five standard deviations of 1800 draws
}

TEST_CASE("a row made alone is that row of the matrix, bit for bit", "[attention][property]") {
    AttentionProblem problem = random_problem({.num_tokens = 13, .d_in = 7, .head_dim = 5, .num_heads = 3}, 11);
    problem.settings.dropout = 0.5;
    problem.settings.mask_at = GENERATE(MaskAt::before, MaskAt::after, MaskAt::after_raw);
    problem.hidden = random_mask(13, 12);
    const AttentionTrace trace = attend(problem);
    for (const StageInfo& info : stage_table()) {
        if (!has_stage(problem, info.id)) continue;
        for (int h = 0; h < heads_of(problem, info.id); ++h) {
            const Matrix matrix = stage_matrix(problem, trace, info.id, h);
            for (int i = 0; i < 13; ++i) {
                const Vector row = stage_row(problem, trace, info.id, h, i);
                REQUIRE(row.size() == matrix.shape(1));
                for (int j = 0; j < length(row, 0); ++j) CHECK(same_bits(row(j), matrix(i, j)));
            }
        }
    }
}

TEST_CASE("desktop and web compute the same bits", "[attention][golden]") {
    // One digest of every stage, recorded once on x86-64: the same test runs as WebAssembly and must find it again.
    // Nothing here goes through a C library's logarithm or sine, so every step is exact IEEE arithmetic in a fixed
    // order.
    const std::vector<std::string> tokens = {"The", "artist", "painted", "the", "portrait", "of",
                                             "a",   "woman",  "with",    "a",   "brush"};
    AttentionProblem problem;
    problem.embeddings = hashed_embeddings(tokens, 48, 123, true);
    problem.projections = make_projections(Init::torch_linear, 123, 48, 54, true, true);
    problem.settings = {.num_heads = 6, .dropout = 0.1, .dropout_seed = 1};
    problem.hidden = make_mask(Mask::causal, 11);
    const AttentionTrace trace = attend(problem);
    std::string digests;
    for (const StageInfo& info : stage_table()) {
        if (!has_stage(problem, info.id)) continue;
        for (int h = 0; h < heads_of(problem, info.id); ++h) {
            digests += concat(info.name, h, digest_of(stage_matrix(problem, trace, info.id, h)));
        }
    }
    CHECK(fnv1a64(digests) == 0xee0fde8c109ed1dbU);
}

TEST_CASE("has_stage knows which stages a problem lacks", "[attention]") {
    const AttentionProblem with_all = random_problem({}, 1);
    const AttentionProblem without = random_problem({}, 1, Init::none);
    CHECK(has_stage(with_all, TensorId::output));
    CHECK(!has_stage(without, TensorId::output));
    CHECK(!has_stage(with_all, TensorId::dropped_weights));
    CHECK(has_stage(without, TensorId::queries));
}

TEST_CASE("problems that do not fit together are refused with their shapes", "[attention][bad-input]") {
    using Catch::Matchers::ContainsSubstring;
    const auto message_after = [](auto change) {
        AttentionProblem problem = random_problem({.num_tokens = 4, .d_in = 6, .head_dim = 3, .num_heads = 2}, 1);
        change(problem);
        return failed_check([&] { attend(problem); });
    };
    CHECK(message_after([](AttentionProblem&) {}).empty());
    CHECK_THAT(message_after([](auto& p) { p.embeddings = zeros<Matrix>(0, 6); }),
               ContainsSubstring("embeddings is (0, 6)"));
    CHECK_THAT(message_after([](auto& p) { p.projections.edit().w_key = zeros<Matrix>(5, 6); }),
               ContainsSubstring("w_key is (5, 6), want (6, 6)"));
    CHECK_THAT(message_after([](auto& p) { p.projections.edit().b_value = zeros<Vector>(5); }),
               ContainsSubstring("b_value is (5), want (6) or none"));
    CHECK_THAT(message_after([](auto& p) { p.projections.edit().w_query = Matrix(); }),
               ContainsSubstring("w_query is absent"));
    CHECK_THAT(message_after([](auto& p) { p.projections.edit().w_out = Matrix(); }),
               ContainsSubstring("b_out without w_out"));
    CHECK_THAT(message_after([](auto& p) { p.settings.num_heads = 4; }), ContainsSubstring("4 heads do not divide 6"));
    CHECK_THAT(message_after([](auto& p) { p.settings.num_heads = 0; }), ContainsSubstring("0 heads do not divide 6"));
    CHECK_THAT(message_after([](auto& p) { p.settings.dropout = 1; }), ContainsSubstring("dropout is 1"));
    CHECK_THAT(message_after([](auto& p) { p.settings.temperature = 0; }), ContainsSubstring("divided by 0"));
    CHECK_THAT(message_after([](auto& p) { p.hidden = make_mask(Mask::none, 3); }),
               ContainsSubstring("hidden is (3, 3)"));
    CHECK_THAT(message_after([](auto& p) { p.hidden(2, 0) = p.hidden(2, 1) = p.hidden(2, 2) = 1; }),
               ContainsSubstring("query 2 has no visible key"));
}

TEST_CASE("key heads that do not divide heads are refused, and matrices of another width", "[attention][bad-input]") {
    using Catch::Matchers::ContainsSubstring;
    AttentionProblem problem = random_problem({.num_heads = 4, .num_kv_heads = 2}, 1);
    problem.settings.num_kv_heads = 3;
    CHECK_THAT(failed_check([&] { attend(problem); }), ContainsSubstring("3 key heads do not divide 4 heads"));
    problem.settings.num_kv_heads = 1;
    CHECK_THAT(failed_check([&] { attend(problem); }), ContainsSubstring("w_key is (6, 6), want (6, 3)"));
    AttentionProblem plain = random_problem({.num_heads = 2}, 1, Init::none);
    plain.settings.num_kv_heads = 1;
    CHECK_THAT(failed_check([&] { attend(plain); }), ContainsSubstring("1 key heads without matrices, want 2"));
}

TEST_CASE("cells outside a stage are refused", "[attention][bad-input]") {
    using Catch::Matchers::ContainsSubstring;
    const AttentionProblem problem = random_problem({.num_tokens = 4}, 1);
    const AttentionTrace trace = attend(problem);
    CHECK_THAT(failed_check([&] { stage_matrix(problem, trace, TensorId::weights, 2); }),
               ContainsSubstring("head is 2"));
    CHECK_THAT(failed_check([&] { stage_matrix(problem, trace, TensorId::merged, 1); }),
               ContainsSubstring("head is 1"));
    CHECK_THAT(failed_check([&] { stage_row(problem, trace, TensorId::scores, 0, 4); }), ContainsSubstring("row is 4"));
    CHECK_THAT(failed_check([&] { stage_matrix(problem, trace, TensorId::dropped_weights, 0); }),
               ContainsSubstring("no stage dropped_weights"));
    CHECK_THAT(failed_check([&] { stage_matrix(problem, trace, TensorId::w_query, 0); }),
               ContainsSubstring("w_query is not a stage"));
}

}  // namespace attn::test
