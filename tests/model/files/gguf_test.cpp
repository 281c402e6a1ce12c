// What a GGUF file says, and what is refused of one: counts and lengths that lie, types that there are not, tensors
// that lie elsewhere. tests/fuzz/gguf_fuzz.cpp has any bytes.
#include "model/files/gguf.h"

#include <catch_amalgamated.hpp>

#include "model/files/gguf_bytes.h"
#include "model/files/memory_source.h"
#include "model/files/tensor_files.h"

using attn::Gguf;
using attn::GgufType;
using attn::Result;
using attn::test::gguf_text;
using attn::test::GgufMaker;
using attn::test::little_endian;

namespace {

Result<Gguf> read_made(const std::string& bytes) {
    attn::test::MemorySource file("m.gguf", bytes);
    return read_gguf(file);
}
std::string gguf_refusal(const std::string& bytes) {
    const Result<Gguf> read = read_made(bytes);
    return read ? "" : read.error();
}
std::string head_of(std::uint64_t version, std::uint64_t num_tensors, std::uint64_t num_settings) {
    return "GGUF" + little_endian(version, 4) + little_endian(num_tensors, 8) + little_endian(num_settings, 8);
}
std::string refusal_with(void (*change)(GgufMaker&)) {
    GgufMaker maker;
    change(maker);
    return gguf_refusal(maker.file());
}

}  // namespace

TEST_CASE("a GGUF file's settings of all types and its tensors are read", "[model]") {
    GgufMaker maker;
    maker.setting("u8", 0, "\xff");
    maker.setting("i8", 1, "\xff");
    maker.setting("u16", 2, "\xfe\xff");
    maker.setting("i16", 3, "\xfe\xff");
    maker.whole("u32", 0xfffffffe);
    maker.setting("i32", 5, little_endian(0xfffffffe, 4));
    maker.number("f32", 0.1F);
    maker.flag("flag", true);
    maker.text("text", "a\0b\xff");
    maker.setting("u64", 10, little_endian(std::uint64_t{1} << 52U, 8));
    maker.setting("i64", 11, little_endian(~std::uint64_t{0}, 8));
    maker.setting("f64", 12, little_endian(0x3fb999999999999a, 8));
    maker.texts("texts", {"", "two"});
    maker.wholes("numbers", {3, -4});
    maker.list(
        "lists", 9, 2,
        little_endian(0, 4) + little_endian(2, 8) + "ab" + little_endian(8, 4) + little_endian(1, 8) + gguf_text("in"));
    maker.floats("one", {2, 3}, {1, 2, 3, 4, 5, 6});
    maker.tensor("halves", {4}, 1, std::string("\0\x3c\0\xc0\0\0\0\x7c", 8));
    maker.tensor("packed", {2, 32}, 8, std::string(68, '\0'));
    for (const std::uint64_t version : {2, 3}) {
        const Result<Gguf> read = read_made(maker.file(version));
        INFO(read.error());
        REQUIRE(read);
        CHECK(read->find("u8")->number == 255);
        CHECK(read->find("i8")->number == -1);
        CHECK(read->find("u16")->number == 65534);
        CHECK(read->find("i16")->number == -2);
        CHECK(read->find("u32")->whole() == 0xfffffffe);
        CHECK(read->find("i32")->number == -2);
        CHECK_FALSE(read->find("i32")->whole());
        CHECK(read->find("f32")->number == static_cast<double>(0.1F));
        CHECK_FALSE(read->find("f32")->whole());
        CHECK(read->find("flag")->number == 1);
        CHECK(read->text("text") == "a");  // as the literal ends there
        CHECK(read->find("u64")->whole() == std::uint64_t{1} << 52U);
        CHECK(read->find("i64")->number == -1);
        CHECK(read->find("f64")->number == 0.1);
        CHECK(read->find("texts")->texts == std::vector<std::string>{"", "two"});
        CHECK(read->find("numbers")->numbers == std::vector<double>{3, -4});
        REQUIRE(read->find("lists")->lists.size() == 2);
        CHECK(read->find("lists")->lists[0].numbers == std::vector<double>{'a', 'b'});
        CHECK(read->find("lists")->lists[1].texts == std::vector<std::string>{"in"});
        CHECK(read->find("another") == nullptr);
        REQUIRE(read->tensors.size() == 3);
        CHECK(read->tensors[0].shape == std::vector<std::int64_t>{2, 3});
        CHECK(read->tensors[0].end - read->tensors[0].begin == 24);
        CHECK(read->tensors[1].type->name == "F16");
        CHECK(read->tensors[2].type->name == "F32");
        CHECK(read->tensors[2].end - read->tensors[2].begin == 68);
    }
}

