// Blocks that were packed by hand: each formula on numbers that a reader can follow. tests/torch/gguf_files.test.mjs
// compares all of them with NumPy on random blocks.
#include "model/files/packed_type.h"

#include <catch_amalgamated.hpp>
#include <string>
#include <vector>

namespace {

std::vector<float> unpacked(std::string_view type, const std::string& block) {
    const attn::PackedType* packed = attn::packed_type_of(type);
    REQUIRE(packed != nullptr);
    REQUIRE(block.size() == packed->bytes);
    std::vector<float> numbers(packed->numbers);
    unpack(*packed, {reinterpret_cast<const std::uint8_t*>(block.data()), block.size()}, numbers);
    return numbers;
}

const std::string kTwo("\0\x40", 2), kHalf("\0\x38", 2);  // as halves

}  // namespace

TEST_CASE("blocks of 32 numbers become d q", "[model]") {
    std::string bytes(32, '\0');
    bytes[0] = '\x80';
    bytes[31] = '\x7f';
    const std::vector<float> eight = unpacked("Q8_0", kHalf + bytes);
    CHECK(eight[0] == -64);
    CHECK(eight[1] == 0);
    CHECK(eight[31] == 63.5F);

    std::string nibbles(16, '\x88');
    nibbles[0] = '\xf0';  // number 0 and number 16
    nibbles[15] = '\x9a';
    const std::vector<float> four = unpacked("Q4_0", kTwo + nibbles);
    CHECK(four[0] == -16);
    CHECK(four[16] == 14);
    CHECK(four[1] == 0);
    CHECK(four[15] == 4);
    CHECK(four[31] == 2);

    const std::vector<float> five = unpacked("Q5_0", kTwo + std::string("\x01\0\0\x80", 4) + nibbles);
    CHECK(five[0] == 0);    // 0 and the fifth bit: 16
    CHECK(five[16] == -2);  // 15
    CHECK(five[15] == -12);
    CHECK(five[31] == 18);  // 9 and the fifth bit
}

TEST_CASE("blocks of 256 numbers have factors of their parts", "[model]") {
    // Factor 63 and low 1 of part 0; factor 0x2a and low 0x15 of part 7, whose upper bits stand behind those of part 3.
    std::string scales(12, '\0');
    scales[0] = '\x3f';
    scales[4] = '\x01';
    scales[3] = static_cast<char>(0x2 << 6);
    scales[7] = static_cast<char>(0x1 << 6);
    scales[11] = static_cast<char>(0x5 << 4 | 0xa);
    std::string nibbles(128, '\0');
    nibbles[0] = '\x02';
    nibbles[127] = '\x30';
    const std::vector<float> four = unpacked("Q4_K", kTwo + kHalf + scales + nibbles);
    CHECK(four[0] == 2 * 63 * 2 - 0.5F * 1);
    CHECK(four[1] == -0.5F);
    CHECK(four[255] == 2 * 42 * 3 - 0.5F * 21);
    CHECK(four[100] == 0);

    std::string lower(128, '\0'), upper(64, '\0'), factors(16, '\1');
    lower[0] = '\x0f';   // number 0
    upper[0] = '\x03';   // and its upper bits: 63
    lower[95] = '\x50';  // number 128 + 64 + 31: 5 in the upper half of byte 64 + 31
    upper[63] = '\x20';  // and 2 of its upper bits
    factors[13] = '\xfe';
    const std::vector<float> six = unpacked("Q6_K", lower + upper + factors + kTwo);
    CHECK(six[0] == 2 * 31);
    CHECK(six[1] == -64);
    CHECK(six[223] == 2 * -2 * (37 - 32));
    CHECK(six[222] == 2 * -2 * -32);
}
