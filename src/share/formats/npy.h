// Arrays of numbers and NumPy's file for one of them, .npy. The format: NumPy Enhancement Proposal 1 and
// numpy.lib.format. Knows bytes and numbers only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/ground/result.h"

namespace attn {

// Numbers in memory order, the last axis running fastest. The shape of a single number is empty.
struct NumberArray {
    std::vector<std::int64_t> shape;
    std::vector<double> numbers;
    bool is_boolean = false;  // true and false, as 1 and 0

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

// What the header of a file says: `shape`, and what reading takes from it. A file can be refused by its header before a
// number is read.
struct NpyHeader {
    std::vector<std::int64_t> shape;
    char kind = 'f';  // 'b' true or false, 'i' and 'u' whole numbers, 'f'
    int size = 4;     // bytes of a number
    bool is_big_endian = false;
    bool is_fortran = false;
    std::int64_t num_numbers = 0;
    std::size_t numbers_at = 0;  // where they begin in the file
};

inline constexpr std::size_t kMaxNpyHeaderBytes = (1 << 16) + 12;

// The header of a file of `num_bytes` bytes that begins with `begin`: all of it, or kMaxNpyHeaderBytes. The error is
// that of read_npy, which a file with such a header can be read by for certain.
Result<NpyHeader> read_npy_header(std::string_view begin, std::uint64_t num_bytes);

// Versions 1.0, 2.0 and 3.0; bool, whole numbers of 8 to 64 bits, float16, float32 and float64 in either byte order; C
// and Fortran order. Whole numbers beyond 2^53 are rounded. Infinity and NaN are read as such. The error is a sentence:
// what the header says and cannot be, how many bytes are missing or too many, more than kMaxArrayNumbers elements.
Result<NumberArray> read_npy(std::string_view bytes);

}  // namespace attn
