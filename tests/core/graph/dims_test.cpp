// The shapes of tensors by names, held against the tensors of problems of every kind.
#include "core/graph/dims.h"

#include <catch_amalgamated.hpp>
#include <set>
#include <span>
#include <string>
#include <utility>

#include "core/attention/attention.h"
#include "core/explain/stage_numbers.h"
#include "core/fast/attend.h"
#include "core/learn/learn_problems.h"

using namespace attn;
using namespace attn::test;

TEST_CASE("every tensor has its dims, each once", "[dims]") {
    std::set<TensorId> seen;
    for (const TensorDims& row : kTensorDims) CHECK(seen.insert(row.id).second);
    for (const TensorId tensor : kTensorsOfGradients) CHECK(seen.contains(tensor));
    CHECK(seen.size() + kTensorsOfGradients.size() == kNumTensors);
    const auto after = static_cast<std::size_t>(TensorId::grad_logits) + kTensorsOfGradients.size();
    CHECK(after == static_cast<std::size_t>(TensorId::w_query));
    for (const StageInfo& info : stage_table()) {
        if (is_gradient(info.id))
            CHECK(info.name == std::string("grad_").append(tensor_name(tensor_of_gradient(info.id))));
    }
}

TEST_CASE("stages and learned tensors of every kind of problem are as large as their dims", "[dims][property]") {
    std::set<TensorId> checked;
    for (const AttentionProblem& problem : every_kind_of_problem()) {
        const Sizes sizes = sizes_of(problem);
        const AttentionTrace trace = attend(problem);
        for (const StageInfo& info : stage_table()) {
            if (needs_goal(info.id) || !has_stage(problem, info.id)) continue;
            INFO(info.name);
            const Matrix matrix = stage_matrix(problem, trace, info.id, 0);
            CHECK(Extent{length(matrix, 0), length(matrix, 1)} == extent_of(sizes, info.id));
            checked.insert(info.id);
        }
        const LayerParts parts = layer_parts(problem);
        for (const TensorId id : kLearnedTensors) {
            INFO(tensor_name(id));
            const Extent extent = extent_of(sizes, id);
            const std::span<const float> numbers = numbers_of(*problem.projections, id);
            CHECK((id == TensorId::sink_logits || !numbers.empty() == has_learned(id, parts)));
            if (numbers.empty()) continue;
            CHECK(std::cmp_equal(numbers.size(), extent.rows * extent.columns));
            CHECK(whole_extent(sizes, id) == extent);
            const std::span<const float> last = row_of_learned(*problem.projections, id, extent.rows - 1);
            CHECK(std::cmp_equal(last.size(), extent.columns));
            CHECK(&last.back() == &numbers.back());
            checked.insert(id);
        }
    }
    CHECK(checked.size() > 30);
}

TEST_CASE("letters name what is there, and the plainer of two names for one size", "[dims]") {
    const Sizes plain = {.num_tokens = 5, .d_in = 3, .d_out = 8, .num_heads = 4};
    CHECK(shape_letters(plain, TensorId::keys) == "(num_heads, T, head_dim)");
    CHECK(shape_letters(plain, TensorId::grad_b_value) == "(1, d_out)");
    CHECK(shape_letters(plain, TensorId::sink_weights) == "(num_heads, T, 1)");
    CHECK(shape_letters(plain, TensorId::vocabulary) == "(V, d_out)");
    Sizes rich = plain;
    rich.num_kv_heads = 2;
    rich.latent = 6;
    rich.rope_dim = 2;
    CHECK(shape_letters(rich, TensorId::keys) == "(kv_heads, T, head_dim)");
    CHECK(shape_letters(rich, TensorId::w_key) == "(latent, kv_width)");
    CHECK(shape_letters(rich, TensorId::rotated_queries) == "(num_heads, T, head_dim + rope_dim)");
    CHECK(extent_of(rich, TensorId::rotated_keys) == Extent{5, 4});
    CHECK(whole_extent(rich, TensorId::keys) == Extent{5, 4});
    CHECK(whole_extent(rich, TensorId::queries) == Extent{5, 8});
    CHECK(extent_of(rich, TensorId::w_query_rope) == Extent{3, 8});
}
