#include "core/ground/fingerprint.h"

#include <algorithm>
#include <catch_amalgamated.hpp>
#include <vector>

using namespace attn;

TEST_CASE("no byte can change without the fingerprint", "[fingerprint]") {
    // Around groups of four, of eight, and of four times eight.
    const int count = GENERATE(1, 3, 4, 5, 31, 32, 33, 40, 64, 151);
    std::vector<std::byte> bytes(static_cast<std::size_t>(count));
    for (std::size_t k = 0; k < bytes.size(); ++k) bytes[k] = static_cast<std::byte>(3 * k);
    const std::vector<std::byte> same = bytes;
    CHECK(fingerprint(same) == fingerprint(bytes));
    for (std::size_t k = 0; k < bytes.size(); ++k) {
        for (int bit = 0; bit < 8; ++bit) {
            std::vector<std::byte> changed = bytes;
            changed[k] ^= static_cast<std::byte>(1 << bit);
            CAPTURE(count, k, bit);
            CHECK(fingerprint(changed) != fingerprint(bytes));
        }
    }
}

TEST_CASE("the same bytes in another order have another fingerprint", "[fingerprint]") {
    const int count = GENERATE(8, 32, 100);
    std::vector<std::byte> bytes(static_cast<std::size_t>(count));
    for (std::size_t k = 0; k < bytes.size(); ++k) bytes[k] = static_cast<std::byte>(k);
    for (const int by : {1, 4}) {  // by 4: what one group held another does
        std::vector<std::byte> moved = bytes;
        std::rotate(moved.begin(), moved.begin() + by, moved.end());
        CAPTURE(count, by);
        CHECK(fingerprint(moved) != fingerprint(bytes));
    }
}

TEST_CASE("nothing has a fingerprint", "[fingerprint]") {
    CHECK(fingerprint({}) != fingerprint(std::vector<std::byte>(1)));
}
