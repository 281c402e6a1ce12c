// Arrays of numbers and NumPy's file for one of them, .npy. The format: NumPy Enhancement Proposal 1 and
// numpy.lib.format. Knows bytes and numbers only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"

namespace attn {

// Numbers in memory order, the last axis running fastest. The shape of a single number is empty.
struct NumberArray {
    std::vector<std::int64_t> shape;
    std::vector<double> numbers;

    bool operator==(const NumberArray&) const = default;
};

// "(4, 3)", "(6,)", "()": as NumPy writes it.
std::string shape_text(std::span<const std::int64_t> shape);

// Elements of an array that is read: that of the largest mask, 2048 x 2048.
inline constexpr std::int64_t kMaxArrayNumbers = 1 << 22;

// A file of version 1.0, '<f4', C order. `numbers` has as many elements as the shape says.
std::string write_npy(std::span<const std::int64_t> shape, std::span<const float> numbers);

// Whether `bytes` begin as an .npy file does.
bool looks_like_npy(std::string_view bytes);

// Versions 1.0, 2.0 and 3.0; bool, whole numbers of 8 to 64 bits, float16, float32 and float64 in either byte order; C
// and Fortran order. Whole numbers beyond 2^53 are rounded. Infinity and NaN are read as such. The error is a sentence:
// what the header says and cannot be, how many bytes are missing or too many, more than kMaxArrayNumbers elements.
Result<NumberArray> read_npy(std::string_view bytes);

}  // namespace attn
