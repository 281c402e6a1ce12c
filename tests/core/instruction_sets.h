// The same computation with each instruction set that this processor has.
#pragma once

#include "core/kernels/simd_kernels.h"

namespace attn::test {

// What `compute` returns with this set in use; the set from before is in use again afterwards.
template <class Compute>
auto with_set(simd::InstructionSet set, const Compute& compute) {
    const simd::InstructionSet before = simd::in_use();
    simd::use(set);
    const auto result = compute();
    simd::use(before);
    return result;
}

}  // namespace attn::test
