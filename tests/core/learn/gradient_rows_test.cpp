// Every stage on the way back, as the screen asks for it, against the plain backward pass.
#include "core/learn/gradient_rows.h"

#include <catch_amalgamated.hpp>
#include <cmath>
#include <memory>
#include <string>

#include "core/attention/attention_reference.h"
#include "core/explain/stage_numbers.h"
#include "core/fast/attend.h"
#include "core/learn/gradients_reference.h"
#include "core/learn/learn_problems.h"

namespace attn::test {
namespace {

MatrixD head_matrix(const CubeD& cube, int h) {
    MatrixD matrix = zeros<MatrixD>(cube.shape(1), cube.shape(2));
    for (int i = 0; i < length(matrix, 0); ++i) {
        for (int j = 0; j < length(matrix, 1); ++j) matrix(i, j) = cube(h, i, j);
    }
    return matrix;
}

MatrixD row_matrix(const VectorD& vector) {
    MatrixD matrix = zeros<MatrixD>(1, vector.shape(0));
    for (int j = 0; j < length(matrix, 1); ++j) matrix(0, j) = vector(j);
    return matrix;
}

MatrixD reference_stage(const GradientsReference& g, TensorId stage, int h) {
    switch (stage) {
        case TensorId::logits:
            return g.logits;
        case TensorId::probabilities:
            return g.probabilities;
        case TensorId::grad_output:
            return g.output;
        case TensorId::grad_merged:
            return g.merged;
        case TensorId::grad_context:
            return head_matrix(g.context, h);
        case TensorId::grad_dropped_weights:
            return head_matrix(g.dropped_weights, h);
        case TensorId::grad_weights:
            return head_matrix(g.weights, h);
        case TensorId::grad_unmasked_weights:
            return head_matrix(g.unmasked_weights, h);
        case TensorId::grad_masked_scores:
            return head_matrix(g.masked_scores, h);
        case TensorId::grad_scaled_scores:
            return head_matrix(g.scaled_scores, h);
        case TensorId::grad_biased_scores:
            return head_matrix(g.biased_scores, h);
        case TensorId::grad_rotated_queries:
            return head_matrix(g.rotated_query, h);
        case TensorId::grad_rotated_keys:
            return head_matrix(g.rotated_key, h);
        case TensorId::grad_scores:
            return head_matrix(g.scores, h);
        case TensorId::grad_queries:
            return head_matrix(g.query, h);
        case TensorId::grad_keys:
            return head_matrix(g.key, h);
        case TensorId::grad_values:
            return head_matrix(g.value, h);
        case TensorId::grad_embeddings:
            return g.embeddings;
        case TensorId::grad_w_query:
            return g.w_query;
        case TensorId::grad_w_key:
            return g.w_key;
        case TensorId::grad_w_value:
            return g.w_value;
        case TensorId::grad_query_latents:
            return g.query_latents;
        case TensorId::grad_latents:
            return g.latents;
        case TensorId::grad_w_down_query:
            return g.w_down_query;
        case TensorId::grad_w_down_kv:
            return g.w_down_kv;
        case TensorId::grad_position_queries:
            return head_matrix(g.position_query, h);
        case TensorId::grad_position_keys:
            return g.position_key;
        case TensorId::grad_w_query_rope:
            return g.w_query_rope;
        case TensorId::grad_w_key_rope:
            return g.w_key_rope;
        case TensorId::grad_w_out:
            return g.w_out;
        case TensorId::grad_b_query:
            return row_matrix(g.b_query);
        case TensorId::grad_b_key:
            return row_matrix(g.b_key);
        case TensorId::grad_b_value:
            return row_matrix(g.b_value);
        case TensorId::grad_sink_logits:
            return row_matrix(g.sink_logits);
        default:
            return row_matrix(g.b_out);
    }
}

// The logits' gradient has no field of its own in the reference: probabilities minus what is wanted.
MatrixD logit_gradient(const GradientsReference& g, const Goal& goal) {
    MatrixD matrix = g.probabilities;
    for (int i = 0; i < length(matrix, 0); ++i) {
        const int next = goal.next[static_cast<std::size_t>(i)];
        for (int v = 0; v < length(matrix, 1); ++v)
            matrix(i, v) = next < 0 ? 0 : (matrix(i, v) - (v == next ? 1 : 0)) / goal.num_terms;
    }
    return matrix;
}

double largest(const MatrixD& matrix) {
    double size = 0;
    for (const double number : matrix) size = std::max(size, std::abs(number));
    return size;
}

}  // namespace

TEST_CASE("every stage on the way back is that of the reference", "[learn][reference]") {
    int num_stages = 0;
    std::uint64_t seed = 40;
    for (AttentionProblem problem : every_kind_of_problem()) {
        for (const GoalKind kind : {GoalKind::pattern, GoalKind::next}) {
            problem.goal = kind == GoalKind::pattern ? random_pattern(problem, ++seed) : random_next(problem, ++seed);
            AttentionTrace trace = attend(problem);
            BackwardPass pass;
            trace.gradients = std::make_shared<Gradients>(pass.run(problem, trace, problem.goal));
            const GradientsReference reference = gradients_reference(problem, attend_reference(problem), problem.goal);
            for (const StageInfo& info : stage_table()) {
                if (!needs_goal(info.id) || !has_stage(problem, info.id)) continue;
                ++num_stages;
                for (int h = 0; h < (info.has_heads ? problem.settings.num_heads : 1); ++h) {
                    CAPTURE(info.name, h);
                    const Matrix fast = stage_matrix(problem, trace, info.id, h);
                    const MatrixD plain =
                        info.id == TensorId::grad_logits
                            ? logit_gradient(reference, problem.goal)
                            : reference_stage(reference, info.id, has_kv_heads(info.id) ? problem.kv_head(h) : h);
                    REQUIRE(fast.size() == plain.size());
                    // Some thirty float operations on numbers of this size, which cancel where rows sum to 0.
                    const double tolerance = 3e-5 * std::max(largest(plain), 0.01);
                    for (std::size_t k = 0; k < fast.size(); ++k)
                        REQUIRE(std::abs(static_cast<double>(fast.data()[k]) - plain.data()[k]) <= tolerance);
                    const Vector row = stage_row(problem, trace, info.id, h, length(fast, 0) - 1);
                    for (int j = 0; j < length(fast, 1); ++j) REQUIRE(row(j) == fast(length(fast, 0) - 1, j));
                }
            }
        }
    }
    CHECK(num_stages > 300);
}

TEST_CASE("the scores' gradient made from the scaled scores' is the one that trains, bit for bit",
          "[learn][property]") {
    std::uint64_t seed = 80;
    for (AttentionProblem problem : every_kind_of_problem()) {
        for (const GoalKind kind : {GoalKind::pattern, GoalKind::next}) {
            problem.goal = kind == GoalKind::pattern ? random_pattern(problem, ++seed) : random_next(problem, ++seed);
            AttentionTrace trace = attend(problem);
            BackwardPass pass;
            trace.gradients = std::make_shared<Gradients>(pass.run(problem, trace, problem.goal));
            const float divisor = score_divisor(problem.settings, problem.head_dim());
            for (int h = 0; h < problem.settings.num_heads; ++h) {
                const Matrix scaled = stage_matrix(problem, trace, TensorId::grad_scaled_scores, h);
                const Matrix scores = stage_matrix(problem, trace, TensorId::grad_scores, h);
                for (std::size_t k = 0; k < scores.size(); ++k) REQUIRE(scaled.data()[k] / divisor == scores.data()[k]);
            }
        }
    }
}

TEST_CASE("gradients that are not computed are not ready", "[learn][bad-input]") {
    AttentionProblem problem = every_kind_of_problem().front();
    problem.goal = random_pattern(problem, 3);
    const AttentionTrace trace = attend(problem);
    CHECK(has_stage(problem, TensorId::grad_scores));
    CHECK(!is_ready(trace, TensorId::grad_scores, 0));
    CHECK(is_ready(trace, TensorId::weights, 0));
}

}  // namespace attn::test
