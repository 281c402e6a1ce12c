// One function for each layout. A half is 2 bytes, little endian; q[i] below are the block's packed numbers.
#include "model/files/packed_type.h"

#include <algorithm>
#include <array>

#include "core/ground/check.h"
#include "model/files/number_type.h"

namespace attn {
namespace {

float half_at(const std::uint8_t* at) {
    return widen_half(static_cast<std::uint16_t>(at[0] | at[1] << 8U));
}

float as_float(unsigned bits) {
    return static_cast<float>(bits);
}

float signed_byte(std::uint8_t bits) {
    return static_cast<float>(static_cast<std::int8_t>(bits));
}

// d, 32 signed bytes: d q.
void unpack_q8_0(const std::uint8_t* block, float* numbers) {
    const float d = half_at(block);
    for (std::size_t i = 0; i < 32; ++i) numbers[i] = d * signed_byte(block[2 + i]);
}

// d, 16 bytes: d (q - 8). The lower four bits are the first 16 numbers, the upper ones the others.
void unpack_q4_0(const std::uint8_t* block, float* numbers) {
    const float d = half_at(block);
    for (std::size_t i = 0; i < 16; ++i) {
        const unsigned byte = block[2 + i];
        numbers[i] = d * (as_float(byte & 15U) - 8);
        numbers[i + 16] = d * (as_float(byte >> 4U) - 8);
    }
}

// The same with a fifth bit, of all 32 numbers together in 4 bytes behind d: d (q - 16).
void unpack_q5_0(const std::uint8_t* block, float* numbers) {
    const float d = half_at(block);
    const auto fifth = [&](std::size_t i) { return (block[2 + i / 8] >> i % 8 & 1U) << 4U; };
    for (std::size_t i = 0; i < 16; ++i) {
        const unsigned byte = block[6 + i];
        numbers[i] = d * (as_float((byte & 15U) | fifth(i)) - 16);
        numbers[i + 16] = d * (as_float(byte >> 4U | fifth(i + 16)) - 16);
    }
}

// d, m, 12 bytes with the factors and lows of eight parts, 128 bytes: d factor q - m low. Each 32 bytes are two parts,
// the lower four bits the first one.
void unpack_q4_k(const std::uint8_t* block, float* numbers) {
    const float d = half_at(block), m = half_at(block + 2);
    const std::uint8_t* six = block + 4;  // bits of each factor and low: those of the last four parts in two pieces
    for (std::size_t part = 0; part < 8; ++part) {
        unsigned factor = six[part] & 63U, low = six[part + 4] & 63U;
        if (part >= 4) {
            factor = (six[part + 4] & 15U) | six[part - 4] >> 6U << 4U;
            low = six[part + 4] >> 4U | six[part] >> 6U << 4U;
        }
        const float step = d * as_float(factor), begin = m * as_float(low);
        const std::uint8_t* packed = block + 16 + part / 2 * 32;
        for (std::size_t i = 0; i < 32; ++i)
            numbers[part * 32 + i] = step * as_float(packed[i] >> part % 2 * 4 & 15U) - begin;
    }
}

// 128 bytes with the lower four bits, 64 with the upper two, 16 signed factors, d: d factor (q - 32). Of each half of
// 128 numbers the lower bits are in 64 bytes, as in Q4_K, and byte i of 32 has the upper bits of numbers i, i + 32,
// i + 64 and i + 96.
void unpack_q6_k(const std::uint8_t* block, float* numbers) {
    const float d = half_at(block + 208);
    for (std::size_t i = 0; i < 256; ++i) {
        const std::size_t half = i / 128, part = i % 128 / 32, in_part = i % 32;
        const unsigned lower = block[half * 64 + part % 2 * 32 + in_part] >> part / 2 * 4 & 15U;
        const unsigned upper = block[128 + half * 32 + in_part] >> part * 2 & 3U;
        numbers[i] = d * signed_byte(block[192 + i / 16]) * (as_float(lower | upper << 4U) - 32);
    }
}

constexpr std::array kPackedTypes = {PackedType{"Q8_0", 32, 34, unpack_q8_0}, PackedType{"Q4_0", 32, 18, unpack_q4_0},
                                     PackedType{"Q5_0", 32, 22, unpack_q5_0}, PackedType{"Q4_K", 256, 144, unpack_q4_k},
                                     PackedType{"Q6_K", 256, 210, unpack_q6_k}};

}  // namespace

std::span<const PackedType> packed_types() {
    return kPackedTypes;
}

const PackedType* packed_type_of(std::string_view name) {
    const auto found = std::ranges::find(kPackedTypes, name, &PackedType::name);
    return found == kPackedTypes.end() ? nullptr : &*found;
}

void unpack(const PackedType& type, std::span<const std::uint8_t> bytes, std::span<float> numbers) {
    const std::size_t num_blocks = numbers.size() / type.numbers;
    ATTN_CHECK(numbers.size() % type.numbers == 0 && bytes.size() == num_blocks * type.bytes, bytes.size(),
               " bytes for ", numbers.size(), " numbers of ", type.name);
    for (std::size_t i = 0; i < num_blocks; ++i)
        type.unpack(bytes.data() + i * type.bytes, numbers.data() + i * type.numbers);
}

}  // namespace attn
