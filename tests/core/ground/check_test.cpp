// Our own mistakes stop the program, with the values in the message.
#include "core/ground/check.h"

#include <catch_amalgamated.hpp>
#include <string>

#include "core/failed_check.h"

namespace attn::test {

TEST_CASE("a failed check says where it stands and which values it saw", "[check][bad-input]") {
    const std::string message = failed_check([] { ATTN_CHECK(1 + 1 == 3, "the sum is ", 1 + 1, ", want ", 3); });
    CHECK_THAT(message, Catch::Matchers::ContainsSubstring("check_test.cpp:"));
    CHECK_THAT(message, Catch::Matchers::EndsWith(": the sum is 2, want 3"));
}

TEST_CASE("a check that holds says nothing", "[check]") {
    CHECK(failed_check([] { ATTN_CHECK(1 + 1 == 2, "never said"); }).empty());
}

TEST_CASE("the handler before comes back", "[check]") {
    const CheckHandler mine = [](const std::string&) {};
    const CheckHandler before = set_check_handler(mine);
    CHECK(set_check_handler(before) == mine);
}

}  // namespace attn::test
