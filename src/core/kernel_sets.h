// What the kernels of all instruction sets share. Included by files that are compiled for instructions this processor
// may not have: plain functions only, defined in plain_kernels.cpp, nothing inline.
#pragma once

#include "core/simd_kernels.h"

namespace attn::simd {

namespace plain {
extern const Kernels table;
}
namespace baseline {
extern const Kernels table;
}
namespace avx2 {
extern const Kernels table;
}
namespace avx512 {
extern const Kernels table;
}

// The sum of 16 compensated sums: each less its excess, in double, then in pairs 8, 4, 2 and 1 apart.
float total_of_sums(const float* sums, const float* excesses);

// Whether x * (1 / divisor) is x / divisor for every x: a power of two, 2^-126 to 2^126.
bool has_exact_reciprocal(float divisor);

}  // namespace attn::simd
