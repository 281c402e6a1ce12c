// A Result is a value or a sentence, never both.
#include "core/ground/result.h"

#include <catch_amalgamated.hpp>
#include <memory>
#include <string>
#include <utility>

namespace attn::test {

TEST_CASE("a result with a value has no sentence", "[result]") {
    Result<std::string> result(std::string("shader"));
    REQUIRE(result);
    CHECK(*result == "shader");
    CHECK(result->size() == 6);
    CHECK(result.error().empty());
}

TEST_CASE("a failure says why and has no value", "[result]") {
    const Result<int> result = Result<int>::failure("The browser has no WebGL 2.");
    CHECK(!result);
    CHECK(result.error() == "The browser has no WebGL 2.");
}

TEST_CASE("a result may hold what cannot be copied", "[result]") {
    Result<std::unique_ptr<int>> result(std::make_unique<int>(3));
    REQUIRE(result);
    const std::unique_ptr<int> taken = std::move(*result);
    CHECK(*taken == 3);
}

}  // namespace attn::test
