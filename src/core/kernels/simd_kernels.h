// The hot loops of attention on plain arrays, once for each instruction set of the processor and once in plain loops.
// Every result is the same bits in all of them, for any array length and wherever an array is cut: lanes hold different
// results, never parts of one sum; each sum runs in the order written here; products are rounded before they are added
// (no fused multiply-add). So desktop and web agree, and a row does not change when other rows or columns are added.
#pragma once

#include <span>
#include <string_view>

#include "core/kernels/kernel_table.h"

namespace attn::simd {

enum class InstructionSet {
    plain,     // no SIMD: the twin that is read and tested against
    baseline,  // what every processor of the platform has: SSE2, NEON, WebAssembly's simd128
    avx2,
    avx512,
};

// Those of the set in use: at first the widest this processor has.
const Kernels& kernels();

// The sets of this build that this processor has, from plain upwards.
std::span<const InstructionSet> available();

InstructionSet in_use();

// For tests and measurements: goes on with another available set. Panels that were packed before are void.
void use(InstructionSet set);

// "plain", "baseline", "AVX2", "AVX-512".
std::string_view name_of(InstructionSet set);

// Panels in which `columns` columns fit, and their floats.
inline std::size_t num_panels(std::size_t columns) {
    return (columns + kernels().panel_width - 1) / kernels().panel_width;
}
inline std::size_t panel_floats(std::size_t inner, std::size_t columns) {
    return num_panels(columns) * kernels().panel_width * inner;
}

}  // namespace attn::simd
