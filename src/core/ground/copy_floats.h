// Short runs of floats, copied where they stand: in WebAssembly a call of memcpy takes longer than the copy itself.
// tools/cmake/kernels.cmake keeps the compiler from making that call of it.
#pragma once

#include <cstddef>

namespace attn {

// `to` and `from` do not overlap.
inline void copy_floats(const float* __restrict from, std::size_t count, float* __restrict to) {
    for (std::size_t k = 0; k < count; ++k) to[k] = from[k];
}

}  // namespace attn
