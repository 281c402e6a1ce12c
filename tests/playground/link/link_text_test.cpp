// Addresses, query strings and percent-encoding.
#include "playground/link/link_text.h"

#include <catch_amalgamated.hpp>

#include "playground/random_states.h"

using namespace attn;
using namespace attn::test;

TEST_CASE("the query string of an address is what follows its mark", "[link]") {
    struct Case {
        std::string_view link, query;
    };
    const Case c = GENERATE(values<Case>({
        {"", ""},
        {"text=a&heads=2", "text=a&heads=2"},
        {"#text=a", "text=a"},
        {"?text=a", "text=a"},
        {"https://host.example/page/#text=a", "text=a"},
        {"https://host.example/page?text=a", "text=a"},
        {"https://host.example/page?lesson=3#text=a", "text=a"},
        {"http://localhost:8080/#text=a?b", "text=a?b"},
        {"localhost:8080/#text=a", "text=a"},
        {"index.html#text=a", "text=a"},
        {"https://host.example/page", ""},
        {"file:///home/page.html", ""},
        // No address before the mark: it belongs to the text.
        {"text=a#b", "text=a#b"},
        {"text=why?&heads=2", "text=why?&heads=2"},
        {"heads=2&text=http://host.example/#top", "heads=2&text=http://host.example/#top"},
        {"?text=a#b", "text=a#b"},
    }));
    CAPTURE(c.link);
    CHECK(query_of(c.link) == c.query);
}

TEST_CASE("percent-encoding is read as in HTML forms", "[link]") {
    CHECK(decode_form("a+b%20c%2B") == "a b c+");
    CHECK(decode_form("%e6%B3%a8") == "\xE6\xB3\xA8");
    CHECK(decode_form("100%") == "100%");
    CHECK(decode_form("%4") == "%4");
    CHECK(decode_form("%zz%4g%%41") == "%zz%4g%A");
    CHECK(decode_form("%00") == std::string(1, '\0'));
}

TEST_CASE("links stay readable where a browser lets them", "[link]") {
    CHECK(encode_form("w_query[0,1]=-0.5;1e-3") == "w_query[0,1]=-0.5;1e-3");
    CHECK(encode_form("The artist: why?") == "The+artist:+why?");
    CHECK(encode_form("a&b%c+d#e'f") == "a%26b%25c%2Bd%23e%27f");
    CHECK(encode_form("<\"`>") == "%3C%22%60%3E");
    CHECK(encode_form("é\n") == "%C3%A9%0A");
}

TEST_CASE("more of a link can be encoded, and it reads the same", "[link]") {
    CHECK(with_encoded("text=a:b\\c%3A&x=1", ":\\") == "text=a%3Ab%5Cc%3A&x=1");
    CHECK(with_encoded("text=a:b", "") == "text=a:b");
    CHECK(decode_form(with_encoded("a{b}", "{}")) == "a{b}");
}

TEST_CASE("encoded text is printable ASCII without what splits a link, and reads back", "[link][property]") {
    Dice dice(5);
    for (int n = 0; n < 500; ++n) {
        const std::string text = dice.bytes(dice.below(40));
        const std::string encoded = encode_form(text);
        CHECK(decode_form(encoded) == text);
        for (const char character : encoded) {
            CHECK((character > ' ' && character <= '~'));
            CHECK(std::string_view("\"<>`'&#").find(character) == std::string_view::npos);
        }
    }
}

TEST_CASE("text is taken up to a separator", "[link]") {
    std::string_view rest = "a,,b";
    CHECK(take_until(rest, ',') == "a");
    CHECK(take_until(rest, ',') == "");
    CHECK(take_until(rest, ',') == "b");
    CHECK(rest.empty());
    CHECK(take_until(rest, ',') == "");
}
