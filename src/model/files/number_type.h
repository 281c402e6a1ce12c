// The types of numbers that a safetensors file may have, and the exact floats of those that are computed with.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace attn {

struct NumberType {
    std::string_view name;     // as the file has it: "BF16"
    int bits;                  // of one number
    bool is_computed = false;  // F32, F16 and BF16; the others are shown by name and shape, and not computed with
};

// All of them (safetensors 0.6's tensor.rs).
std::span<const NumberType> number_types();

// A row of number_types(), or null.
const NumberType* number_type_of(std::string_view name);

// IEEE 754's half precision, and the upper half of a float: each is a float exactly, infinities and NaN too.
float widen_half(std::uint16_t bits);
float widen_brain(std::uint16_t bits);

// The number of a type that is computed nearest to x, which lies within its normal range; of two the even one.
float nearest_of(const NumberType& type, float x);

// Numbers of a type that is computed, little endian as in the file, as floats: bytes.size() is numbers.size() times the
// type's bytes.
void widen(const NumberType& type, std::span<const std::uint8_t> bytes, std::span<float> numbers);

}  // namespace attn
