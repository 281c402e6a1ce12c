// Every half there is, against its definition in double.
#include "model/files/number_type.h"

#include <array>
#include <catch_amalgamated.hpp>
#include <cmath>
#include <cstring>

namespace {

// IEEE 754-2019, table 3.5: sign, `exponent_bits` of a biased exponent, the rest a fraction.
double by_definition(unsigned bits, int exponent_bits, int fraction_bits) {
    const int bias = (1 << (exponent_bits - 1)) - 1;
    const int exponent = static_cast<int>(bits >> fraction_bits) & ((1 << exponent_bits) - 1);
    const double fraction = std::ldexp(bits & ((1U << fraction_bits) - 1), -fraction_bits);
    const double sign = (bits & 0x8000U) != 0 ? -1 : 1;
    if (exponent == (1 << exponent_bits) - 1) return fraction == 0 ? sign * HUGE_VAL : NAN;
    return sign * (exponent == 0 ? std::ldexp(fraction, 1 - bias) : std::ldexp(1 + fraction, exponent - bias));
}

bool is_same(float got, double want) {
    return std::isnan(want) ? std::isnan(got)
                            : static_cast<double>(got) == want && std::signbit(got) == std::signbit(want);
}

}  // namespace

TEST_CASE("a number becomes the nearest of a type, of two the even one", "[files][golden]") {
    const auto nearest = [](const char* type, float x) { return attn::nearest_of(*attn::number_type_of(type), x); };
    // √3072, √640, √2304 as torch.tensor(x, dtype=...) has them.
    CHECK(nearest("BF16", 55.42562F) == 55.5F);
    CHECK(nearest("BF16", 25.298222F) == 25.25F);
    CHECK(nearest("F16", 55.42562F) == 55.4375F);
    CHECK(nearest("F16", 48.0F) == 48.0F);
    CHECK(nearest("F32", 25.298222F) == 25.298222F);
    CHECK(nearest("BF16", 1.00390625F) == 1.0F);       // between 1 and 1 + 2^-7
    CHECK(nearest("BF16", 1.01171875F) == 1.015625F);  // between 1 + 2^-7 and 1 + 2^-6
    CHECK(nearest("BF16", -255.7F) == -256.0F);
}

TEST_CASE("every half and every brain float widens to its own value", "[model][reference]") {
    int num_wrong = 0;
    for (unsigned bits = 0; bits < 65536; ++bits) {
        const auto half = static_cast<std::uint16_t>(bits);
        if (!is_same(attn::widen_half(half), by_definition(bits, 5, 10))) ++num_wrong;
        if (!is_same(attn::widen_brain(half), by_definition(bits, 8, 7))) ++num_wrong;
    }
    CHECK(num_wrong == 0);
}

TEST_CASE("numbers are little endian whatever their type", "[model]") {
    const std::array<std::uint8_t, 4> bytes = {0x00, 0x3c, 0x80, 0x3f};
    std::array<float, 2> two = {};
    attn::widen(*attn::number_type_of("F16"), bytes, two);
    CHECK(two[0] == 1.0F);
    CHECK(two[1] == 1.875F);
    attn::widen(*attn::number_type_of("BF16"), bytes, two);
    CHECK(two[1] == 1.0F);
    std::array<float, 1> one = {};
    attn::widen(*attn::number_type_of("F32"), bytes, one);
    std::uint32_t bits = 0;
    std::memcpy(&bits, one.data(), 4);
    CHECK(bits == 0x3f803c00U);
    CHECK(attn::number_type_of("F128") == nullptr);
}
