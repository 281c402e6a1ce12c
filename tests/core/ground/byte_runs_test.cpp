// Every length up to some runs of eight, every place in a run, every overlap, against the C++ library's loops.
#include "core/ground/byte_runs.h"

#include <algorithm>
#include <array>
#include <catch_amalgamated.hpp>
#include <numeric>

namespace {

using Bytes = std::array<unsigned char, 96>;

Bytes counted() {
    Bytes bytes = {};
    std::iota(bytes.begin(), bytes.end(), static_cast<unsigned char>(100));
    return bytes;
}

}  // namespace

TEST_CASE("short runs of bytes are copied and filled, and nothing beside them", "[bytes]") {
    for (std::size_t count = 0; count <= 40; ++count) {
        for (std::size_t from = 0; from < 12; ++from) {
            for (std::size_t to = 0; to < 50; ++to) {
                const Bytes before = counted();
                Bytes wanted = before, found = before;
                std::copy_n(before.begin() + static_cast<std::ptrdiff_t>(from), count,
                            wanted.begin() + static_cast<std::ptrdiff_t>(to));
                if (to <= from) attn::copy_forwards(found.data() + to, found.data() + from, count);
                if (to > from) attn::copy_backwards(found.data() + to, found.data() + from, count);
                REQUIRE(found == wanted);
            }
            Bytes wanted = counted(), found = wanted;
            std::fill_n(wanted.begin() + static_cast<std::ptrdiff_t>(from), count, static_cast<unsigned char>(200));
            attn::fill_bytes(found.data() + from, 200, count);
            REQUIRE(found == wanted);
        }
    }
}

TEST_CASE("runs of bytes compare by their first difference", "[bytes]") {
    const Bytes a = counted();
    CHECK(attn::compare_bytes(a.data(), a.data() + 1, 0) == 0);
    for (std::size_t count = 1; count <= 40; ++count) {
        for (std::size_t first = 0; first < 9; ++first) {
            CHECK(attn::compare_bytes(a.data() + first, Bytes(a).data() + first, count) == 0);
            for (std::size_t at = 0; at < count; ++at) {
                Bytes b = a;
                ++b[first + at];
                if (at + 1 < count) b[first + count - 1] = 0;  // a later one does not count
                CHECK(attn::compare_bytes(a.data() + first, b.data() + first, count) < 0);
                CHECK(attn::compare_bytes(b.data() + first, a.data() + first, count) > 0);
                CHECK(attn::compare_bytes(a.data() + first, b.data() + first, at) == 0);
            }
        }
    }
}
