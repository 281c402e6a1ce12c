// A sink that is learned: PyTorch's numbers, with a cap of the scores too, and what a sink is.
#include "core/golden_json.h"
#include "core/operations/values.h"

#include <catch_amalgamated.hpp>
#include <cmath>
#include <memory>
#include <string>

#include "core/explain/stage_numbers.h"
#include "core/failed_check.h"
#include "core/fast/attend.h"
#include "core/problems.h"

namespace attn::test {
namespace {

struct Golden {
    nlohmann::json json;
    AttentionProblem problem;
};

// tests/torch/sink_oracle.py wrote it.
Golden golden_sink(bool is_capped = false) {
    Golden golden{.json = load_golden("sink-4x4.json"), .problem = {}};
    AttentionProblem& problem = golden.problem;
    problem.embeddings = matrix_of(golden.json["inputs"]);
    problem.projections.edit().w_query = matrix_of(golden.json["W_query"]);
    problem.projections.edit().w_key = matrix_of(golden.json["W_key"]);
    problem.projections.edit().w_value = matrix_of(golden.json["W_value"]);
    problem.projections.edit().sink_logits = zeros<Vector>(2);
    for (int h = 0; h < 2; ++h) problem.projections.edit().sink_logits(h) = golden.json["sink_logits"][h].get<float>();
    problem.settings.num_heads = 2;
    if (is_capped) problem.settings.score_cap = golden.json["score_cap"].get<float>();
    problem.hidden = make_mask(Mask::causal, 4);
    return golden;
}

Goal golden_goal(const nlohmann::json& json, const std::string& kind) {
    Goal goal;
    if (kind == "next") {
        goal = {.kind = GoalKind::next, .num_terms = 3};
        goal.next = json["next"].get<std::vector<int>>();
        goal.vocabulary = matrix_of(json["vocabulary"]);
        return goal;
    }
    goal = {.kind = GoalKind::pattern, .num_terms = 1};
    TargetRow row{.head = json["target"]["head"], .query = json["target"]["query"], .shares = zeros<Vector>(4)};
    for (int j = 0; j < 4; ++j) row.shares(j) = json["target"]["shares"][j].get<float>();
    goal.rows.push_back(row);
    return goal;
}

AttentionProblem sink_problem(std::uint64_t seed) {
    return random_problem({.num_tokens = 9, .d_in = 6, .head_dim = 4, .num_heads = 3, .has_sink = true}, seed);
}

}  // namespace

TEST_CASE("weights, missing mass and outputs are PyTorch's", "[sink][golden]") {
    const bool is_capped = GENERATE(false, true);
    const auto [json, problem] = golden_sink(is_capped);
    const std::string with = is_capped ? "capped_" : "";
    const AttentionTrace trace = attend(problem);
    const LayerValues plain = layer_values(problem);
    for (int h = 0; h < 2; ++h) {
        CAPTURE(h);
        for (const TensorId stage : {TensorId::weights, TensorId::sink_weights}) {
            const nlohmann::json& want = json[with + std::string(tensor_name(stage))][static_cast<std::size_t>(h)];
            require_close(plain.matrix(stage, h), want, 1e-7);  // inputs are floats
            require_close(stage_matrix(problem, trace, stage, h), want, 1e-6);
        }
    }
    require_close(plain.matrix(TensorId::merged), json[with + "merged"], 1e-6);
    require_close(trace.merged, json[with + "merged"], 3e-6);
}

TEST_CASE("losses and gradients with a sink are PyTorch's", "[sink][learn][golden]") {
    const std::string kind = GENERATE("next", "pattern");
    const bool is_capped = GENERATE(false, true);
    auto [json, problem] = golden_sink(is_capped);
    const std::string with = is_capped ? "capped_" : "";
    problem.goal = golden_goal(json, kind);
    LayerValues g = layer_values(problem);
    add_gradients(problem, g);
    CHECK(std::abs(loss_of(problem, g) - json[with + "loss_of_" + kind].get<double>()) < 1e-6);
    require_close(g.matrix(TensorId::grad_w_query), json[with + "grad_W_query_of_" + kind], 1e-6);
    require_close(g.matrix(TensorId::grad_w_key), json[with + "grad_W_key_of_" + kind], 1e-6);
    if (kind == "next") require_close(g.matrix(TensorId::grad_w_value), json[with + "grad_W_value_of_next"], 1e-6);
    require_close(g.matrix(TensorId::grad_sink_logits), json[with + "grad_sink_logits_of_" + kind], 1e-7);
}

TEST_CASE("each row of weights and its sink sum to 1", "[sink][property]") {
    AttentionProblem problem = sink_problem(1);
    problem.projections.edit().sink_logits(0) = 300;  // takes all there is
    problem.projections.edit().sink_logits(2) = -200;
    const AttentionTrace trace = attend(problem);
    for (int h = 0; h < 3; ++h) {
        for (int i = 0; i < 9; ++i) {
            double sum = static_cast<double>(trace.sink_weights(h, i, 0));
            for (const float weight : row_of(trace.weights, h, i)) sum += static_cast<double>(weight);
            CHECK(std::abs(sum - 1) < 1e-6);
        }
    }
    CHECK(trace.sink_weights(0, 8, 0) == 1);
    CHECK(trace.sink_weights(2, 8, 0) == 0);
}

TEST_CASE("logits start at 0, so that exp(0) = 1 joins each sum", "[sink]") {
    AttentionProblem problem = sink_problem(2);
    for (const Init init : {Init::torch_linear, Init::none}) {
        const Projections drawn =
            make_projections(init, 2, {.d_in = 12, .d_out = 12, .num_heads = 3, .has_sink = true});
        REQUIRE(length(drawn.sink_logits, 0) == 3);
        for (const float logit : drawn.sink_logits) CHECK(logit == 0);
    }
    problem.projections.edit().sink_logits.fill(0);
    const LayerValues trace = layer_values(problem);
    for (int h = 0; h < 3; ++h) {
        for (int i = 0; i < 9; ++i) {
            double sum = 1;
            for (int j = 0; j <= i; ++j) sum += std::exp(trace.of(TensorId::masked_scores)(h, i, j));
            CHECK(std::abs(trace.of(TensorId::weights)(h, i, 0) -
                           std::exp(trace.of(TensorId::masked_scores)(h, i, 0)) / sum) < 1e-12);
            CHECK(std::abs(trace.of(TensorId::sink_weights)(h, i, 0) - 1 / sum) < 1e-12);
        }
    }
}

TEST_CASE("a sink is one more key whose score is its logit and whose value is 0", "[sink][property]") {
    const AttentionProblem problem = sink_problem(3);
    const LayerValues trace = layer_values(problem);
    for (int h = 0; h < 3; ++h) {
        for (int i = 0; i < 9; ++i) {
            const auto logit = static_cast<double>(problem.projections->sink_logits(h));
            for (int j = 0; j <= i; ++j) {
                const double ratio = trace.of(TensorId::weights)(h, i, j) / trace.of(TensorId::sink_weights)(h, i, 0);
                CHECK(std::abs(std::log(ratio) - (trace.of(TensorId::masked_scores)(h, i, j) - logit)) < 1e-9);
            }
        }
    }
}

TEST_CASE("with a mask after the softmax there is no sink", "[sink]") {
    AttentionProblem problem = sink_problem(4);
    problem.settings.mask_at = GENERATE(MaskAt::after, MaskAt::after_raw);
    AttentionProblem without = problem;
    without.projections.edit().sink_logits = Vector();
    CHECK_FALSE(has_stage(problem, TensorId::sink_weights));
    CHECK(stage_matrix(problem, attend(problem), TensorId::weights, 1) ==
          stage_matrix(without, attend(without), TensorId::weights, 1));
    CHECK(layer_values(problem).of(TensorId::weights) == layer_values(without).of(TensorId::weights));
}

TEST_CASE("sinks that are not one number a head stop the program", "[sink][bad-input]") {
    AttentionProblem problem = sink_problem(5);
    problem.projections.edit().sink_logits = zeros<Vector>(2);
    CHECK_THAT(failed_check([&] { attend(problem); }),
               Catch::Matchers::ContainsSubstring("2 sink logits, want 3 or none"));
    problem.projections.edit().sink_logits = zeros<Vector>(3);
    problem.projections.edit().sink_logits(1) = std::numeric_limits<float>::infinity();
    CHECK_THAT(failed_check([&] { attend(problem); }),
               Catch::Matchers::ContainsSubstring("a sink logit is inf, want a number"));
}

}  // namespace attn::test
