// Numbers that a quantiser packed into blocks, as GGUF files have them, and the floats that they stand for: a block has
// so many numbers of a row in a few bits each, with the factors that turn them into floats. The formulas are those of
// ggml's blocks (github.com/ggml-org/ggml, ggml-common.h), d and m being halves:
//   Q8_0   32 numbers   34 bytes   d q              q signed, of 8 bits
//   Q4_0   32           18         d (q - 8)        q of 4 bits
//   Q5_0   32           22         d (q - 16)       q of 5 bits
//   Q4_K   256          144        d a q - m b      q of 4 bits; a and b of 6 bits for each 32 numbers
//   Q6_K   256          210        d a (q - 32)     q of 6 bits; a signed, of 8 bits for each 16 numbers
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace attn {

struct PackedType {
    std::string_view name;       // "Q4_K"
    std::size_t numbers, bytes;  // of a block
    // One block's floats from its bytes, in the order of the row. Each is the float nearest to the formula's value: d
    // has 11 bits, and what it is multiplied with has at most 13 together, so that only a difference of two products
    // rounds.
    void (*unpack)(const std::uint8_t* block, float* numbers);

    // Bytes of so many numbers, which fill whole blocks.
    std::uint64_t bytes_of(std::uint64_t count) const { return count / numbers * bytes; }
};

// Q8_0, Q4_0, Q5_0, Q4_K and Q6_K.
std::span<const PackedType> packed_types();

// A row of packed_types(), or null.
const PackedType* packed_type_of(std::string_view name);

// Whole blocks as floats, one after the other: bytes.size() is that of numbers.size() numbers, which are a multiple of
// a block's. Bytes that are no number of a factor, such as 7E00, make NaN of its numbers.
void unpack(const PackedType& type, std::span<const std::uint8_t> bytes, std::span<float> numbers);

}  // namespace attn
