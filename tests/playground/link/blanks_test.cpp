#include "playground/link/blanks.h"

#include <catch_amalgamated.hpp>
#include <cmath>

#include "playground/link/state_url.h"
#include "playground/numbers/evaluation.h"

namespace attn {
namespace {

Blanks blanks_of(std::string_view link) {
    return Blanks(read_link(link).state);
}

TEST_CASE("nothing is blank unless somebody wants it", "[blanks]") {
    CHECK(blanks_of("").empty());
    CHECK(blanks_of("hide=legend,control.seed").empty());
    CHECK(blanks_of("").name() == 0);
}

TEST_CASE("one value is blank, and its copies in other stages", "[blanks]") {
    const Blanks blanks = blanks_of("hide=context[2,3,1]&d_out=4&heads=2");
    CHECK(blanks.has(TensorId::context, 1, 3, 1));
    CHECK_FALSE(blanks.has(TensorId::context, 0, 3, 1));
    CHECK(blanks.has(TensorId::merged, 0, 3, 3));  // heads side by side: 1 * 2 + 1
    CHECK_FALSE(blanks.has(TensorId::merged, 0, 3, 1));
    CHECK(blanks.touches(TensorId::merged));
    CHECK_FALSE(blanks.has_stage(TensorId::context));
    CHECK_FALSE(blanks.touches(TensorId::output));
}

TEST_CASE("a value of the merged heads is blank in its head, too", "[blanks]") {
    const Blanks blanks = blanks_of("hide=merged[3,3]&d_out=4&heads=2");
    CHECK(blanks.has(TensorId::context, 1, 3, 1));
    CHECK_FALSE(blanks.has(TensorId::context, 0, 3, 1));
}

TEST_CASE("scaled and masked scores are the same numbers", "[blanks]") {
    const Blanks blanks = blanks_of("hide=scaled_scores[1,2,*]");
    CHECK(blanks.has(TensorId::masked_scores, 0, 2, 1));
    CHECK_FALSE(blanks.has(TensorId::scores, 0, 2, 1));
    CHECK(blanks_of("hide=scaled_scores[1,2,*]&scale=none").has(TensorId::scores, 0, 2, 1));
}

TEST_CASE("a hidden stage and a checked one are blank as a whole", "[blanks]") {
    const Blanks blanks = blanks_of("hide=stage.scores&check=context");
    CHECK(blanks.has_stage(TensorId::scores));
    CHECK(blanks.has_stage(TensorId::context));
    CHECK(blanks.has_stage(TensorId::merged));
    CHECK_FALSE(blanks.has_stage(TensorId::scaled_scores));
}

TEST_CASE("blank numbers are taken out, hidden keys stay", "[blanks]") {
    const PlaygroundState state = read_link("text=one two three&hide=weights[*,2,*],weights[1,0,2]").state;
    const Evaluation evaluation = evaluate(state.inputs, 0);
    const Blanks blanks(state);
    Matrix shown = shown_matrix(evaluation, TensorId::weights, 0);
    const Matrix before = shown;
    blanks.take_out(shown, TensorId::weights, 0);
    CHECK(std::isnan(shown(2, 0)));
    CHECK(std::isnan(shown(2, 2)));
    CHECK(std::isinf(shown(0, 2)));
    CHECK(shown(1, 1) == before(1, 1));
}

TEST_CASE("other blanks have another name", "[blanks]") {
    CHECK(blanks_of("hide=weights[1,1,1]").name() != blanks_of("hide=weights[1,1,0]").name());
    CHECK(blanks_of("hide=weights[1,1,1]").name() != 0);
}

}  // namespace
}  // namespace attn
