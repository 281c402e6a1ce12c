// Printed losses and gradients of others, each out of a link.
#include <catch_amalgamated.hpp>
#include <cmath>
#include <string>
#include <string_view>
#include <vector>

#include "core/explain/stage_numbers.h"
#include "playground/linked.h"
#include "playground/numbers/recipe.h"

using namespace attn;
using namespace attn::test;

namespace {

using Printed = std::vector<std::vector<double>>;

constexpr double kTwoDecimals = 0.5e-2;  // half a unit of the last printed digit
constexpr double kSixDecimals = 0.6e-6;  // and what PyTorch's floats add
constexpr double kTenDecimals = 1.5e-7;  // printed with ten digits: our numbers are floats near 0.1, and near 1
constexpr std::string_view kJourney =    // the lectures' X (6, 3)
    "text=Your+journey+starts+with+one+step&embed=typed&pos=none&d_in=3&d_out=2&heads=1&out=0"
    "&x=0.43,0.15,0.89;0.55,0.87,0.66;0.57,0.85,0.64;0.22,0.58,0.33;0.77,0.25,0.1;0.05,0.8,0.55";

// The first rows and columns of a stage of head 1, each divided by `unit`, against what is printed.
void check_stage(const Evaluation& evaluation, TensorId stage, const Printed& printed, double tolerance,
                 double unit = 1) {
    const Matrix numbers = stage_matrix(*evaluation.problem, evaluation.trace, stage, 0);
    for (std::size_t i = 0; i < printed.size(); ++i) {
        for (std::size_t j = 0; j < printed[i].size(); ++j) {
            CAPTURE(tensor_name(stage), i, j, numbers(i, j), printed[i][j]);
            CHECK(std::abs(static_cast<double>(numbers(i, j)) / unit - printed[i][j]) < tolerance);
        }
    }
}

}  // namespace

// Raschka, appendix A: x 1.1, w 2.2, b 0, the loss is -ln sigmoid(x w + b). A sigmoid is the softmax of two logits
// whose difference is its argument: two words whose vectors differ by 1, and the first sees only itself.
TEST_CASE("the neuron of appendix A has its loss and gradients", "[recipe][golden]") {
    const Evaluation neuron = evaluation_of(
        "text=a+b&embed=typed&pos=none&d_in=1&d_out=1&heads=1&out=0&x=1.1;2.1&init=identity&bias=1"
        "&edit=w_value[0,0]=2.2&goal=next");
    CHECK(std::abs(neuron.run->loss() - 0.0851878822) < kTenDecimals);
    check_stage(neuron, TensorId::probabilities, {{1 - 0.9183397293, 0.9183397293}}, kTenDecimals);
    check_stage(neuron, TensorId::grad_w_value, {{-0.0898262933}}, kTenDecimals);
    check_stage(neuron, TensorId::grad_b_value, {{-0.0816602632}}, kTenDecimals);
}

// LeetGPU, exercise 111: queries and keys are rows of the identity, values 1 to 12, the gradient at the output is the
// identity's first two rows. Here a goal has to give that gradient: with these three word vectors, which decide nothing
// else where queries, keys and values are typed over, it is 0.125 of it.
TEST_CASE("the exercise on the backward pass comes out of a goal, as printed", "[recipe][golden]") {
    const Evaluation exercise = evaluation_of(
        "text=a+b+c&embed=typed&pos=none&d_in=4&d_out=4&heads=1&mask=none&out=0&init=identity&goal=next"
        "&x=0.162671,0.145431,0,0;-0.139834,0.10131,0,0;0.118915,-0.141643,0,0"
        "&edit=queries[0,0]=1,0,0,0;0,1,0,0;0,0,1,0&edit=keys[0,0]=1,0,0,0;0,1,0,0;0,0,1,0"
        "&edit=values[0,0]=1,2,3,4;5,6,7,8;9,10,11,12");
    constexpr double kUnit = 0.125;
    check_stage(exercise, TensorId::weights, {{0.45186, 0.27407, 0.27407}, {0.27407, 0.45186, 0.27407}}, 0.6e-5);
    check_stage(exercise, TensorId::grad_merged, {{1, 0, 0, 0}, {0, 1, 0, 0}}, 1e-5, kUnit);  // six digits of X
    check_stage(exercise, TensorId::grad_weights, {{1, 5, 9}, {2, 6, 10}}, 1e-4, kUnit);
    check_stage(exercise, TensorId::grad_queries, {{-0.74, 0.10, 0.65, 0}, {-0.55, 0, 0.55, 0}}, kTwoDecimals, kUnit);
    check_stage(exercise, TensorId::grad_keys, {{-0.74, -0.55, 0, 0}, {0.10, 0, 0, 0}, {0.65, 0.55, 0, 0}},
                kTwoDecimals, kUnit);
    check_stage(exercise, TensorId::grad_values, {{0.45, 0.27, 0, 0}, {0.27, 0.45, 0, 0}, {0.27, 0.27, 0, 0}},
                kTwoDecimals, kUnit);
}

// PyTorch's autograd gave the numbers; nn.Linear keeps its weights the other way round.
TEST_CASE("each token looks at the one before it: loss, gradients and the step that PyTorch takes",
          "[recipe][golden]") {
    const std::string link =
        std::string(kJourney) + "&init=torch.linear&seed=123&goal=pattern&target=1:0>0,1>0,2>1,3>2,4>3,5>4&rate=1";
    const Evaluation before = evaluation_of(link);
    CHECK(std::abs(before.run->loss() - 1.1055158) < 2e-7);
    check_stage(before, TensorId::grad_w_query, {{-0.016304, 0.009452}, {-0.016096, -0.005154}, {-0.011363, -0.005005}},
                kSixDecimals);
    check_stage(before, TensorId::grad_w_key, {{0.000080, 0.010277}, {-0.006453, -0.004290}, {-0.010581, -0.005217}},
                kSixDecimals);
    check_stage(before, TensorId::grad_masked_scores, {{0, 0}, {-0.086122, 0.086122}}, kSixDecimals);
    CHECK(std::abs(evaluation_of(link + "&steps=1").run->loss() - 1.1044441) < 2e-7);
}
