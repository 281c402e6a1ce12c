// From drawn matrices to the project's own model and back: what belongs to the ones does not come to the others.
#include "playground/state/origin.h"

#include <catch_amalgamated.hpp>

using namespace attn;

TEST_CASE("what was changed by hand goes with its matrices", "[origin]") {
    const Edit edit = {.tensor = TensorId::w_query, .sentence = 0, .row = 0, .column = 1, .value = 5};
    Inputs inputs;
    inputs.edits = {edit};
    make_trained(inputs);
    CHECK(inputs.model == kOwnModel);
    CHECK(inputs.layer == 1);
    CHECK(inputs.edits.empty());
    inputs.edits = {edit};
    inputs.off = {{1, 2}};
    make_trained(inputs);  // it is there already
    CHECK(inputs.edits.size() == 1);
    make_random(inputs);
    CHECK(inputs.model.empty());
    CHECK(inputs.layer == 0);
    CHECK(inputs.off.empty());
    CHECK(inputs.edits.empty());
    CHECK(inputs.num_heads == 8);  // the heads are as many as before
    inputs.edits = {edit};
    make_random(inputs);  // they are drawn already
    CHECK(inputs.edits.size() == 1);
}