TEST_CASE("counts and lengths of a GGUF file that lie are refused", "[model][bad-input]") {
    const std::string cut =
        "The file \"m.gguf\" is cut short, or a length in it lies: what it lists reaches beyond its end.";
    CHECK(gguf_refusal("GGUF") == cut);
    CHECK(gguf_refusal("GGU") == cut);
    CHECK(gguf_refusal("GGUX" + std::string(40, '\0')) == "The file \"m.gguf\" is no GGUF file.");
    CHECK(gguf_refusal(head_of(1, 0, 0)) ==
          "The file \"m.gguf\" is of version 1 of GGUF, of 2023: convert the model anew.");
    CHECK(gguf_refusal(head_of(4, 0, 0)) ==
          "The file \"m.gguf\" is of version 4 of GGUF; this program reads versions 2 and 3.");
    CHECK(gguf_refusal(head_of(0x03000000, 0, 0)) ==
          "The file \"m.gguf\" has its numbers in the byte order of other machines (big-endian).");
    CHECK(gguf_refusal(head_of(3, 1, 0)) == "The file \"m.gguf\" says that it has 1 tensors, more than fit into it.");
    CHECK(gguf_refusal(head_of(3, 0, std::uint64_t{1} << 63U)) ==
          "The file \"m.gguf\" says that it has 9223372036854775808 settings, more than are read.");
    const std::uint64_t huge = ~std::uint64_t{0} - 7;
    CHECK(gguf_refusal(head_of(3, 0, 1) + little_endian(huge, 8) + std::string(40, 'a')) == cut);
    CHECK(gguf_refusal(head_of(3, 0, 1) + gguf_text("k") + little_endian(8, 4) + little_endian(huge, 8)) == cut);
    CHECK(gguf_refusal(head_of(3, 0, 1) + gguf_text("k") + little_endian(13, 4) + std::string(8, 'a')) ==
          "The file \"m.gguf\" has the setting \"k\" with a value of type 13, which there is not.");
    CHECK(refusal_with([](GgufMaker& maker) { maker.list("k", 4, ~std::uint64_t{0}, "1234"); }) == cut);
    CHECK(refusal_with([](GgufMaker& maker) { maker.list("k", 14, 1, "1234"); }) ==
          "The file \"m.gguf\" has the setting \"k\" with a value of type 14, which there is not.");
    CHECK(refusal_with([](GgufMaker& maker) { maker.list("k", 0, 4'000'001, std::string(4'000'001, '\1')); }) ==
          "The file \"m.gguf\" has lists of more than 4000000 elements, which are not read.");
    CHECK(refusal_with([](GgufMaker& maker) {
              std::string inner = little_endian(0, 4) + little_endian(0, 8);
              for (int i = 0; i < 6; ++i) inner = (little_endian(9, 4) + little_endian(1, 8)).append(inner);
              maker.setting("k", 9, inner);
          }) ==
          "The file \"m.gguf\" has the setting \"k\" with more than 4 lists within each other, which are not read.");
    CHECK(refusal_with([](GgufMaker& maker) {
              maker.whole("k", 1);
              maker.whole("k", 1);
          }) == "The file \"m.gguf\" has two settings with the key \"k\".");
    CHECK(refusal_with([](GgufMaker& maker) { maker.whole("general.alignment", 12); }) ==
          "The file \"m.gguf\" has a \"general.alignment\" that is no multiple of 8.");
    CHECK(refusal_with([](GgufMaker& maker) {
              maker.whole("split.count", 3);
              maker.whole("split.no", 1);
          }) ==
          "The file \"m.gguf\" is part 2 of 3: join the parts with llama-gguf-split --merge, and open the file that "
          "it writes.");
}

