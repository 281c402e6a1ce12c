// States with a recipe, and their numbers.
#pragma once

#include <catch_amalgamated.hpp>
#include <string>

#include "playground/link/state_url.h"
#include "playground/numbers/evaluation.h"

namespace attn::test {

struct Learned {
    explicit Learned(const std::string& link) {
        const ReadLink read = read_link("view=learn&" + link);
        REQUIRE(read.notes.empty());
        state = read.state;
        evaluator.update(state);
    }
    const Evaluation& shown() const { return evaluator.shown(); }

    PlaygroundState state;
    Evaluator evaluator;
};

}  // namespace attn::test
