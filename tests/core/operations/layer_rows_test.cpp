// The rows make every stage once, in an order in which each finds what it takes, and pass gradients back to all that
// the loss depends on.
#include "core/operations/layer_rows.h"

#include <algorithm>
#include <catch_amalgamated.hpp>
#include <set>

#include "core/learn/learn_problems.h"
#include "core/operations/values.h"

namespace attn::test {
namespace {

// Every kind of problem with each goal.
std::vector<AttentionProblem> problems_with_goals() {
    std::vector<AttentionProblem> problems;
    for (AttentionProblem problem : every_kind_of_problem()) {
        problem.goal = random_pattern(problem, 4);
        problems.push_back(problem);
        problem.goal = random_next(problem, 4);
        problems.push_back(problem);
    }
    return problems;
}

}  // namespace

TEST_CASE("one row makes each stage of a problem, of tensors that are there before", "[operations][property]") {
    for (const AttentionProblem& problem : problems_with_goals()) {
        std::set<TensorId> made;
        for (const FoundRow& row : forward_rows(problem)) {
            CAPTURE(tensor_name(row.result));
            CHECK(made.insert(row.result).second);
            for (const std::optional<TensorId>& operand : row.operands) {
                if (operand && is_stage(*operand)) CHECK(made.contains(*operand));
            }
        }
        for (const StageInfo& info : stage_table())
            CHECK((is_gradient(info.id) || made.contains(info.id) == has_stage(problem, info.id)));
    }
}

TEST_CASE("gradients get to all that the loss depends on, and to nothing else", "[operations][property]") {
    for (const AttentionProblem& problem : problems_with_goals()) {
        LayerValues values = layer_values(problem);
        add_gradients(problem, values);
        for (const StageInfo& info : stage_table()) {
            if (!is_gradient(info.id)) continue;
            CAPTURE(info.name);
            CHECK(values.has(info.id) == has_stage(problem, info.id));
        }
    }
}

TEST_CASE("a stage has sources, which are before it or are given by a person", "[operations][property]") {
    for (const StageInfo& info : stage_table()) {
        const std::vector<TensorId> sources = sources_of(info.id);
        CAPTURE(info.name);
        if (is_block_stage(info.id)) {  // a model makes it, and its files decide of what
            CHECK(sources.empty());
            continue;
        }
        CHECK(!sources.empty());
        for (const TensorId source : sources) {
            const auto place = [](TensorId id) { return &stage_info(id) - stage_table().data(); };
            CHECK((!is_stage(source) || place(source) < place(info.id)));
            CHECK(has_source(info.id, source));
        }
    }
    CHECK(sources_of(TensorId::masked_scores) == std::vector<TensorId>{TensorId::biased_scores, TensorId::mask,
                                                                       TensorId::capped_scores,
                                                                       TensorId::scaled_scores});
    CHECK(sources_of(TensorId::context) ==
          std::vector{TensorId::dropped_weights, TensorId::values, TensorId::mask, TensorId::weights});
    CHECK(!has_source(TensorId::context, TensorId::keys));
}

TEST_CASE("rows behind a softmax and gradients before one have a sum that everybody knows", "[operations]") {
    std::string names;
    for (const StageInfo& info : stage_table()) {
        if (row_has_known_sum(info.id)) names += std::string(info.name) + " ";
    }
    CHECK(names ==
          "unmasked_weights weights probabilities grad_capped_logits grad_logits grad_masked_scores "
          "grad_biased_scores grad_capped_scores grad_scaled_scores grad_scores ");
}

}  // namespace attn::test
