// JSON as a tree: what it holds, and what it refuses, each with its sentence.
#include "model/files/json_tree.h"

#include <catch_amalgamated.hpp>
#include <string>

using attn::JsonKind;
using attn::JsonTree;
using attn::JsonValue;

namespace {

std::string refusal(std::string_view text) {
    const auto tree = JsonTree::read(text, "The file");
    return tree ? "" : tree.error();
}

}  // namespace

TEST_CASE("a tree has the values of its text, in their order", "[json]") {
    const auto tree =
        JsonTree::read(R"( {"a": [1, -2, 2.5, [], {}], "b": {"c": "d\u00e9"}, "e": true, "f": null} )", "x");
    REQUIRE(tree);
    const JsonValue root = tree->root();
    CHECK(root.is(JsonKind::object));
    CHECK(root.count() == 4);
    std::string names;
    for (const JsonValue member : root) names += member.name();
    CHECK(names == "abef");
    const JsonValue list = *root.find("a");
    CHECK(list.count() == 5);
    auto at = list.begin();
    CHECK((*at).whole() == 1);
    CHECK((*++at).whole() == std::nullopt);
    CHECK((*at).number() == -2);
    CHECK((*++at).whole() == std::nullopt);
    CHECK((*at).number() == 2.5);
    CHECK((*++at).count() == 0);
    CHECK((*at).name().empty());
    CHECK(root.find("b")->find("c")->text() == "d\u00e9");
    CHECK(root.find("e")->boolean());
    CHECK(root.find("f")->is(JsonKind::null));
    CHECK_FALSE(root.find("g"));
    CHECK_FALSE(root.find("e")->find("g"));
}

TEST_CASE("whole numbers are exact up to 2^53 - 1, and none beyond", "[json]") {
    const auto tree = JsonTree::read("[9007199254740991, 9007199254740992, 18446744073709551615, 1e3, 1.0, 0]", "x");
    REQUIRE(tree);
    auto at = tree->root().begin();
    CHECK((*at).whole() == 9007199254740991U);
    for (int i = 0; i < 4; ++i) CHECK_FALSE((*++at).whole());
    CHECK((*++at).whole() == 0U);
}

TEST_CASE("what is no JSON is refused with its place", "[json][bad-input]") {
    CHECK(refusal("") == "The file is not valid JSON: it cannot be read from line 1, column 1 on.");
    CHECK(refusal("{\n \"a\": nonsense}") == "The file is not valid JSON: it cannot be read from line 2, column 8 on.");
    CHECK(refusal("{\"a\": \"\xff\"}").starts_with("The file is not valid JSON"));
    CHECK(refusal("{} {}").starts_with("The file is not valid JSON"));
    CHECK(refusal("[1e999]").starts_with("The file is not valid JSON"));
    CHECK(refusal(R"({"a": {"b": 1, "c": 2, "b": 3}})") == R"(The file has the name "b" twice in one object.)");
    CHECK(refusal(R"({"a": {"b": 1}, "c": {"b": 1}})").empty());
    CHECK(refusal(std::string(64, '[') + std::string(64, ']')).empty());
    CHECK(refusal(std::string(65, '[') + std::string(65, ']')) ==
          "The file has lists and objects in each other more than 64 deep.");
    CHECK_FALSE(refusal(std::string(1'000'000, '[')).empty());
}

TEST_CASE("JSON of too many values or bytes is refused before it is a tree", "[json][bad-input]") {
    const auto list = [](std::size_t count) {  // with itself so many values
        std::string text = "[0";
        for (std::size_t i = 2; i < count; ++i) text += ",0";
        return text + "]";
    };
    CHECK(refusal(list(JsonTree::kMaxValues)).empty());
    CHECK(refusal(list(JsonTree::kMaxValues + 1)) == "The file has more than 4000000 values, more than can be read.");
    CHECK(refusal(std::string(JsonTree::kMaxBytes + 1, ' ')) == "The file has more than 64 MiB of JSON.");
    CHECK(refusal("{" + std::string(R"("a":1,)") + '"' + std::string(1'000'000, 'b') + R"(":1,)" + '"' +
                  std::string(1'000'000, 'b') + R"(":1})")
              .size() < 200);
}
