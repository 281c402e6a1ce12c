// Optimizers and whole trainings against PyTorch, against what is known of their end, and with what can go wrong.
#include "core/learn/training.h"
#include "core/golden_json.h"

#include <algorithm>
#include <array>
#include <catch_amalgamated.hpp>
#include <cmath>
#include <numbers>
#include <utility>
#include <vector>

#include "core/instruction_sets.h"
#include "core/learn/learn_problems.h"

namespace attn::test {
namespace {

const std::set<TensorId> kMatrices = {TensorId::w_query, TensorId::w_key, TensorId::w_value, TensorId::w_out,
                                      TensorId::b_query, TensorId::b_key, TensorId::b_value, TensorId::b_out};

Goal looks(const AttentionProblem& problem, const std::vector<std::array<int, 3>>& cells) {
    Goal goal{.kind = GoalKind::pattern, .num_terms = static_cast<int>(cells.size())};
    for (const auto& [head, query, key] : cells) {
        goal.rows.push_back({.head = head, .query = query, .shares = zeros<Vector>(problem.num_tokens())});
        goal.rows.back().shares(key) = 1;
    }
    return goal;
}

AttentionProblem with_goal(AttentionProblem problem, Goal goal) {
    problem.goal = std::move(goal);
    return problem;
}

// The numbers a quadratic bowl of depth 0 at 3 leads to from 0.
std::vector<float> walk(OptimizerKind kind, int num_steps) {
    Optimizer optimizer({.kind = kind, .rate = 0.25});
    std::vector<float> number = {0, 10};
    for (int step = 0; step < num_steps; ++step) {
        const std::vector<float> gradient = {2 * (number[0] - 3), number[1]};
        optimizer.begin_step();
        optimizer.step(0, gradient, number);
    }
    return number;
}

}  // namespace

TEST_CASE("the next step of a number is told before it is taken", "[learn]") {
    for (const auto kind : {OptimizerKind::sgd, OptimizerKind::momentum, OptimizerKind::adam, OptimizerKind::adamw}) {
        Optimizer optimizer({.kind = kind, .rate = 0.25});
        std::vector<float> number = {0, 10};
        for (int step = 0; step < 4; ++step) {
            const std::vector<float> gradient = {2 * (number[0] - 3), number[1]};
            const NumberStep first = optimizer.next_step(0, 0, gradient[0], number[0]);
            const NumberStep second = optimizer.next_step(0, 1, gradient[1], number[1]);
            CHECK(first.step == step + 1);
            CHECK(second.gradient == gradient[1]);
            CHECK(second.number == number[1]);
            optimizer.begin_step();
            optimizer.step(0, gradient, number);
            CAPTURE(static_cast<int>(kind), step);
            CHECK(first.next == number[0]);  // the same bits
            CHECK(second.next == number[1]);
            if (kind == OptimizerKind::sgd) continue;
            CHECK(second.next_mean == optimizer.moments(0).mean[1]);
            if (step > 0) CHECK(second.mean != 0);
        }
    }
}

// torch.optim of PyTorch 1.13: loss (a - 3)^2 + b^2 / 2 from a = 0, b = 10, rate 0.25, other settings as they are,
// after five steps. Floats: PyTorch's fused operations may differ in the last digits.
TEST_CASE("each optimizer steps as PyTorch's does", "[learn][golden]") {
    const auto require_walk = [](OptimizerKind kind, double a, double b) {
        const std::vector<float> end = walk(kind, 5);
        CAPTURE(static_cast<int>(kind), end[0], end[1]);
        CHECK(std::abs(static_cast<double>(end[0]) - a) < 2e-6);
        CHECK(std::abs(static_cast<double>(end[1]) - b) < 5e-6);
    };
    require_walk(OptimizerKind::sgd, 2.9062500, 2.3730469);
    require_walk(OptimizerKind::momentum, 4.5654001, -7.1647024);
    require_walk(OptimizerKind::adam, 1.2349586, 8.7531691);
    require_walk(OptimizerKind::adamw, 1.2288145, 8.6353817);
}

// The lectures' layer with seed 123, causal: each token should look at the one before. PyTorch's autograd gave both.
TEST_CASE("one step of SGD lowers the loss to what PyTorch prints", "[learn][golden]") {
    AttentionProblem problem;
    problem.embeddings = matrix_of(load_golden("journey-6x3.json").at("inputs"));
    problem.projections = make_projections(Init::torch_linear, 123, 3, 2, false, false);
    problem.hidden = make_mask(Mask::causal, 6);
    const Goal goal = looks(problem, {{0, 0, 0}, {0, 1, 0}, {0, 2, 1}, {0, 3, 2}, {0, 4, 3}, {0, 5, 4}});
    Training training({.sentences = {with_goal(problem, goal)}, .optimizer = {.rate = 1}, .learned = kMatrices});
    CHECK(std::abs(training.loss() - 1.1055158) < 2e-7);
    CHECK(training.step());
    CHECK(std::abs(training.loss() - 1.1044441) < 2e-7);
}

TEST_CASE("a sink's logit learns: down where the loss wants the weights for the keys", "[learn][sink]") {
    AttentionProblem problem =
        random_problem({.num_tokens = 6, .d_in = 8, .head_dim = 2, .num_heads = 2, .has_sink = true}, 4);
    const float before = problem.projections->sink_logits(1);
    const float other = problem.projections->sink_logits(0);
    Training training({.sentences = {with_goal(problem, looks(problem, {{1, 5, 1}}))},
                       .optimizer = {.rate = 0.5},
                       .learned = {TensorId::sink_logits}});
    const float gradient = training.gradients(0).projections.sink_logits(1);
    CHECK(gradient == training.trace(0).sink_weights(1, 5, 0));
    const double loss = training.loss();
    const std::optional<NumberStep> step = training.next_step(TensorId::sink_logits, 0, 0, 1);
    REQUIRE(step.has_value());
    REQUIRE(training.step());
    CHECK(training.loss() < loss);
    const Vector& after = training.sentence(0).projections->sink_logits;
    CHECK(after(1) == before - 0.5F * gradient);
    CHECK(after(1) == step->next);
    CHECK(after(0) == other);  // of a head that nobody asks anything of
    CHECK(training.sentence(0).projections->w_key == problem.projections->w_key);
}

TEST_CASE("one head asked for two readings of one word stops at ln 2, two heads go below 0.01", "[learn]") {
    const AttentionProblem problem = random_problem({.num_tokens = 6, .d_in = 8, .head_dim = 2, .num_heads = 2}, 4);
    const auto loss_after = [&](const Goal& goal) {
        Training training({.sentences = {with_goal(problem, goal)},
                           .optimizer = {.kind = OptimizerKind::adam, .rate = 0.05},
                           .learned = kMatrices});
        for (int step = 0; step < 500; ++step) training.step();
        return training.loss();
    };
    Goal one_head = looks(problem, {{0, 5, 1}});
    one_head.rows.front().shares(1) = one_head.rows.front().shares(3) = 0.5;
    CHECK(std::abs(lowest_loss(one_head) - std::numbers::ln2) < 1e-15);
    CHECK(std::abs(loss_after(one_head) - std::numbers::ln2) < 1e-4);
    const Goal two_heads = looks(problem, {{0, 5, 1}, {1, 5, 3}});
    CHECK(lowest_loss(two_heads) == 0);
    CHECK(loss_after(two_heads) < 0.01);
}

TEST_CASE("what does not learn stays, and what learns changes", "[learn]") {
    const AttentionProblem problem = random_problem({}, 2);
    for (const TensorId id : {TensorId::w_query, TensorId::w_key, TensorId::w_value, TensorId::w_out, TensorId::b_query,
                              TensorId::b_value, TensorId::b_out, TensorId::embeddings}) {
        CAPTURE(tensor_name(id));
        Training training({.sentences = {with_goal(problem, random_next(problem, 1))},
                           .optimizer = {.kind = OptimizerKind::momentum, .rate = 0.1},
                           .learned = {id}});
        const double before = training.loss();
        for (int step = 0; step < 3; ++step) CHECK(training.step());
        CHECK(training.loss() < before);
        const AttentionProblem& after = training.sentence(0);
        CHECK((id == TensorId::embeddings) == (after.embeddings != problem.embeddings));
        CHECK((id == TensorId::w_query) == (after.projections->w_query != problem.projections->w_query));
        CHECK((id == TensorId::w_out) == (after.projections->w_out != problem.projections->w_out));
        CHECK((id == TensorId::b_value) == (after.projections->b_value != problem.projections->b_value));
    }
}

TEST_CASE("sentences of a batch learn the same matrices from the sum of their gradients", "[learn]") {
    const AttentionProblem one = random_problem({.num_tokens = 4}, 2);
    AttentionProblem other = random_problem({.num_tokens = 6}, 3);
    other.projections = one.projections;
    Training training({.sentences = {with_goal(one, random_next(one, 1)), with_goal(other, random_next(other, 2))},
                       .optimizer = {.rate = 0.5},
                       .learned = kMatrices});
    for (int step = 0; step < 5; ++step) CHECK(training.step());
    CHECK(training.sentence(0).projections->w_query == training.sentence(1).projections->w_query);
    const Matrix sum = training.gradients(0).projections.w_value + training.gradients(1).projections.w_value;
    CHECK(std::ranges::equal(elements(sum), elements(training.gradients().w_value), same_bits));
}

TEST_CASE("a rate that is far too large stops the training at the last finite step", "[learn]") {
    const AttentionProblem problem = random_problem({}, 2);
    Training training({.sentences = {with_goal(problem, random_next(problem, 1))},
                       .optimizer = {.rate = 1e20},
                       .learned = kMatrices});
    int num_taken = 0;
    while (num_taken < 100 && training.step()) ++num_taken;
    CHECK(training.is_stopped());
    CHECK(num_taken < 100);
    CHECK(training.num_steps() == num_taken);
    CHECK(std::isfinite(training.loss()));
    const Matrix kept = training.sentence(0).projections->w_query;
    CHECK(!training.step());
    CHECK(training.sentence(0).projections->w_query == kept);
}

TEST_CASE("a training has the same bits on every instruction set, and a copy goes on as the first would", "[learn]") {
    const AttentionProblem problem = random_problem({.num_tokens = 20, .d_in = 17, .head_dim = 5}, 2);
    const TrainingProblem recipe = {.sentences = {with_goal(problem, random_pattern(problem, 1))},
                                    .optimizer = {.kind = OptimizerKind::adamw, .rate = 0.02},
                                    .learned = kMatrices};
    const auto train = [&] {
        Training training(recipe);
        for (int step = 0; step < 20; ++step) training.step();
        return training.sentence(0).projections->w_key;
    };
    const Matrix once = train();
    for (const simd::InstructionSet set : simd::available()) CHECK(with_set(set, train) == once);

    Training first(recipe);
    for (int step = 0; step < 12; ++step) first.step();
    Training copy = first;
    for (int step = 12; step < 20; ++step) copy.step();
    CHECK(copy.sentence(0).projections->w_key == once);
    CHECK(first.num_steps() == 12);
}

TEST_CASE("from a point on a training takes the steps it took before, bit for bit", "[learn]") {
    const OptimizerKind kind =
        GENERATE(OptimizerKind::sgd, OptimizerKind::momentum, OptimizerKind::adam, OptimizerKind::adamw);
    AttentionProblem one = random_problem({.num_tokens = 5}, 2);
    one.settings.dropout = 0.3;
    AttentionProblem other = random_problem({.num_tokens = 7}, 3);
    other.projections = one.projections;
    std::set<TensorId> learned = kMatrices;
    learned.insert(TensorId::embeddings);
    Training training({.sentences = {with_goal(one, random_next(one, 1)), with_goal(other, random_next(other, 2))},
                       .optimizer = {.kind = kind, .rate = 0.1},
                       .learned = learned});
    std::vector<TrainingPoint> points;
    std::vector<AttentionProblem> seen;
    std::vector<double> losses;
    for (int step = 0; step <= 9; ++step) {
        points.push_back(training.point());
        seen.push_back(training.sentence(1));
        losses.push_back(training.loss());
        CHECK(training.step());
    }
    for (const std::size_t start : {7U, 0U, 4U}) {
        training.go_to(points[start]);
        for (std::size_t step = start; step <= 9; ++step) {
            CHECK(training.num_steps() == static_cast<int>(step));
            CHECK(training.loss() == losses[step]);
            CHECK(training.sentence(1).projections->w_query == seen[step].projections->w_query);
            CHECK(training.sentence(1).embeddings == seen[step].embeddings);
            CHECK(training.step());
        }
    }
    for (const std::size_t step : {3U, 8U}) {
        const AttentionProblem at = training.sentence_at(points[step], 1);
        CHECK(at.projections->b_out == seen[step].projections->b_out);
        CHECK(at.embeddings == seen[step].embeddings);
    }
}

TEST_CASE("a training that was stopped goes on from an earlier point", "[learn]") {
    const AttentionProblem problem = random_problem({}, 2);
    Training training({.sentences = {with_goal(problem, random_next(problem, 1))},
                       .optimizer = {.rate = 1e20},
                       .learned = kMatrices});
    const TrainingPoint start = training.point();
    while (training.step()) continue;
    const int num_taken = training.num_steps();
    const Matrix end = training.sentence(0).projections->w_query;
    training.go_to(start);
    CHECK_FALSE(training.is_stopped());
    while (training.step()) continue;
    CHECK(training.num_steps() == num_taken);
    CHECK(training.sentence(0).projections->w_query == end);
}

TEST_CASE("the bound is the lowest loss that any weights have", "[learn][property]") {
    // Two rows of three keys; every distribution of weights on a grid of 60ths is tried for each.
    const std::vector<std::vector<float>> shares = {{0.5F, 0.3F, 0.2F}, {0.25F, 0.75F, 0}};
    Goal goal{.kind = GoalKind::pattern, .num_terms = 2};
    double lowest = 0;
    for (int row = 0; row < 2; ++row) {
        const std::vector<float>& wanted = shares[static_cast<std::size_t>(row)];
        goal.rows.push_back({.head = 0, .query = row, .shares = zeros<Vector>(3)});
        for (int j = 0; j < 3; ++j) goal.rows.back().shares(j) = wanted[static_cast<std::size_t>(j)];
        double best = 1e9;
        constexpr int kGrid = 60;
        for (int a = 0; a <= kGrid; ++a) {
            for (int b = 0; a + b <= kGrid; ++b) {
                const std::array<int, 3> parts = {a, b, kGrid - a - b};
                double loss = 0;
                for (std::size_t j = 0; j < 3; ++j) {
                    if (wanted[j] > 0) loss -= static_cast<double>(wanted[j]) * std::log(parts[j] / double{kGrid});
                }
                best = std::min(best, loss);
            }
        }
        lowest += best / 2;
    }
    CHECK(lowest_loss(goal) == Catch::Approx(lowest).epsilon(1e-6));  // the shares lie on the grid
}

}  // namespace attn::test
