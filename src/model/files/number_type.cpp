// Half precision is widened by one multiplication that is always exact, so no machine has another result.
#include "model/files/number_type.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>

#include "core/ground/check.h"

namespace attn {
namespace {

constexpr std::array kTypes = {
    NumberType{"F32", 32, true}, NumberType{"F16", 16, true},  NumberType{"BF16", 16, true}, NumberType{"BOOL", 8},
    NumberType{"U8", 8},         NumberType{"I8", 8},          NumberType{"U16", 16},        NumberType{"I16", 16},
    NumberType{"U32", 32},       NumberType{"I32", 32},        NumberType{"U64", 64},        NumberType{"I64", 64},
    NumberType{"F64", 64},       NumberType{"C64", 64},        NumberType{"F8_E5M2", 8},     NumberType{"F8_E4M3", 8},
    NumberType{"F8_E8M0", 8},    NumberType{"F8_E4M3FNUZ", 8}, NumberType{"F8_E5M2FNUZ", 8}, NumberType{"F6_E2M3", 6},
    NumberType{"F6_E3M2", 6},    NumberType{"F4", 4}};

}  // namespace

std::span<const NumberType> number_types() {
    return kTypes;
}

const NumberType* number_type_of(std::string_view name) {
    const auto found = std::find_if(kTypes.begin(), kTypes.end(), [&](const NumberType& t) { return t.name == name; });
    return found == kTypes.end() ? nullptr : &*found;
}

float widen_half(std::uint16_t bits) {
    const std::uint32_t sign = (bits & 0x8000U) << 16U;
    const std::uint32_t rest = (bits & 0x7fffU) << 13U;
    if ((bits & 0x7c00U) == 0x7c00U) return std::bit_cast<float>(sign | 0x7f800000U | rest);  // infinity and NaN
    // The exponent of a half begins at 2^-14, that of a float at 2^-126: what is too small for the first is too small
    // for the second after the shift, and normal again after the product.
    constexpr float kTwoTo112 = 5192296858534827628530496329220096.0F;
    return std::bit_cast<float>(sign | std::bit_cast<std::uint32_t>(std::bit_cast<float>(rest) * kTwoTo112));
}

float widen_brain(std::uint16_t bits) {
    return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16U);
}

float nearest_of(const NumberType& type, float x) {
    ATTN_CHECK(type.is_computed, type.name, " is not computed with");
    const int digits = type.name == "F32" ? 24 : type.name == "F16" ? 11 : 8;  // significant bits
    int exponent = 0;
    const float share = std::frexp(x, &exponent);  // 1/2 to 1
    return std::ldexp(std::nearbyint(std::ldexp(share, digits)), exponent - digits);
}

void widen(const NumberType& type, std::span<const std::uint8_t> bytes, std::span<float> numbers) {
    ATTN_CHECK(type.is_computed, type.name, " is not computed with");
    const std::size_t size = static_cast<std::size_t>(type.bits) / 8;
    ATTN_CHECK(bytes.size() == numbers.size() * size, bytes.size(), " bytes for ", numbers.size(), " numbers");
    const auto two = [&](std::size_t at) { return static_cast<std::uint16_t>(bytes[at] | bytes[at + 1] << 8U); };
    if (size == 4 && std::endian::native == std::endian::little) {
        if (!numbers.empty()) std::memcpy(numbers.data(), bytes.data(), bytes.size());
    } else if (size == 4) {
        for (std::size_t i = 0; i < numbers.size(); ++i) {
            const std::uint32_t high = two(4 * i + 2);
            numbers[i] = std::bit_cast<float>(high << 16U | two(4 * i));
        }
    } else if (type.name == "F16") {
        for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = widen_half(two(2 * i));
    } else {
        for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = widen_brain(two(2 * i));
    }
}

}  // namespace attn
