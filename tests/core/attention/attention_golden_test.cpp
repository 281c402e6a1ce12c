// Attention against numbers that others printed: the lectures, and the notebook of the book they follow. The files are
// held to account by tests/golden/check_golden.py, which recomputes every number in them.
#include <algorithm>
#include <catch_amalgamated.hpp>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/attention/attention.h"
#include "core/explain/stage_numbers.h"
#include "core/fast/attend.h"
#include "core/golden_json.h"
#include "core/operations/values.h"
#include "core/problems.h"

namespace attn::test {
namespace {

constexpr double kSixDecimals = 0.5e-6;  // half a unit of the last digit written in the files
constexpr double kFourDecimals = 0.5e-4;

// Holds a stage of both twins to the file.
void require_stage(const AttentionProblem& problem, TensorId stage, int head, const nlohmann::json& golden,
                   double tolerance) {
    CAPTURE(tensor_name(stage), head);
    require_close(stage_matrix(problem, attend(problem), stage, head), golden, tolerance);
    require_close(layer_values(problem).matrix(stage, head), golden, tolerance);
}

Init init_of(const std::string& name) {
    if (name == "none") return Init::none;
    if (name == "torch.rand") return Init::torch_rand;
    REQUIRE(name == "torch.linear");
    return Init::torch_linear;
}

Mask mask_of(const std::string& name) {
    return name == "causal" ? Mask::causal : Mask::none;
}

MaskAt mask_at_of(const std::string& name) {
    if (name == "before") return MaskAt::before;
    return name == "after" ? MaskAt::after : MaskAt::after_raw;
}

// (T, head_dim) of each head as one (T, d_out) matrix.
Matrix side_by_side(const nlohmann::json& heads) {
    const Matrix first = matrix_of(heads[0]);
    const Matrix second = matrix_of(heads[1]);
    Matrix merged = zeros<Matrix>(first.shape(0), first.shape(1) + second.shape(1));
    for (int i = 0; i < length(merged, 0); ++i) {
        std::copy(row_of(first, i).begin(), row_of(first, i).end(), row_of(merged, i).begin());
        std::copy(row_of(second, i).begin(), row_of(second, i).end(),
                  row_of(merged, i).subspan(first.shape(1)).begin());
    }
    return merged;
}

// Query, key and value given head by head, reached through the front door: with X the identity, x . w is w.
AttentionProblem problem_of_heads(const nlohmann::json& query, const nlohmann::json& key, const nlohmann::json& value) {
    AttentionProblem problem;
    problem.projections.edit().w_query = side_by_side(query);
    problem.projections.edit().w_key = side_by_side(key);
    problem.projections.edit().w_value = side_by_side(value);
    const int T = length(problem.projections->w_query, 0);
    problem.embeddings = make_projections(Init::identity, 0, T, T, false, false).w_query;
    problem.settings.num_heads = 2;
    problem.hidden = make_mask(Mask::causal, T);
    return problem;
}

}  // namespace

TEST_CASE("\"Your journey starts with one step\" gives the numbers of the lecture", "[attention][golden]") {
    const nlohmann::json golden = load_golden("journey-6x3.json");
    AttentionProblem problem;
    problem.embeddings = matrix_of(golden.at("inputs"));
    problem.projections = make_projections(
        Init::torch_rand, golden.at("weight_init").at("torch_manual_seed").get<std::uint64_t>(), 3, 2, false, false);
    problem.hidden = make_mask(Mask::none, 6);
    // The file's six decimals, plus the float rounding of sums of up to 6 products of size 2 or less.
    const double tolerance = kSixDecimals + 6 * 2 * 0x1p-24;
    for (const auto stage : {TensorId::queries, TensorId::keys, TensorId::values, TensorId::scores, TensorId::weights,
                             TensorId::context}) {
        require_stage(problem, stage, 0, golden.at("recomputed").at(std::string(tensor_name(stage))), tolerance);
    }
    const nlohmann::json& printed = golden.at("printed_in_lecture");
    const AttentionTrace trace = attend(problem);
    const auto check_row = [&](TensorId stage, const nlohmann::json& row) {
        const Vector computed = stage_row(problem, trace, stage, 0, 1);
        for (std::size_t j = 0; j < row.size(); ++j) {
            CHECK(std::abs(static_cast<double>(computed(j)) - row[j].get<double>()) <= kFourDecimals);
        }
    };
    check_row(TensorId::queries, printed.at("query_of_journey"));
    check_row(TensorId::weights, printed.at("weights_of_journey"));
    check_row(TensorId::context, printed.at("context_of_journey"));
}

// LeetGPU, exercises on causal attention and on 112, attention sinks: queries and keys are rows of the 4 x 4 identity,
// values count from 1. What they print of the last rows, and what torch 1.13 gives where they print fewer digits.
TEST_CASE("public exercises on causal attention and on sinks come out as printed", "[attention][golden]") {
    const auto context_of = [](int num_tokens, const MaskWindow& window) {
        AttentionProblem problem;
        problem.embeddings = zeros<Matrix>(num_tokens, 4);
        for (int i = 0; i < num_tokens; ++i) problem.embeddings(i, i) = 1;
        for (Matrix* w : {&problem.projections.edit().w_query, &problem.projections.edit().w_key,
                          &problem.projections.edit().w_value})
            *w = make_projections(Init::identity, 0, 4, 4, false, false).w_query;
        for (int i = 0; i < num_tokens; ++i) {
            for (int c = 0; c < 4; ++c) problem.projections.edit().w_value(i, c) = static_cast<float>(4 * i + c + 1);
        }
        problem.hidden = make_mask(Mask::causal, num_tokens, window);
        return attend(problem).merged;
    };
    const Matrix causal = context_of(2, {});
    const Matrix sinks = context_of(4, {.keys = 2, .sinks = 1});
    for (int c = 0; c < 4; ++c) {
        CHECK(std::abs(static_cast<double>(causal(1, c)) - (3.4898 + c)) < kFourDecimals);
        CHECK(std::abs(static_cast<double>(sinks(0, c)) - (1 + c)) < 1e-6);
        CHECK(std::abs(static_cast<double>(sinks(1, c)) - (3.4898374 + c)) < 1e-6);
        CHECK(std::abs(static_cast<double>(sinks(2, c)) - (5.7111764 + c)) < 1e-6);
        CHECK(std::abs(static_cast<double>(sinks(3, c)) - (8.6149015 + c)) < 2e-6);
    }
}

TEST_CASE("two heads cut from one matrix give the worked example's numbers", "[attention][golden]") {
    const nlohmann::json golden = load_golden("weight-split-3x6.json");
    const nlohmann::json& recomputed = golden.at("recomputed");
    AttentionProblem problem;
    problem.embeddings = matrix_of(golden.at("inputs"));
    problem.projections.edit().w_query = matrix_of(golden.at("W_query"));
    problem.projections.edit().w_key = matrix_of(golden.at("W_key"));
    problem.projections.edit().w_value = matrix_of(golden.at("W_value"));
    problem.settings.num_heads = 2;
    problem.hidden = make_mask(Mask::causal, 3);

    // Queries, keys, values and contexts are sums of 6 products of size up to 60: 6 roundings of 2^-24 * 120 or less.
    const double of_values = kSixDecimals + 6 * 120 * 0x1p-24;
    // Scores add 3 products of numbers up to 15, each off by 6 * 2^-24 * 20.
    const double of_scores = kSixDecimals + 3 * 2 * 15 * 6 * 20 * 0x1p-24;
    // A weight moves by its score's error divided by sqrt(3), times the weight (at most 1).
    const double of_weights = kSixDecimals + 2 * of_scores / std::sqrt(3.0);
    require_close(attend(problem).merged, recomputed.at("context"), of_values + 80 * of_weights);
    for (int h = 0; h < 2; ++h) {
        const auto head = static_cast<std::size_t>(h);
        require_stage(problem, TensorId::scores, h, recomputed.at("scores_per_head")[head], of_scores);
        require_stage(problem, TensorId::weights, h, recomputed.at("weights_per_head")[head], of_weights);
        require_stage(problem, TensorId::context, h, recomputed.at("context_per_head")[head],
                      of_values + 80 * of_weights);
        for (const auto& [stage, name] : {std::pair(TensorId::queries, "queries"), std::pair(TensorId::keys, "keys"),
                                          std::pair(TensorId::values, "values")}) {
            nlohmann::json columns = nlohmann::json::array();
            for (const nlohmann::json& row : recomputed.at(name)) {
                columns.push_back(std::vector<double>{row[3 * head], row[3 * head + 1], row[3 * head + 2]});
            }
            require_stage(problem, stage, h, columns, of_values);
        }
    }
}

TEST_CASE("the worked example's printed heads give its scores, weights and contexts", "[attention][golden]") {
    const nlohmann::json golden = load_golden("weight-split-3x6.json");
    const nlohmann::json& printed = golden.at("printed");
    const nlohmann::json& recomputed = golden.at("recomputed_from_printed_step6");
    const AttentionProblem problem = problem_of_heads(
        printed.at("step6_query_per_head"), printed.at("step6_key_per_head"), printed.at("step6_value_per_head"));
    // Scores add 3 products of size up to 23; the inputs' four decimals are rounded to float once.
    const double of_scores = kSixDecimals + 3 * 3 * 25 * 0x1p-24;
    for (int h = 0; h < 2; ++h) {
        const auto head = static_cast<std::size_t>(h);
        require_stage(problem, TensorId::scores, h, recomputed.at("scores_per_head")[head], of_scores);
        require_stage(problem, TensorId::weights, h, recomputed.at("weights_per_head")[head], 2 * of_scores);
        require_stage(problem, TensorId::context, h, recomputed.at("context_per_head")[head], 8 * of_scores);
    }
}

TEST_CASE("the tables printed in the book's notebook come out", "[attention][golden]") {
    const nlohmann::json golden = load_golden("notebook-ch03.json");
    for (const nlohmann::json& one : golden.at("cases")) {
        const std::string name = one.at("name").get<std::string>();
        CAPTURE(name);
        AttentionProblem problem;
        problem.embeddings = matrix_of(golden.at("inputs"));
        problem.projections =
            make_projections(init_of(one.at("init").get<std::string>()), one.at("seed").get<std::uint64_t>(),
                             problem.d_in(), one.at("d_out").get<int>(), false, one.at("out").get<bool>());
        problem.hidden = make_mask(mask_of(one.at("mask").get<std::string>()), problem.num_tokens());
        problem.settings.mask_at = mask_at_of(one.value("mask_at", "before"));
        problem.settings.num_heads = one.at("num_heads").get<int>();
        problem.settings.scale = one.at("scale").get<std::string>() == "sqrt" ? Scale::sqrt : Scale::none;
        problem.settings.dropout = one.value("dropout", 0.0);
        problem.settings.dropout_seed = one.value("dropout_seed", std::uint64_t{0});
        const std::optional<TensorId> stage = stage_of_name(one.at("stage").get<std::string>());
        REQUIRE(stage);
        // Four decimals are printed; 2e-6 is for float rounding on both sides, of numbers up to 2 with few terms.
        require_stage(problem, *stage, 0, one.at("printed"), kFourDecimals + 2e-6);
    }
    REQUIRE(golden.at("cases").size() == 14);
}

TEST_CASE("heads that each draw their own matrices give the stacked wrapper's table", "[attention][golden]") {
    const nlohmann::json inputs = load_golden("notebook-ch03.json").at("inputs");
    const nlohmann::json golden = load_golden("notebook-ch03.json").at("stacked_heads");
    const int head_dim = golden.at("head_dim").get<int>();
    AttentionProblem problem;
    problem.embeddings = matrix_of(inputs);
    problem.settings.num_heads = 2;
    problem.hidden = make_mask(Mask::causal, 6);
    Projections& learned = problem.projections.edit();
    learned.w_query = learned.w_key = learned.w_value = zeros<Matrix>(3, 2 * head_dim);
    // Six nn.Linear(3, 2) in a row: query, key, value of the first head, then of the second, into the columns of each
    // head.
    TorchGenerator generator(golden.at("seed").get<std::uint64_t>());
    const float bound = 1.0f / std::sqrt(3.0f);
    for (int h = 0; h < 2; ++h) {
        for (Matrix* w : {&learned.w_query, &learned.w_key, &learned.w_value}) {
            Matrix drawn = zeros<Matrix>(head_dim, 3);
            fill_uniform(generator, elements(drawn), -bound, bound);
            for (int c = 0; c < head_dim; ++c) {
                for (int k = 0; k < 3; ++k) (*w)(k, h* head_dim + c) = drawn(c, k);
            }
        }
    }
    require_stage(problem, TensorId::merged, 0, golden.at("printed"), kFourDecimals + 2e-6);
}

}  // namespace attn::test
