// Every stage on the way back, as the screen asks for it, against the plain backward pass.
#include "core/learn/gradient_rows.h"

#include <catch_amalgamated.hpp>
#include <cmath>
#include <memory>
#include <string>

#include "core/explain/stage_numbers.h"
#include "core/fast/attend.h"
#include "core/learn/learn_problems.h"
#include "core/operations/values.h"

namespace attn::test {
namespace {

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
            LayerValues reference = layer_values(problem);
            add_gradients(problem, reference);
            for (const StageInfo& info : stage_table()) {
                if (!needs_goal(info.id) || !has_stage(problem, info.id)) continue;
                ++num_stages;
                for (int h = 0; h < (info.has_heads ? problem.settings.num_heads : 1); ++h) {
                    CAPTURE(info.name, h);
                    const Matrix fast = stage_matrix(problem, trace, info.id, h);
                    const MatrixD plain = reference.matrix(info.id, h);
                    REQUIRE(fast.size() == plain.size());
                    // Some thirty float operations on numbers of this size, which cancel where rows sum to 0.
                    const double tolerance = 3e-5 * std::max(largest(plain), 0.01);
                    for (std::size_t k = 0; k < fast.size(); ++k)
                        REQUIRE(std::abs(static_cast<double>(fast.data()[k]) - plain.data()[k]) <= tolerance);
                    const Vector row = stage_row(problem, trace, info.id, h, length(fast, 0) - 1);
                    for (int j = 0; j < length(fast, 1); ++j) {
                        REQUIRE(row(j) == fast(length(fast, 0) - 1, j));
                        REQUIRE(stage_number(problem, trace, info.id, h, length(fast, 0) - 1, j) == row(j));
                    }
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
