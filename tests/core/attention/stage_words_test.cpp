// What stands beside a stage where the settings change it.
#include "core/attention/stage_words.h"

#include <catch_amalgamated.hpp>

using namespace attn;

TEST_CASE("a pattern's gradient at the softmax is weights minus targets, in words too", "[stages]") {
    const auto formula = [](TensorId stage, MaskAt mask_at, GoalKind goal) {
        return stage_info(stage, mask_at, goal).formula;
    };
    const GoalKind pattern = GoalKind::pattern;
    CHECK(formula(TensorId::grad_masked_scores, MaskAt::before, pattern) == "(weights - target) / rows with targets");
    CHECK(formula(TensorId::grad_scaled_scores, MaskAt::after, pattern) == "(weights - target) / rows with targets");
    CHECK(formula(TensorId::grad_scaled_scores, MaskAt::after_raw, pattern) ==
          "(softmax - target) / rows with targets");
    CHECK(formula(TensorId::grad_weights, MaskAt::before, pattern) == "-target / (weights · rows with targets)");
    for (const StageInfo& info : stage_table()) {
        for (const MaskAt mask_at : {MaskAt::before, MaskAt::after, MaskAt::after_raw}) {
            CHECK(formula(info.id, mask_at, GoalKind::next) == stage_info(info.id, mask_at).formula);
            CHECK(formula(info.id, mask_at, GoalKind::none) == stage_info(info.id, mask_at).formula);
        }
    }
    CHECK(formula(TensorId::grad_scaled_scores, MaskAt::before, pattern) ==
          stage_info(TensorId::grad_scaled_scores).formula);
}
