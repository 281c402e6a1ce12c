// e^x on the lanes of simd_kernels.cpp, for x <= 0. `Batch` is a vector of floats of one instruction set: each set gets
// functions of its own, which are static so that the linker picks none of them for all the program.
#pragma once

#include <cstdint>

namespace attn::simd {

// e^x = 2^n * e^r with n = round(x / ln 2) and r = x - n ln 2, |r| <= 0.347. Two halves, which may be taken in a loop
// each: in one loop so many steps wait for each other that a processor cannot begin enough of the next numbers
// meanwhile.
template <class Batch>
struct ExpParts {
    Batch r, power;  // power = 2^n; 0 where e^x is to be 0
};

template <class Batch>
static ExpParts<Batch> split_exp(Batch x) {
    const Batch kRounder(12583039.0f);   // 1.5 * 2^23 + 127: adding it leaves round(.) + 127 in a float's low bits
    const Batch kLn2High(0.693359375f);  // ln 2 in two parts; n times the first, which has 10 bits, is exact
    const Batch kLn2Low(-2.12194440e-4f);
    x = select(x < Batch(-87.3f), Batch(-88.0f), x);          // where e^x is to be 0, n is -127
    const Batch rounded = x * Batch(1.44269504f) + kRounder;  // 1 / ln 2
    const Batch n = rounded - kRounder;
    const Batch r = (x - n * kLn2High) - n * kLn2Low;
    // n + 127 sits in the low bits of `rounded`; moved into the exponent field it makes 2^n, and 0 for n = -127.
    return {r, bitwise_cast<float>(bitwise_cast<std::uint32_t>(rounded) << 23)};
}

// e^r = 1 + r + r^2 q(r), where q is the polynomial of degree 4 whose largest relative error is least: 4e-9
// (check_portable_math.py), less than what the Taylor series of one degree more leaves out.
template <class Batch>
static Batch join_exp(const ExpParts<Batch>& parts) {
    const Batch r = parts.r;
    Batch sum(1.38145846e-3f);
    sum = sum * r + Batch(8.36872430e-3f);
    sum = sum * r + Batch(4.16683888e-2f);
    sum = sum * r + Batch(0.166665206f);
    sum = sum * r + Batch(0.499999934f);
    sum = sum * r + Batch(1.0f);
    sum = sum * r + Batch(1.0f);
    return sum * parts.power;
}

template <class Batch>
static Batch exp_of_nonpositive(Batch x) {
    return join_exp(split_exp(x));
}

}  // namespace attn::simd
