// Forward pass, gradients and steps of training natively, for tests/bench/learning.mjs. A line on standard input is
//   T d_in d_out num_heads KIND CALLS    KIND: forward, backward, gradient (both), step
// and its answer the milliseconds of a call, after one more that is not timed.
#include <chrono>
#include <cmath>
#include <cstdint>
#include <iostream>
#include <string>

#include "core/attention/masking.h"
#include "core/fast/attend.h"
#include "core/learn/training.h"

namespace {

using namespace attn;

constexpr int kNumWords = 32;

float next_number(std::uint32_t& state, float reach) {
    state = state * 1664525U + 1013904223U;
    return (static_cast<float>(state) / 2147483648.0F - 1) * reach;
}

Matrix random_matrix(int rows, int columns, float reach, std::uint32_t seed) {
    Matrix matrix = zeros<Matrix>(rows, columns);
    for (float& number : matrix) number = next_number(seed, reach);
    return matrix;
}

TrainingProblem problem_of(int num_tokens, int d_in, int d_out, int num_heads) {
    const float reach = 2 / std::sqrt(static_cast<float>(d_in));
    AttentionProblem problem{.embeddings = random_matrix(num_tokens, d_in, 1.7F, 1),
                             .projections = {},
                             .hidden = make_mask(Mask::causal, num_tokens),
                             .settings = {.num_heads = num_heads}};
    Projections& projections = problem.projections.edit();
    projections.w_query = random_matrix(d_in, d_out, reach, 2);
    projections.w_key = random_matrix(d_in, d_out, reach, 3);
    projections.w_value = random_matrix(d_in, d_out, reach, 4);
    Goal goal{.kind = GoalKind::next, .num_terms = num_tokens};
    goal.vocabulary = random_matrix(kNumWords, d_out, 0.1F, 5);
    for (int i = 0; i < num_tokens; ++i) goal.next.push_back(i % kNumWords);
    problem.goal = std::move(goal);
    return {.sentences = {std::move(problem)},
            .optimizer = {.kind = OptimizerKind::sgd, .rate = 1e-3},
            .learned = {TensorId::w_query, TensorId::w_key, TensorId::w_value}};
}

template <class Call>
double milliseconds(int calls, const Call& call) {
    call();
    const auto begin = std::chrono::steady_clock::now();
    for (int n = 0; n < calls; ++n) call();
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count() / calls;
}

}  // namespace

int main() {
    int num_tokens = 0, d_in = 0, d_out = 0, num_heads = 0, calls = 0;
    std::string kind;
    while (std::cin >> num_tokens >> d_in >> d_out >> num_heads >> kind >> calls) {
        const TrainingProblem training = problem_of(num_tokens, d_in, d_out, num_heads);
        const AttentionProblem& problem = training.sentences.front();
        const Goal& goal = problem.goal;
        BackwardPass pass;
        double ms = 0;
        if (kind == "forward") {
            ms = milliseconds(calls, [&] { attend(problem); });
        } else if (kind == "backward") {
            const AttentionTrace trace = attend(problem);
            ms = milliseconds(calls, [&] { pass.run(problem, trace, goal); });
        } else if (kind == "gradient") {
            ms = milliseconds(calls, [&] { pass.run(problem, attend(problem), goal); });
        } else {
            Training run(training);
            ms = milliseconds(calls, [&] { run.step(); });
        }
        std::cout << ms << std::endl;
    }
}
