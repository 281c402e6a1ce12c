// The loss moved by a nudge against the backward pass, for every number of every tensor.
#include "core/learn/nudge.h"
#include "samples.h"

#include <algorithm>
#include <catch_amalgamated.hpp>
#include <cmath>
#include <memory>
#include <vector>

#include "core/explain/stage_numbers.h"
#include "core/fast/attend.h"
#include "core/learn/gradients.h"
#include "core/learn/learn_problems.h"

namespace attn::test {

TEST_CASE("every gradient is the slope that a nudge finds", "[learn][property]") {
    int num_numbers = 0;
    std::uint64_t seed = 120;
    for (AttentionProblem problem : every_kind_of_problem()) {
        for (const GoalKind kind : {GoalKind::pattern, GoalKind::next}) {
            problem.goal = kind == GoalKind::pattern ? random_pattern(problem, ++seed) : random_next(problem, ++seed);
            AttentionTrace trace = attend(problem);
            BackwardPass pass;
            trace.gradients = std::make_shared<Gradients>(pass.run(problem, trace, problem.goal));
            for (const StageInfo& info : stage_table()) {
                if (!is_gradient(info.id) || !has_stage(problem, info.id)) continue;
                const TensorId tensor = tensor_of_gradient(info.id);
                for (int h = 0; h < (info.has_heads ? problem.settings.num_heads : 1); ++h) {
                    const Matrix gradient = stage_matrix(problem, trace, info.id, h);
                    double size = 0.01;
                    for (const float number : gradient) size = std::max(size, std::abs(static_cast<double>(number)));
                    for (int i = 0; i < length(gradient, 0); ++i) {
                        for (int j = 0; j < length(gradient, 1); j += sample_step(8) * 2, ++num_numbers) {
                            const Nudge nudge =
                                nudge_loss({&problem, 1}, 0, {.tensor = tensor, .head = h, .row = i, .column = j});
                            INFO(info.name << " head " << h << " (" << i << ", " << j << "): " << nudge.slope());
                            // Thirty float operations, and epsilon^2 times the third derivative.
                            REQUIRE(std::abs(nudge.slope() - static_cast<double>(gradient(i, j))) <= 1e-4 * size);
                        }
                    }
                }
            }
        }
    }
    CHECK(num_numbers > samples(8000));
}

TEST_CASE("a matrix is moved in all sentences, a stage in the one that is shown", "[learn]") {
    const ProblemShape shape = {.num_tokens = 3, .d_in = 4, .head_dim = 2};
    std::vector<AttentionProblem> sentences = {random_problem(shape, 1), random_problem(shape, 2)};
    sentences[1].projections = sentences[0].projections;
    for (AttentionProblem& problem : sentences) problem.goal = random_pattern(problem, 5);
    const auto slope = [&](std::span<const AttentionProblem> of, int shown, const NudgedNumber& number) {
        return nudge_loss(of, shown, number).slope();
    };
    const std::span<const AttentionProblem> all(sentences);
    const NudgedNumber matrix = {.tensor = TensorId::w_query, .row = 1, .column = 1};
    const double apart = slope(all.first(1), 0, matrix) + slope(all.last(1), 0, matrix);
    CHECK(std::abs(slope(all, 0, matrix) - apart) < 1e-9);
    const NudgedNumber score = {.tensor = TensorId::scores, .row = 2, .column = 1};
    CHECK(std::abs(slope(all, 1, score) - slope(all.last(1), 0, score)) < 1e-9);
}

TEST_CASE("the nudge of a recipe says both losses and their slope", "[learn]") {
    CHECK(Nudge{.epsilon = 0.5, .up = 3, .down = 1}.slope() == 2);
}

}  // namespace attn::test
