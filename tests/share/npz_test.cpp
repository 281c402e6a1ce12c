#include "share/npz.h"

#include <catch_amalgamated.hpp>
#include <nlohmann/json.hpp>

#include "share/golden_file.h"
#include "share/zip_file.h"

namespace attn {
namespace {

using Catch::Matchers::ContainsSubstring;
using nlohmann::json;

bool any_array(std::string_view) {
    return true;
}

TEST_CASE("every archive that NumPy wrote is read as NumPy reads it", "[npz][golden]") {
    const json expected = json::parse(test::golden_file("numpy/expected.json"));
    const std::string name = GENERATE("stored.npz", "deflated.npz", "unnamed.npz");
    const json& members = expected[name];
    const Result<NpzContents> read =
        read_npz(test::golden_file("numpy/" + name), [&](std::string_view member) { return members.contains(member); });
    INFO(name << " " << read.error());
    REQUIRE(read);
    REQUIRE(read->arrays.size() == members.size());
    for (const NamedArray& named : read->arrays) {
        CHECK(json(named.array.shape) == members[named.name]["shape"]);
        CHECK(json(named.array.numbers) == members[named.name]["numbers"]);
    }
    CHECK(read->others == (name == "deflated.npz" ? std::vector<std::string>{"note"} : std::vector<std::string>{}));
}

TEST_CASE("arrays survive an archive", "[npz]") {
    const std::vector<NpzArray> arrays = {{.name = "weights", .shape = {1, 2, 2}, .numbers = {1, 0, 0.25F, 0.75F}},
                                          {.name = "2/b_out", .shape = {2}, .numbers = {-1, 3}}};
    const Result<NpzContents> read = read_npz(write_npz(arrays), any_array);
    REQUIRE(read);
    REQUIRE(read->arrays.size() == 2);
    for (std::size_t a = 0; a < 2; ++a) {
        CHECK(read->arrays[a].name == arrays[a].name);
        CHECK(read->arrays[a].array.shape == arrays[a].shape);
        CHECK(read->arrays[a].array.numbers == std::vector<double>(arrays[a].numbers.begin(), arrays[a].numbers.end()));
    }
}

TEST_CASE("what is no array is listed, and a broken array is named", "[npz][bad-input]") {
    const Result<NpzContents> listed = read_npz(write_zip({{.name = "read me.txt", .bytes = "hello"}}), any_array);
    REQUIRE(listed);
    CHECK(listed->arrays.empty());
    CHECK(listed->files == std::vector<std::string>{"read me.txt"});
    const Result<NpzContents> read = read_npz(write_zip({{.name = "x.npy", .bytes = "hello"}}), any_array);
    REQUIRE_FALSE(read);
    CHECK_THAT(read.error(), ContainsSubstring("\"x\": "));
}

}  // namespace
}  // namespace attn
