// Gradients against differences of the loss, against each other, against what PyTorch and a public exercise print, and
// the rules that hold for every layer.
#include "core/learn/gradients.h"
#include "core/golden_json.h"
#include "samples.h"

#include <algorithm>
#include <catch_amalgamated.hpp>
#include <cmath>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "core/fast/attend.h"
#include "core/instruction_sets.h"
#include "core/learn/learn_problems.h"
#include "core/operations/values.h"

namespace attn::test {
namespace {

double loss_at(AttentionProblem problem, const Goal& goal) {
    problem.goal = goal;
    return loss_of(problem, layer_values(problem));
}

LayerValues gradients_of(AttentionProblem problem, const Goal& goal) {
    problem.goal = goal;
    LayerValues values = layer_values(problem);
    add_gradients(problem, values);
    return values;
}

// The loss's slope when one number of the problem moves. The numbers are floats: the step is what really lies between
// them. An error of h^2 times the third derivative, here some 1e-6 (where a short row is normed, it changes fast), and
// of rounding, 1e-16 / h, remain.
double slope(AttentionProblem problem, const Goal& goal, const std::function<float&(AttentionProblem&)>& number) {
    constexpr float kStep = 0x1p-12F;
    float& x = number(problem);
    const float middle = x;
    x = middle + kStep;
    const double above = static_cast<double>(x);
    const double loss_above = loss_at(problem, goal);
    x = middle - kStep;
    const double below = static_cast<double>(x);
    const double loss_below = loss_at(problem, goal);
    return (loss_above - loss_below) / (above - below);
}

void require_slopes(const AttentionProblem& problem, const Goal& goal) {
    const LayerValues g = gradients_of(problem, goal);
    const auto check = [&](TensorId tensor, const auto& numbers_in) {
        const CubeD& gradient = g.of(*gradient_of(tensor));
        for (std::size_t n = 0; n < gradient.size(); n += sample_step(4)) {
            CAPTURE(tensor_name(tensor), n);
            const double found = slope(problem, goal, [&](AttentionProblem& p) -> float& { return numbers_in(p)[n]; });
            REQUIRE(std::abs(found - gradient.data()[n]) <= 3e-5 * std::max(1.0, std::abs(found)));
        }
    };
    check(TensorId::embeddings, [](AttentionProblem& p) { return elements(p.embeddings); });
    for (const TensorId tensor : kLearnedTensors)
        check(tensor, [&](AttentionProblem& p) { return numbers_of(p.projections.edit(), tensor); });
    for (std::size_t n = 0; n < problem.typed_roles.size(); ++n) {
        const TypedNumber& typed = problem.typed_roles[n];
        const CubeD& at = g.of(*gradient_of(typed.role));
        if (at.size() == 0) continue;  // a pattern does not depend on values
        const int head_dim = problem.head_dim();
        CAPTURE(n);
        const double found =
            slope(problem, goal, [&](AttentionProblem& p) -> float& { return p.typed_roles[n].value; });
        const double gradient = at(typed.column / head_dim, typed.row, typed.column % head_dim);
        REQUIRE(std::abs(found - gradient) <= 3e-5 * std::max(1.0, std::abs(found)));
    }
}

// Both in the same shape, each number within `tolerance` of the twin's, in units of the tensor's largest. What cancels,
// as the gradient at the bias of the keys does but for rounding, may be off by some roundings of numbers below 0.1.
template <class Fast, class Plain>
void require_close_twins(std::string_view name, const Fast& fast, const Plain& plain, double tolerance) {
    CAPTURE(name);
    REQUIRE(fast.size() == plain.size());
    double largest = 0;
    for (std::size_t n = 0; n < plain.size(); ++n) largest = std::max(largest, std::abs(plain.data()[n]));
    for (std::size_t n = 0; n < plain.size(); ++n) {
        CAPTURE(n);
        REQUIRE(std::abs(static_cast<double>(fast.data()[n]) - plain.data()[n]) <= tolerance * largest + 2e-8);
    }
}

void require_twins(const AttentionProblem& problem, const Goal& goal, double tolerance) {
    BackwardPass pass;
    const Gradients& fast = pass.run(problem, attend(problem), goal);
    const LayerValues plain = gradients_of(problem, goal);
    AttentionProblem of_goal = problem;
    of_goal.goal = goal;
    const double loss = loss_of(of_goal, plain);
    REQUIRE(std::abs(fast.loss - loss) <= tolerance * std::max(1.0, loss));
    const auto check = [&](TensorId tensor, const auto& numbers) {
        require_close_twins(tensor_name(tensor), elements(numbers), elements(plain.of(*gradient_of(tensor))),
                            tolerance);
    };
    if (goal.kind == GoalKind::next) {
        check(TensorId::output, fast.output);
        check(TensorId::merged, fast.merged);
        check(TensorId::values, fast.value);
    }
    check(TensorId::scores, fast.scores);
    check(TensorId::queries, fast.query);
    check(TensorId::keys, fast.key);
    check(TensorId::embeddings, fast.embeddings);
    check(TensorId::query_latents, fast.query_latents);
    check(TensorId::latents, fast.latents);
    check(TensorId::position_queries, fast.position_query);
    check(TensorId::position_keys, fast.position_key);
    for (const TensorId tensor : kLearnedTensors) {
        if (goal.kind == GoalKind::pattern && is_behind_weights(tensor)) continue;
        with_learned(fast.projections, tensor, [&](const auto& numbers) { check(tensor, numbers); });
    }
}

// Floats of sums of some ten numbers: the largest relative error that was seen is 2e-6.
constexpr double kFloats = 2e-5;

}  // namespace

TEST_CASE("each gradient is the slope of the loss, in every kind of forward pass", "[learn]") {
    int number = 0;
    for (const AttentionProblem& problem : every_kind_of_problem()) {
        CAPTURE(++number);
        require_slopes(problem, random_pattern(problem, 7));
        require_slopes(problem, random_next(problem, 7));
    }
}

TEST_CASE("the fast gradients agree with the plain ones", "[learn]") {
    int number = 0;
    for (const AttentionProblem& problem : every_kind_of_problem()) {
        CAPTURE(++number);
        require_twins(problem, random_pattern(problem, 3), kFloats);
        require_twins(problem, random_next(problem, 3), kFloats);
    }
}

TEST_CASE("the fast gradients agree where a text is longer than a block of rows", "[learn]") {
    for (const MaskAt mask_at : {MaskAt::before, MaskAt::after_raw}) {
        AttentionProblem problem = random_problem(
            {.num_tokens = 150, .d_in = 20, .head_dim = 9, .num_heads = 3, .num_kv_heads = mask_at == MaskAt::before},
            5);
        problem.settings.mask_at = mask_at;
        problem.settings.dropout = 0.1;
        require_twins(problem, random_pattern(problem, 3), 1e-4);
        require_twins(problem, random_next(problem, 3), 1e-4);
    }
}

TEST_CASE("gradients have the same bits on every instruction set, and when the memory was used before", "[learn]") {
    const AttentionProblem problem = random_problem({.num_tokens = 70, .d_in = 20, .head_dim = 9, .num_heads = 2}, 5);
    const Goal goal = random_next(problem, 3);
    const AttentionProblem other = random_problem({.num_tokens = 90, .d_in = 30, .head_dim = 11, .num_heads = 2}, 6);
    BackwardPass used;
    used.run(other, attend(other), random_pattern(other, 3));
    const Gradients once = used.run(problem, attend(problem), goal);
    for (const simd::InstructionSet set : simd::available()) {
        const Gradients again = with_set(set, [&] {
            BackwardPass pass;
            return pass.run(problem, attend(problem), goal);
        });
        CHECK(again.loss == once.loss);
        CHECK(std::ranges::equal(elements(again.embeddings), elements(once.embeddings), same_bits));
        CHECK(std::ranges::equal(elements(again.projections.w_query), elements(once.projections.w_query), same_bits));
        CHECK(std::ranges::equal(elements(again.projections.w_out), elements(once.projections.w_out), same_bits));
    }
}

TEST_CASE("gradients of what is turned alone have the same bits on every instruction set", "[learn]") {
    const AttentionProblem problem = random_problem({.num_tokens = 70,
                                                     .d_in = 20,
                                                     .head_dim = 9,
                                                     .num_heads = 2,
                                                     .num_kv_heads = 1,
                                                     .query_latent = 5,
                                                     .latent = 7,
                                                     .rope_dim = 6},
                                                    5);
    const Goal goal = random_next(problem, 3);
    BackwardPass first;
    const Gradients once = first.run(problem, attend(problem), goal);
    for (const simd::InstructionSet set : simd::available()) {
        const Gradients again = with_set(set, [&] {
            BackwardPass pass;
            return pass.run(problem, attend(problem), goal);
        });
        for (const auto matrix : {&Projections::w_query_rope, &Projections::w_key_rope, &Projections::w_key})
            CHECK(
                std::ranges::equal(elements(again.projections.*matrix), elements(once.projections.*matrix), same_bits));
        CHECK(std::ranges::equal(elements(again.embeddings), elements(once.embeddings), same_bits));
    }
    require_twins(problem, goal, 1e-4);
}

TEST_CASE("what holds for every layer: rows of the scores' gradient and columns of the keys' sum to 0", "[learn]") {
    const int num_kv_heads = GENERATE(0, 2, 1);
    const AttentionProblem problem = random_problem({.num_heads = 4, .num_kv_heads = num_kv_heads}, 9);
    const LayerValues g = gradients_of(problem, random_next(problem, 1));
    for (int h = 0; h < problem.settings.num_heads; ++h) {
        for (int i = 0; i < problem.num_tokens(); ++i) {
            double row_sum = 0;
            double by_weights = 0;
            double by_context = 0;
            for (int j = 0; j < problem.num_tokens(); ++j) {
                row_sum += g.of(TensorId::grad_scores)(h, i, j);
                by_weights += g.of(TensorId::weights)(h, i, j) * g.of(TensorId::grad_weights)(h, i, j);
                if (j > i) CHECK(g.of(TensorId::grad_scores)(h, i, j) == 0);
            }
            for (int c = 0; c < problem.head_dim(); ++c)
                by_context += g.of(TensorId::grad_context)(h, i, c) * g.of(TensorId::context)(h, i, c);
            CHECK(std::abs(row_sum) < 1e-15);
            CHECK(std::abs(by_weights - by_context) < 1e-15);  // the row's average, two ways
        }
        for (int c = 0; c < problem.head_dim(); ++c) {
            double column_sum = 0;
            for (int j = 0; j < problem.num_tokens(); ++j)
                column_sum += g.of(TensorId::grad_keys)(problem.kv_head(h), j, c);
            CHECK(std::abs(column_sum) < 1e-15);
            CHECK(g.of(TensorId::grad_queries)(h, 0, c) == 0);  // the first token sees only itself
        }
    }
    for (const double number : g.of(TensorId::grad_b_key)) CHECK(std::abs(number) < 1e-15);
}

// LeetGPU, exercise 111 "attention backward", prints two decimals: queries are the first two rows of the 4 x 4
// identity, keys its first three, values 1 to 12, and the gradient at the output is the first two rows of the identity
// again. Here the third token is a query, too; its output is part of no loss.
TEST_CASE("a public exercise on the backward pass of attention comes out as printed", "[learn][golden]") {
    AttentionProblem problem;
    problem.embeddings = zeros<Matrix>(3, 4);
    for (int i = 0; i < 3; ++i) problem.embeddings(i, i) = 1;
    for (Matrix* w :
         {&problem.projections.edit().w_query, &problem.projections.edit().w_key, &problem.projections.edit().w_value})
        *w = make_projections(Init::identity, 0, 4, 4, false, false).w_query;
    for (int i = 0; i < 3; ++i) {
        for (int c = 0; c < 4; ++c) problem.projections.edit().w_value(i, c) = static_cast<float>(4 * i + c + 1);
    }
    problem.hidden = make_mask(Mask::none, 3);
    MatrixD at_output = zeros<MatrixD>(3, 4);
    at_output(0, 0) = at_output(1, 1) = 1;
    LayerValues g = layer_values(problem);
    add_gradients_from_output(problem, at_output, g);
    const auto head = [](const CubeD& cube, int num_rows) {
        MatrixD matrix = zeros<MatrixD>(num_rows, cube.shape(2));
        std::copy_n(cube.begin(), matrix.size(), matrix.begin());
        return matrix;
    };
    constexpr double kTwoDecimals = 0.5e-2;
    using nlohmann::json;
    require_close(head(g.of(TensorId::grad_queries), 2), json::parse("[[-0.74,0.10,0.65,0],[-0.55,0,0.55,0]]"),
                  kTwoDecimals);
    require_close(head(g.of(TensorId::grad_keys), 3), json::parse("[[-0.74,-0.55,0,0],[0.10,0,0,0],[0.65,0.55,0,0]]"),
                  kTwoDecimals);
    require_close(head(g.of(TensorId::grad_values), 3),
                  json::parse("[[0.45,0.27,0,0],[0.27,0.45,0,0],[0.27,0.27,0,0]]"), kTwoDecimals);
}

// The lectures' X (6, 3), d_out 2, one head, no biases. PyTorch's autograd gave the numbers.
TEST_CASE("gradients of the lectures' layer are those of PyTorch's autograd", "[learn][golden]") {
    AttentionProblem problem;
    problem.embeddings = matrix_of(load_golden("journey-6x3.json").at("inputs"));
    constexpr double kSixDecimals = 0.6e-6;  // half a unit of the last digit, and PyTorch's floats
    using nlohmann::json;
    SECTION("half the sum of the squared outputs, no mask") {
        problem.projections = make_projections(Init::torch_linear, 789, 3, 2, false, false);
        problem.hidden = make_mask(Mask::none, 6);
        LayerValues g = layer_values(problem);
        double loss = 0;
        for (const double number : g.of(TensorId::merged)) loss += number * number / 2;
        CHECK(std::abs(loss - 0.0315091) < 0.5e-7);
        add_gradients_from_output(problem, g.matrix(TensorId::merged), g);
        const auto transposed = [](const MatrixD& w) { return MatrixD(xt::transpose(w)); };  // nn.Linear's is (out, in)
        require_close(transposed(g.matrix(TensorId::grad_w_query)),
                      json::parse("[[0.000458,0.000612,0.000586],[0.000446,0.000603,0.000592]]"), kSixDecimals);
        require_close(transposed(g.matrix(TensorId::grad_w_key)),
                      json::parse("[[0.002364,0.000230,-0.000538],[-0.001109,-0.000115,0.000248]]"), kSixDecimals);
        require_close(transposed(g.matrix(TensorId::grad_w_value)),
                      json::parse("[[-0.198485,-0.256393,-0.243710],[0.183649,0.237153,0.225478]]"), kSixDecimals);
    }
    SECTION("each token should look at the one before it, causal") {
        problem.projections = make_projections(Init::torch_linear, 123, 3, 2, false, false);
        problem.hidden = make_mask(Mask::causal, 6);
        Goal goal{.kind = GoalKind::pattern, .num_terms = 6};
        for (int i = 0; i < 6; ++i) {
            goal.rows.push_back({.head = 0, .query = i, .shares = zeros<Vector>(6)});
            goal.rows.back().shares(std::max(i - 1, 0)) = 1;
        }
        BackwardPass pass;
        const Gradients& g = pass.run(problem, attend(problem), goal);
        CHECK(std::abs(g.loss - 1.1055158) < 2e-7);
        const auto transposed = [](const Matrix& w) { return Matrix(xt::transpose(w)); };
        require_close(transposed(g.projections.w_query),
                      json::parse("[[-0.016304,-0.016096,-0.011363],[0.009452,-0.005154,-0.005005]]"), kSixDecimals);
        require_close(transposed(g.projections.w_key),
                      json::parse("[[0.000080,-0.006453,-0.010581],[0.010277,-0.004290,-0.005217]]"), kSixDecimals);
        const float divisor = std::sqrt(2.0F);
        CHECK(std::abs(static_cast<double>(g.scores(0, 1, 0) * divisor) + 0.086122) < kSixDecimals);
        CHECK(std::abs(static_cast<double>(g.scores(0, 1, 1) * divisor) - 0.086122) < kSixDecimals);
    }
}

}  // namespace attn::test
