// Characters that files had better not hold as they are.
#include "core/words/code_points.h"

#include <catch_amalgamated.hpp>

#include "core/words/tokens.h"

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
    for (const std::uint32_t none : {0xfdd0U, 0xfdefU, 0xfffeU, 0xffffU, 0x1fffeU, 0x10ffffU}) {
        CAPTURE(none);
        CHECK(is_no_character(none));
    }
    for (const std::uint32_t some : {0x0U, 0xfdcfU, 0xfdf0U, 0xfffdU, 0xe000U, 0x1fffdU})
        CHECK_FALSE(is_no_character(some));
    CHECK(hexadecimal(0x202e, 4) == "202e");
    CHECK(hexadecimal(0x41, 4) == "0041");
}

TEST_CASE("whatever bytes come in, one line of valid UTF-8 comes out", "[code_points][bad-input]") {
    CHECK(one_line("brush, café 注") == "brush, café 注");
    CHECK(one_line("a\nb\r\nc\td\ve\ff") == "a b  c d e f");
    CHECK(one_line("a\u0085b\u2028c\u2029d") == "a b c d");
    CHECK(one_line("a\uFFFEb\uFFFFc\uFDD0d\U0001FFFEe") == "abcde");
    CHECK(one_line("\xFF\x1B") == "\uFFFD\uFFFD");
    CHECK(one_line("").empty());
}

TEST_CASE("a mark that turns the direction of writing is named", "[code_points][bad-input]") {
    CHECK(one_line("a\u202Eb\u200F") == "a<U+202e>b<U+200f>");
    CHECK(one_line("a\u2066b\u2069") == "a<U+2066>b<U+2069>");
    CHECK(one_line("\u2068b\u2069") == "\u2068b\u2069");
    CHECK(one_line("\u2069\u2068a\u2068b\u2069") == "<U+2069>\u2068a\u2068b\u2069\u2069");
    CHECK(one_line("\u2068a\u2068") == "\u2068a\u2068\u2069\u2069");
    CHECK(one_line(quoted("\u2067a")) == "\"<U+2067>a\"");
}

TEST_CASE("a stranger's text is quoted short and valid", "[code_points][bad-input]") {
    CHECK(quoted("abc") == "\"abc\"");
    CHECK(attn::quoted(std::string(80, 'a')) == '"' + std::string(80, 'a') + '"');
    CHECK(attn::quoted(std::string(81, 'a')) == '"' + std::string(80, 'a') + "…\"");
    CHECK(quoted("\xFF") == "\"\xEF\xBF\xBD\"");
    CHECK(quoted("two\nlines\r\nand\u2028more") == "\"two lines  and more\"");
    CHECK(attn::quoted(std::string(20'000'000, 'a')).size() < 100);
    // A three-byte character across the cut is left out whole, wherever it begins.
    for (const std::size_t num_before : {77U, 78U, 79U, 80U}) {
        const std::string text = std::string(num_before, 'a') +
                                 "\xE6\xB3\xA8"
                                 "bcdef";
        CAPTURE(num_before);
        const std::string shown = attn::quoted(text);
        CHECK(shown.find("\xEF\xBF\xBD") == std::string::npos);
        CHECK(clean_utf8(shown).num_replaced == 0);
    }
}

}  // namespace
}  // namespace attn
