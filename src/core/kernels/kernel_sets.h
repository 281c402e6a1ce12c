// What the kernels of all instruction sets share. Included by files that are compiled for instructions this processor
// may not have: nothing inline.
#pragma once

#include "core/kernels/kernel_table.h"

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

}  // namespace attn::simd
