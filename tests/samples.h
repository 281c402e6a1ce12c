// How many samples a property is tried on. Usually an eighth: each try finds the same kinds of mistakes again, and the
// sanitizers make it slow. With ATTN_ALL_SAMPLES in the environment all of them (tools/test --nightly).
#pragma once

#include <cstdlib>

namespace attn::test {

inline bool takes_all_samples() {
    static const bool takes = std::getenv("ATTN_ALL_SAMPLES") != nullptr;
    return takes;
}

// `count`, or usually an eighth of it, at least 1.
inline int samples(int count) {
    return takes_all_samples() || count < 16 ? count : count / 8;
}

// For a walk over many: each, or usually every `step`th.
inline int sample_step(int step) {
    return takes_all_samples() ? 1 : step;
}

}  // namespace attn::test
