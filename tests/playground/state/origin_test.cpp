// The way to a trained model.
#include "playground/state/origin.h"

#include <catch_amalgamated.hpp>

namespace attn::test {

TEST_CASE("trained is the second layer of our own model, and an open model stays", "[origin]") {
    Inputs inputs;
    make_trained(inputs);
    CHECK(inputs.model == kOwnModel);
    CHECK(inputs.layer == 1);
    inputs.model = "another";
    inputs.layer = 3;
    make_trained(inputs);
    CHECK(inputs.model == "another");
    CHECK(inputs.layer == 3);
}

}  // namespace attn::test
