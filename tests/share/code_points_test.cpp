// Characters that files had better not hold as they are.
#include "share/code_points.h"

#include <catch_amalgamated.hpp>

namespace attn {
namespace {

TEST_CASE("code points are taken off the front of UTF-8", "[code_points]") {
    std::string_view text = "aé注𝔸";
    CHECK(take_code_point(text).number == 'a');
    CHECK(take_code_point(text).number == 0xe9);
    const CodePoint third = take_code_point(text);
    CHECK(third.number == 0x6ce8);
    CHECK(third.bytes == "注");
    CHECK(take_code_point(text).number == 0x1d538);
    CHECK(text.empty());
}

TEST_CASE("what cannot be seen or turns the writing is told from letters", "[code_points]") {
    for (const std::uint32_t seen : {0x20U, 0x41U, 0xe9U, 0x627U, 0xe01U, 0x6ce8U, 0xff01U, 0x1f469U}) {
        CAPTURE(seen);
        CHECK(is_seen(seen));
        CHECK_FALSE(turns_writing(seen));
    }
    for (const std::uint32_t unseen :
         {0x0U, 0x7fU, 0xa0U, 0xadU, 0x301U, 0x200bU, 0x200dU, 0xfe0fU, 0xfeffU, 0xe0001U}) {
        CAPTURE(unseen);
        CHECK_FALSE(is_seen(unseen));
    }
    for (const std::uint32_t turning : {0x61cU, 0x200eU, 0x202aU, 0x202eU, 0x2066U, 0x2069U}) {
        CAPTURE(turning);
        CHECK(turns_writing(turning));
        CHECK_FALSE(is_seen(turning));
    }
    CHECK(hexadecimal(0x202e, 4) == "202e");
    CHECK(hexadecimal(0x41, 4) == "0041");
}

}  // namespace
}  // namespace attn