TEST_CASE("tensors of a GGUF file that lie elsewhere or are of types that are not read are refused",
          "[model][bad-input]") {
    CHECK(refusal_with([](GgufMaker& maker) { maker.tensor("w", {1, 256}, 13, std::string(176, '\0')); }) ==
          "The file \"m.gguf\" has the tensor \"w\" of the type Q5_K; this program reads F32, F16, BF16, Q8_0, Q4_0, "
          "Q5_0, "
          "Q4_K and Q6_K: take a file with these, such as one whose name has Q8_0 or Q4_K_M.");
    CHECK(refusal_with([](GgufMaker& maker) {
              maker.tensor("w", {1, 256}, 17, std::string(74, '\0'));
          }).starts_with("The file \"m.gguf\" has the tensor \"w\" of the type IQ2_XS; this program reads"));
    CHECK(refusal_with([](GgufMaker& maker) {
              maker.tensor("w", {8}, 4, std::string(74, '\0'));
          }).starts_with("The file \"m.gguf\" has the tensor \"w\" of the type number 4;"));
    CHECK(refusal_with([](GgufMaker& maker) {
              maker.tensor("w", {8}, 28, std::string(64, '\0'));
          }).starts_with("The file \"m.gguf\" has the tensor \"w\" of the type F64;"));
    CHECK(
        refusal_with([](GgufMaker& maker) { maker.tensor("w", {32, 33}, 8, std::string(2000, '\0')); }) ==
        "The file \"m.gguf\" has the tensor \"w\" of the type Q8_0 with rows of 33 numbers, which are not whole blocks "
        "of 32.");
    CHECK(refusal_with([](GgufMaker& maker) { maker.tensor("w", {1, 1, 1, 1, 1}, 0, "1234"); }) ==
          "The file \"m.gguf\" has the tensor \"w\" with 5 sides; there are 1 to 4.");
    CHECK(refusal_with([](GgufMaker& maker) { maker.tensor("w", {1 << 30, 1 << 30}, 0, "1234"); }) ==
          "The file \"m.gguf\" has the tensor \"w\" with more numbers than can be counted.");
    CHECK(refusal_with([](GgufMaker& maker) { maker.tensor("w", {100}, 0, std::string(32, '\0')); }) ==
          "The file \"m.gguf\" is cut short: it ends before the tensor \"w\" does.");
    CHECK(refusal_with([](GgufMaker& maker) {
              maker.data = std::string(64, '\0');
              maker.tensor_at("w", {2}, 0, 4);
          }) ==
          "The file \"m.gguf\" has the tensor \"w\" that begins at byte 4, which is no multiple of the alignment, 32.");
    CHECK(refusal_with([](GgufMaker& maker) {
              maker.data = std::string(64, '\0');
              maker.tensor_at("w", {2}, 0, ~std::uint64_t{0} - 31);
          }).find("ends before the tensor") != std::string::npos);
    CHECK(refusal_with([](GgufMaker& maker) {
              maker.data = std::string(128, '\0');
              maker.tensor_at("a", {16}, 0, 0);
              maker.tensor_at("b", {16}, 0, 32);
          }) == "The file \"m.gguf\" has two tensors in the same bytes: \"a\" and \"b\".");
    CHECK(refusal_with([](GgufMaker& maker) {
              maker.floats("a", {1}, {1});
              maker.floats("a", {1}, {1});
          }) == "The file \"m.gguf\" has two tensors with the name \"a\".");
    CHECK(
        refusal_with([](GgufMaker& maker) { maker.tensor("rope_freqs.weight", {1}, 1, "12"); }) ==
        "The file \"m.gguf\" has the tensor \"rope_freqs.weight\" that is no list of at most 16384 numbers of the type "
        "F32.");
}

TEST_CASE("one GGUF file is opened at a time, and safetensors count before it", "[model][bad-input]") {
    GgufMaker maker;
    maker.floats("a", {1}, {1});
    const auto open = [&](std::vector<std::pair<std::string, std::string>> files) {
        const Result<attn::TensorFiles> opened = attn::TensorFiles::open(attn::test::sources(std::move(files)));
        return opened ? std::string(opened->gguf() ? "gguf" : "another") : opened.error();
    };
    CHECK(open({{"m.gguf", maker.file()}}) == "gguf");
    CHECK(open({{"m.gguf", maker.file()}, {"n.gguf", maker.file()}}) ==
          "There are several GGUF files, \"m.gguf\" and \"n.gguf\": open one of them.");
    CHECK(open({{"m.gguf", maker.file()}, {"a.bin", "another"}}) == "gguf");
    CHECK(open({{"m.gguf", maker.file()}, {"a.safetensors", attn::test::safetensors("{}")}}) == "another");
}
