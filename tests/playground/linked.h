// What the tests of the playground read out of links.
#pragma once

#include <string_view>

#include "playground/link/state_url.h"
#include "playground/numbers/evaluation.h"

namespace attn::test {

inline PlaygroundState state_of(std::string_view link) {
    return read_link(link).state;
}

// The numbers of one of its sentences, counted from 0.
inline Evaluation evaluation_of(std::string_view link, int sentence = 0) {
    return evaluate(state_of(link).inputs, sentence);
}

}  // namespace attn::test
