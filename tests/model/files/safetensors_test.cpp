// safetensors: what a file says, and every rule of the format broken once, each with its sentence.
#include "model/files/safetensors.h"

#include <catch_amalgamated.hpp>
#include <string>

#include "core/ground/check.h"
#include "model/files/memory_source.h"
#include "model/files/tensor_files.h"

using attn::concat;
using attn::SafetensorsHeader;
using attn::TensorFiles;
using attn::test::safetensors;
using attn::test::sources;

namespace {

std::string refusal_of(const std::string& bytes) {
    attn::test::MemorySource file("a.safetensors", bytes);
    const attn::Result<SafetensorsHeader> header = read_safetensors_header(file);
    return header ? "" : header.error();
}

// A tensor in the header.
std::string entry(std::string_view name, std::string_view type, std::string_view shape, int begin, int end) {
    return concat('"', name, R"(":{"dtype":")", type, R"(","shape":)", shape, R"(,"data_offsets":[)", begin, ",", end,
                  "]}");
}

// The sentence for a file with one tensor whose header is this, and `num_bytes` bytes of numbers.
std::string one_entry(std::string_view text, std::size_t num_bytes) {
    return refusal_of(safetensors(concat("{", text, "}"), std::string(num_bytes, '\0')));
}

std::string shards(std::vector<std::pair<std::string, std::string>> files, std::string_view index = {}) {
    const attn::Result<TensorFiles> opened = TensorFiles::open(sources(std::move(files)), index);
    return opened ? "" : opened.error();
}

const std::string kWhole = safetensors(concat("{", entry("a", "F32", "[2,1]", 0, 8), "}"), "01234567");
const std::string kOther = safetensors(concat("{", entry("b", "F16", "[]", 0, 2), "}"), "01");

}  // namespace

TEST_CASE("a header says where the numbers are, in the order of the file", "[safetensors]") {
    const std::string json =
        concat(R"({"__metadata__":{"format":"<b>pt</b>"},)", entry("b", "F16", "[2,3]", 4, 16), ",",
               entry("none", "F32", "[0,7]", 4, 4), ",", entry("__proto__", "BF16", "[2]", 0, 4), "}   ");
    attn::test::MemorySource file("a", safetensors(json, std::string(16, '\0')));
    const auto header = read_safetensors_header(file);
    REQUIRE(header);
    REQUIRE(header->tensors.size() == 3);
    CHECK(header->tensors[0].name == "__proto__");
    CHECK(header->tensors[1].name == "none");
    CHECK(header->tensors[1].num_numbers() == 0);
    CHECK(header->tensors[2].name == "b");
    CHECK(header->tensors[2].begin == 8 + json.size() + 4);
    CHECK(header->tensors[2].end == file.size());
    CHECK(attn::tensor_shape_text(header->tensors[2].shape) == "(2, 3)");
    CHECK(header->metadata[0].second == "<b>pt</b>");
    CHECK(refusal_of(safetensors("{}")).empty());
    CHECK(one_entry(entry("s", "F32", "[]", 0, 4), 4).empty());
    for (const attn::NumberType& type : attn::number_types())
        CHECK(
            one_entry(entry("t", type.name, "[4]", 0, type.bits / 2), static_cast<std::size_t>(type.bits) / 2).empty());
}

TEST_CASE("every rule of a safetensors file has its sentence", "[safetensors][bad-input]") {
    CHECK(refusal_of("12345") ==
          "The file \"a.safetensors\" has 5 bytes; a safetensors file begins with 8 that say how long its header is.");
    CHECK(refusal_of(std::string(8, '\xff')) ==
          "The file \"a.safetensors\" is no safetensors file: its first 8 bytes announce a header of "
          "18446744073709551615 bytes, and at most 100000000 are allowed.");
    CHECK(refusal_of(std::string("\x01\xe1\xf5\x05\0\0\0\0{}", 10)).find("100000001 bytes") != std::string::npos);
    CHECK(refusal_of(std::string("\x50\0\0\0\0\0\0\0{}", 10)) ==
          "The file \"a.safetensors\" is cut short: its header should have 80 bytes, but only 2 are there.");
    CHECK(refusal_of(std::string(8, '\0')) == "The file \"a.safetensors\" has a header of 0 bytes, too few for any.");
    CHECK(refusal_of(safetensors(" {}")) ==
          "The file \"a.safetensors\" is no safetensors file: its header does not begin with {.");
    CHECK(refusal_of(safetensors("{}\n")) ==
          "The file \"a.safetensors\" has a header that does not end with }, or is padded with other than blanks.");
    CHECK(refusal_of(safetensors("{\"a\":nothing}")) ==
          "The header of \"a.safetensors\" is not valid JSON: it cannot be read from line 1, column 7 on.");
    CHECK(refusal_of(safetensors("{\"\xc3(\":{}}")).starts_with("The header of \"a.safetensors\" is not valid JSON"));
    CHECK(one_entry(concat(entry("a", "U8", "[1]", 0, 1), ",", entry("a", "U8", "[1]", 1, 2)), 2) ==
          "The header of \"a.safetensors\" has the name \"a\" twice in one object.");
    const std::string begin = "The file \"a.safetensors\" cannot be read: its tensor \"a\" ";
    CHECK(one_entry(R"("a":7)", 0) == begin + "is not described by an object.");
    CHECK(one_entry(R"("a":{"shape":[],"data_offsets":[0,1]})", 1) ==
          begin + "has no \"dtype\", the name of a type of numbers.");
    CHECK(one_entry(R"("a":{"dtype":"U8","data_offsets":[0,1]})", 1) ==
          begin + "has no \"shape\", a list of whole numbers.");
    CHECK(one_entry(R"("a":{"dtype":"U8","shape":[],"data_offsets":[0,1,2]})", 1) ==
          begin + "has no \"data_offsets\", a list of two whole numbers.");
    CHECK(one_entry(entry("a", "F128", "[1]", 0, 16), 16) ==
          begin + "has numbers of type \"F128\", which there is not.");
    CHECK(one_entry(entry("a", "U8", "[1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1]", 0, 1), 1) ==
          begin + "has 17 axes; at most 16 are read.");
    CHECK(one_entry(entry("a", "U8", "[-1]", 0, 1), 1) ==
          begin + "has a shape with something in it that is no whole number from 0 to 2^53 - 1.");
    CHECK(one_entry(entry("a", "U8", "[9007199254740991,9007199254740991]", 0, 1), 1) ==
          begin + "has the shape (9007199254740991, 9007199254740991): more numbers than can be counted.");
    CHECK(one_entry(entry("a", "F64", "[4503599627370496,1024]", 0, 1), 1) ==
          begin + "has the shape (4503599627370496, 1024): more bits than can be counted.");
    CHECK(one_entry(entry("a", "F4", "[3]", 0, 2), 2) ==
          begin + "has 3 numbers of 4 bits, which do not fill whole bytes.");
    CHECK(one_entry(R"("a":{"dtype":"U8","shape":[1],"data_offsets":[0,9007199254740992]})", 1) ==
          begin + "has \"data_offsets\" that are no whole numbers from 0 to 2^53 - 1.");
    CHECK(one_entry(entry("a", "U8", "[1]", 1, 0), 1) == begin + "ends before it begins: its bytes are 1 to 0.");
    CHECK(one_entry(entry("a", "F32", "[2]", 0, 4), 4) ==
          begin + "has the shape (2,) of F32, which is 8 bytes, but its place in the file has 4.");
    CHECK(one_entry(concat(entry("a", "U8", "[2]", 0, 2), ",", entry("b", "U8", "[2]", 1, 3)), 3) ==
          "The file \"a.safetensors\" has two tensors in the same bytes: \"a\" and \"b\".");
    CHECK(one_entry(concat(entry("a", "U8", "[2]", 0, 2), ",", entry("b", "U8", "[2]", 3, 5)), 5) ==
          "The file \"a.safetensors\" has 1 bytes before the tensor \"b\" that belong to no tensor.");
    CHECK(one_entry(entry("a", "U8", "[4]", 0, 4), 3) ==
          "The file \"a.safetensors\" is cut short: 1 bytes of its tensors are missing.");
    CHECK(one_entry(entry("a", "U8", "[4]", 0, 4), 6) ==
          "The file \"a.safetensors\" has 2 bytes after its last tensor that belong to no tensor.");
    CHECK(one_entry(R"("__metadata__":[])", 0) ==
          "The file \"a.safetensors\" has \"__metadata__\" that is not an object of texts.");
    CHECK(one_entry(R"("__metadata__":{"a":1})", 0) ==
          "The file \"a.safetensors\" has \"__metadata__\" in which \"a\" is not a text.");
    attn::test::MemorySource broken("a", kWhole);
    broken.is_broken = true;
    CHECK(read_safetensors_header(broken).error() == "The disk is broken.");
}

TEST_CASE("a file that is cut anywhere is refused", "[safetensors][bad-input]") {
    for (std::size_t size = 0; size < kWhole.size(); ++size) CHECK_FALSE(refusal_of(kWhole.substr(0, size)).empty());
    CHECK(refusal_of(kWhole).empty());
}

TEST_CASE("several files are one model when index and headers agree", "[safetensors][bad-input]") {
    const std::string index = R"({"weight_map":{"a":"1.safetensors","b":"2.safetensors"}})";
    const auto opened = TensorFiles::open(sources({{"1.safetensors", kWhole}, {"2.safetensors", kOther}}), index);
    REQUIRE(opened);
    REQUIRE(opened->find("b") != nullptr);
    CHECK(opened->find("b")->file == 1);
    CHECK(opened->find("c") == nullptr);
    std::array<std::uint8_t, 3> part = {};
    CHECK(opened->read(*opened->find("a"), 2, part).empty());
    CHECK(part == std::array<std::uint8_t, 3>{'2', '3', '4'});

    CHECK(shards({{"1.safetensors", kWhole}, {"2.safetensors", kWhole}}) ==
          "The tensor \"a\" is in two files: \"1.safetensors\" and \"2.safetensors\".");
    CHECK(shards({{"1.safetensors", kWhole}}, index) ==
          "The file \"2.safetensors\" is missing: the index of the model's files says that the tensor \"b\" is in it.");
    CHECK(shards({{"1.safetensors", kOther}, {"2.safetensors", kWhole}}, index) ==
          "The tensor \"a\" is in \"2.safetensors\", but the index says it is in \"1.safetensors\": these files do not "
          "belong together.");
    CHECK(shards({{"1.safetensors", kWhole}}, R"({"weight_map":{"c":"1.safetensors"}})") ==
          "The tensor \"c\" is missing: the index says that it is in \"1.safetensors\", and it is in no file.");
    CHECK(shards({{"1.safetensors", kWhole}}, R"({"weight_map":{"a":1}})") ==
          "The index of the model's files names no file for the tensor \"a\".");
    CHECK(shards({{"1.safetensors", kWhole}}, "{}") ==
          "The index of the model's files has no \"weight_map\", which says what is in which file.");
    CHECK(shards({{"1.safetensors", kWhole}}, "[").starts_with("The index of the model's files is not valid JSON"));
}
