#include "share/formats/npz.h"

#include <catch_amalgamated.hpp>
#include <nlohmann/json.hpp>

#include "share/formats/zip_file.h"
#include "share/golden_file.h"

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

// `size` zeros behind the header of an array of this shape.
std::string array_of_zeros(std::string_view shape, std::size_t size) {
    std::string bytes = write_npy(std::vector<std::int64_t>{1, 1}, std::vector<float>{0});
    const std::size_t at = bytes.find("(1, 1)");
    bytes.replace(at, shape.size(), shape).resize(128 + size);
    return bytes;
}

TEST_CASE("an array is judged by its header, before the rest is unpacked", "[npz][bad-input]") {
    const auto refusal = [](const std::vector<ZipEntry>& entries) {
        const Result<NpzContents> read = read_npz(write_zip(entries), any_array);
        REQUIRE_FALSE(read);
        return read.error();
    };
    constexpr std::size_t kLarge = 1 << 20;
    CHECK_THAT(refusal({{.name = "x.npy", .bytes = std::string(kLarge, '\0')}}),
               ContainsSubstring("\"x\": The file does not begin as an NPY file does"));
    CHECK_THAT(refusal({{.name = "x.npy", .bytes = array_of_zeros("(9, 9), }", kLarge)}}),
               ContainsSubstring("bytes follow after its numbers"));
    // What is damaged after the header is not even looked at; in a short one it is.
    std::string bytes = write_zip({{.name = "x.npy", .bytes = array_of_zeros("(9, 9), }", kLarge)}});
    bytes[kLarge] = 'x';
    CHECK_THAT(read_npz(bytes, any_array).error(), ContainsSubstring("bytes follow after its numbers"));
    bytes = write_zip({{.name = "x.npy", .bytes = array_of_zeros("(9, 9), }", 1000)}});
    bytes[1000] = 'x';
    CHECK_THAT(read_npz(bytes, any_array).error(), ContainsSubstring("CRC-32"));
    const ZipEntry half = {.name = "a.npy", .bytes = array_of_zeros("(2048, 1025), }", 2048 * 1025 * 4)};
    const ZipEntry other = {.name = "b.npy", .bytes = half.bytes};
    CHECK_THAT(refusal({half, other}), ContainsSubstring("more than 4,194,304 numbers together, up to \"b\""));
    const Result<NpzContents> one = read_npz(write_zip({half}), any_array);
    INFO(one.error());
    REQUIRE(one);
    CHECK(one->arrays[0].array.numbers.size() == 2048 * 1025);
}

}  // namespace
}  // namespace attn
