// The one page of textbook gives what the operations give.
#include "core/attention/attention_reference.h"

#include <catch_amalgamated.hpp>
#include <cmath>

#include "core/operations/values.h"
#include "core/problems.h"

namespace attn::test {

TEST_CASE("one page of loops gives the weights and contexts of the operations", "[attention][reference]") {
    const Mask mask = GENERATE(Mask::causal, Mask::none);
    AttentionProblem problem = random_problem({.num_tokens = 7, .d_in = 5, .head_dim = 3, .num_heads = 4}, 8);
    problem.projections = make_projections(Init::torch_linear, 8, 5, 12, false, false);
    problem.hidden = make_mask(mask, 7);
    const ReferenceAttention page = attend_reference(problem);
    const LayerValues values = layer_values(problem);
    const CubeD& weights = values.of(TensorId::weights);
    for (std::size_t n = 0; n < weights.size(); ++n)
        CHECK(std::abs(page.weights.data()[n] - weights.data()[n]) < 1e-7);  // the divisor is a float there
    for (int i = 0; i < 7; ++i) {
        for (int c = 0; c < 12; ++c) CHECK(std::abs(page.merged(i, c) - values.of(TensorId::merged)(0, i, c)) < 1e-7);
    }
}

}  // namespace attn::test
