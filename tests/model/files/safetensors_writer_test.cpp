// What is written is read back, and halves are the nearest ones.
#include "model/files/safetensors_writer.h"

#include <catch_amalgamated.hpp>
#include <cmath>
#include <vector>

#include "model/files/memory_file.h"
#include "model/files/number_type.h"
#include "model/files/safetensors.h"
#include "model/files/sha256.h"

TEST_CASE("every half narrows to itself", "[safetensors]") {
    for (std::uint32_t bits = 0; bits < 0x10000U; ++bits) {
        const auto half = static_cast<std::uint16_t>(bits);
        const float number = attn::widen_half(half);
        if (std::isnan(number)) {
            CHECK(std::isnan(attn::widen_half(attn::narrow_to_half(number))));
        } else if (attn::narrow_to_half(number) != half) {
            FAIL("half " << bits << " became " << attn::narrow_to_half(number));
        }
    }
}

TEST_CASE("a number between two halves becomes the nearer one, in the middle the even one", "[safetensors]") {
    // The neighbours of a half, and their middle, which has two more bits: all exact in float.
    for (std::uint32_t bits = 0; bits < 0x7bffU; ++bits) {
        const float low = attn::widen_half(static_cast<std::uint16_t>(bits));
        const float high = attn::widen_half(static_cast<std::uint16_t>(bits + 1));
        const float middle = low + (high - low) / 2;
        const std::uint32_t even = bits % 2 == 0 ? bits : bits + 1;
        const bool is_right = attn::narrow_to_half(middle) == even &&
                              attn::narrow_to_half(std::nextafter(middle, 0.0F)) == bits &&
                              attn::narrow_to_half(std::nextafter(middle, 1e9F)) == bits + 1 &&
                              attn::narrow_to_half(-middle) == (even | 0x8000U);
        if (!is_right) FAIL("between the halves " << bits << " and " << bits + 1);
    }
    CHECK(attn::narrow_to_half(65519.0F) == 0x7bffU);
    CHECK(attn::narrow_to_half(65520.0F) == 0x7c00U);
    CHECK(attn::narrow_to_half(-1e30F) == 0xfc00U);
}

TEST_CASE("a written file has its tensors and metadata", "[safetensors]") {
    const std::vector<float> first = {1, -2.5F, 0.1F, 3, 4, 5}, second = {7};
    const std::vector<attn::WrittenTensor> tensors = {{.name = "a.weight", .shape = {2, 3}, .numbers = first},
                                                      {.name = "b\"", .shape = {1}, .numbers = second}};
    const std::vector<std::pair<std::string, std::string>> metadata = {{"steps", "12"}};
    for (const std::string type : {"F32", "F16"}) {
        attn::MemoryFile file("a.safetensors", attn::write_safetensors(tensors, type, metadata));
        const attn::Result<attn::SafetensorsHeader> header = attn::read_safetensors_header(file);
        INFO(header.error());
        REQUIRE(header);
        CHECK(header->metadata == metadata);
        REQUIRE(header->tensors.size() == 2);
        CHECK(header->tensors[1].name == "b\"");
        CHECK(header->tensors[0].shape == std::vector<std::int64_t>{2, 3});
        CHECK(header->tensors[0].begin % 8 == 0);
        std::vector<std::uint8_t> bytes(static_cast<std::size_t>(header->tensors[0].end - header->tensors[0].begin));
        file.read(header->tensors[0].begin, bytes);
        std::vector<float> numbers(6);
        attn::widen(*header->tensors[0].type, bytes, numbers);
        CHECK(numbers[1] == -2.5F);
        CHECK(numbers[2] == (type == "F32" ? 0.1F : attn::widen_half(attn::narrow_to_half(0.1F))));
    }
}

// FIPS 180-4's examples, and the lengths around a block's end.
TEST_CASE("SHA-256 gives the standard's digests", "[sha256][golden]") {
    CHECK(attn::sha256_of("") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    CHECK(attn::sha256_of("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    CHECK(attn::sha256_of("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq") ==
          "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
    CHECK(attn::sha256_of(std::string(1'000'000, 'a')) ==
          "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}
