#include "bench/limits.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

#include "core/kernels/simd_kernels.h"

namespace {

// The widest vector of the instruction set this file is compiled for.
#if defined(__AVX512F__)
constexpr std::size_t kVectorBytes = 64;
#elif defined(__AVX__)
constexpr std::size_t kVectorBytes = 32;
#else
constexpr std::size_t kVectorBytes = 16;
#endif
using Vector __attribute__((vector_size(kVectorBytes))) = float;
constexpr std::size_t kLanes = kVectorBytes / sizeof(float);

constexpr std::size_t kInner =
    256;  // as long as a sum of the engine's products usually is; a and b stay in the first cache

// sums(r, v) = sum over c of a(c, r) * b(c, v). One step of c at a time: unrolled, V8 loads ahead and runs out of
// registers.
template <std::size_t kRows, std::size_t kVectors>
double multiply_add(int repetitions) {
    alignas(64) static std::array<float, kInner * kRows> a;
    alignas(64) static std::array<Vector, kInner * kVectors> b;
    alignas(64) static std::array<Vector, kRows * kVectors> out;
    a.fill(0.5f);
    b.fill(Vector{} + 0.25f);
    for (int k = 0; k < repetitions; ++k) {
        Vector sums[kRows][kVectors] = {};
        const float* factors = a.data();
        const Vector* vectors = b.data();
        Vector* results = out.data();
        // Without this the compiler sees that every repetition gives the same, and that nobody asks for it.
        asm volatile("" : "+r"(factors), "+r"(vectors), "+r"(results) : : "memory");
#if defined(__clang__)
#pragma clang loop unroll(disable)
#endif
        for (const Vector* const end = vectors + kInner * kVectors; vectors != end; vectors += kVectors) {
            for (std::size_t r = 0; r < kRows; ++r) {
                for (std::size_t v = 0; v < kVectors; ++v) sums[r][v] += factors[r] * vectors[v];
            }
            factors += kRows;
        }
        for (std::size_t r = 0; r < kRows; ++r) {
            for (std::size_t v = 0; v < kVectors; ++v) results[r * kVectors + v] = sums[r][v];
        }
    }
    return 2.0 * kRows * kVectors * kLanes * kInner * repetitions;
}

}  // namespace

double limits_multiply_add(int shape, int repetitions) {
    if (shape == 0) return multiply_add<4, 2>(repetitions);
    if (shape == 1) return multiply_add<2, 4>(repetitions);
    if (shape == 2) return multiply_add<6, 2>(repetitions);
    if (shape == 3) return multiply_add<8, 2>(repetitions);
    return 0;
}

double limits_exp(int repetitions) {
    static std::vector<float> numbers(4096);
    for (int k = 0; k < repetitions; ++k) {
        for (std::size_t j = 0; j < numbers.size(); ++j) numbers[j] = -0.002f * static_cast<float>(j);
        attn::simd::kernels().exp_nonpositive(numbers.data(), numbers.size());
    }
    return static_cast<double>(numbers.size()) * repetitions;
}

double limits_softmax(int repetitions) {
    constexpr std::size_t kRows = 4;  // the kernel weighs so many together
    constexpr std::size_t kCount = 1024;
    static std::vector<float> scores(kRows * kCount);
    const std::vector<std::size_t> counts(kRows, kCount);
    for (int k = 0; k < repetitions; ++k) {
        for (std::size_t j = 0; j < scores.size(); ++j) scores[j] = -0.01f * static_cast<float>(j % kCount);
        attn::simd::kernels().softmax({scores.data(), kCount, scores.data(), kCount, kCount}, counts.data(), kRows, 8);
    }
    return static_cast<double>(scores.size()) * repetitions;
}

double limits_write(int repetitions) {
    static std::vector<float> numbers(16 << 20);
    for (int k = 0; k < repetitions; ++k) std::fill(numbers.begin(), numbers.end(), static_cast<float>(k + 1));
    return static_cast<double>(numbers.size() * sizeof(float)) * repetitions;
}
