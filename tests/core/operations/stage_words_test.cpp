// What stands beside a stage where the settings change it.
#include "core/operations/stage_words.h"

#include <catch_amalgamated.hpp>

using namespace attn;

TEST_CASE("a pattern's gradient at the softmax is weights minus targets, in words too", "[stages]") {
    const auto formula = [](TensorId stage, MaskAt mask_at, GoalKind goal) {
        return stage_words(stage, LayerParts{.mask_at = mask_at}, goal).formula;
    };
    const GoalKind pattern = GoalKind::pattern;
    CHECK(formula(TensorId::grad_masked_scores, MaskAt::before, pattern) == "(weights - target) / rows with targets");
    CHECK(formula(TensorId::grad_scaled_scores, MaskAt::after, pattern) == "(weights - target) / rows with targets");
    CHECK(formula(TensorId::grad_scaled_scores, MaskAt::after_raw, pattern) ==
          "(softmax - target) / rows with targets");
    CHECK(formula(TensorId::grad_weights, MaskAt::before, pattern) == "-target / (weights · rows with targets)");
    for (const StageInfo& info : stage_table()) {
        if (needs_goal(info.id)) continue;
        for (const MaskAt mask_at : {MaskAt::before, MaskAt::after, MaskAt::after_raw})
            CHECK(formula(info.id, mask_at, GoalKind::next) == formula(info.id, mask_at, GoalKind::none));
    }
}

TEST_CASE("no words say that rows sum to 1 or 0 where a sink takes a part of them", "[stages][sink]") {
    for (const bool is_rotary : {false, true}) {
        for (const StageInfo& info : stage_table()) {
            const StageWords words =
                stage_words(info.id, LayerParts{.is_rotary = is_rotary, .has_sink = true}, GoalKind::next);
            CAPTURE(info.name, words.meaning);
            const bool is_of_words = info.id == TensorId::probabilities;  // their softmax has no sink
            CHECK((is_of_words || words.meaning.find("sums to") == std::string_view::npos));
            CHECK(words.meaning.find("always 0") == std::string_view::npos);
        }
    }
    const LayerParts parts{.has_sink = true};
    CHECK(stage_words(TensorId::weights, parts, GoalKind::none).meaning !=
          stage_words(TensorId::weights, LayerParts{}, GoalKind::none).meaning);
    CHECK(stage_words(TensorId::grad_sink_logits, parts, GoalKind::pattern).formula !=
          stage_words(TensorId::grad_sink_logits, parts, GoalKind::next).formula);
}

TEST_CASE("what is made of latents says so, and the ways back with it", "[stages]") {
    const auto formula = [](TensorId stage, bool has_query_latent, bool has_latent) {
        return stage_words(
                   stage,
                   LayerParts{.has_matrices = true, .has_query_latent = has_query_latent, .has_latent = has_latent},
                   GoalKind::next)
            .formula;
    };
    CHECK(formula(TensorId::queries, true, false) == "query latents · w_query (+ b_query), cut into heads");
    CHECK(formula(TensorId::queries, false, true) == stage_words(TensorId::queries).formula);
    CHECK(formula(TensorId::values, false, true) == "latents · w_value (+ b_value), cut into heads");
    CHECK(formula(TensorId::grad_w_key, false, true) == "latentsᵀ · grad_keys");
    CHECK(formula(TensorId::grad_embeddings, true, true) ==
          "grad_query_latents · w_down_queryᵀ + grad_latents · w_down_kvᵀ");
    CHECK(formula(TensorId::grad_embeddings, false, false) ==
          "grad_queries · w_queryᵀ + grad_keys · w_keyᵀ + grad_values · w_valueᵀ");
    CHECK(formula(TensorId::grad_embeddings, false, true) == "grad_latents · w_down_kvᵀ + grad_queries · w_queryᵀ");
}

// Said until then: "grad_output · w_outᵀ" without w_out, and "grad_queries · w_queryᵀ + ..." without matrices.
TEST_CASE("a gradient's formula names what the layer has", "[stages]") {
    const auto formula = [](TensorId stage, const LayerParts& parts) {
        return stage_words(stage, parts, GoalKind::next).formula;
    };
    const LayerParts matrices{.has_matrices = true};
    CHECK(formula(TensorId::grad_merged, matrices) == "grad_logits · vocabulary");
    CHECK(formula(TensorId::grad_merged, {.has_matrices = true, .has_out = true}) == "grad_output · w_outᵀ");
    CHECK(formula(TensorId::grad_embeddings, {}) == "grad_queries + grad_keys + grad_values");
    CHECK(formula(TensorId::grad_values, matrices) == "weightsᵀ · grad_context");
    CHECK(formula(TensorId::grad_values, {.has_matrices = true, .has_dropout = true}) ==
          "dropped_weightsᵀ · grad_context");
    CHECK(formula(TensorId::grad_weights, {.has_dropout = true}) == "grad_dropped_weights · keep mask / (1 - p)");
    CHECK(formula(TensorId::grad_keys, {.is_rotary = true}) == "grad_rotated_keys, each pair turned back");
    CHECK(formula(TensorId::grad_scaled_scores, {.is_alibi = true}) == "grad_biased_scores");
}
