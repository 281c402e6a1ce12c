// Files made to freeze the program: each is refused after little work, or opened with little. What counts is what they
// make the program ask for, in bytes and in requests, not the time that takes: the same on every machine.
#include <catch_amalgamated.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include "playground/link/state_url.h"
#include "playground/text/format.h"
#include "playground/text/number_block.h"
#include "share/formats/npy.h"
#include "share/formats/npz.h"
#include "share/formats/number_table.h"
#include "share/formats/session_file.h"
#include "share/formats/zip_file.h"
#include "share/memory/counted_memory.h"
#include "share/opening/open_file.h"

namespace attn {
namespace {

using Catch::Matchers::ContainsSubstring;
using test::MemoryCount;

constexpr std::size_t kMebibyte = 1 << 20;
constexpr std::int64_t kLittle = 1 << 20;  // bytes

// `piece` again and again, `size` bytes of it.
std::string repeated(std::string_view piece, std::size_t size) {
    std::string text(piece);
    while (text.size() < size) text += text;
    text.resize(size);
    return text;
}

struct Work {
    std::string outcome;  // the refusal, or the question
    MemoryCount count;
};

Work open_counted(std::string_view name, const std::string& bytes) {
    static const PlaygroundState state = read_link("text=a+b+c+d&d_in=6&d_out=3&heads=1&bias=1").state;
    open_file({.name = "a.csv", .bytes = "1"}, state);  // what is made once and stays is there
    const NamedFile file = {.name = std::string(name), .bytes = bytes};
    test::begin_counting();
    const Result<FileOffer> offer = open_file(file, state);
    const MemoryCount count = test::end_counting();
    return {.outcome = offer ? offer->question : offer.error(), .count = count};
}

void check_work(const std::string& bytes, std::string_view outcome, std::int64_t most_bytes, std::int64_t most_requests,
                std::string_view name = "numbers") {
    const Work work = open_counted(name, bytes);
    INFO(bytes.size() << " bytes that begin with " << bytes.substr(0, 40));
    CHECK_THAT(work.outcome, ContainsSubstring(std::string(outcome)));
    CHECK(work.count.most_bytes <= most_bytes);
    CHECK(work.count.num_requests <= most_requests);
}

TEST_CASE("a table of nothing but separators and numbers is refused before it is split", "[hostile][bad-input]") {
    for (const std::string_view cell : {"\r1", "\n1", "\r\n1", "\f1", "\v1", "1,", "1;", "1\t", "1 ", "[1]", "[]", "[",
                                        "[\r1", "\"a\",", "\n", "\r", "\t \t"})
        check_work(repeated(cell, kMaxFileBytes), "more than 262,144 numbers up to line ", 4096, 60);
}

TEST_CASE("a table of too many rows or columns is refused at the first too many", "[hostile][bad-input]") {
    check_work(repeated("1\n", 500'000), "more than 2,048 rows", kLittle, 5000);
    check_work(repeated("1,2\n", kMebibyte), "more than 2,048 rows", kLittle, 20'000);
    check_work(repeated("name,2\n", kMebibyte), "more than 2,048 rows", kLittle, 20'000);
    check_work(repeated("1,", 500'000), "more than 2,048 numbers", kLittle, 200);
    check_work(repeated("n,", 250'000) + "n\n" + repeated("1,", 250'000), "more than 2,048 numbers", kLittle, 200);
    check_work("[" + repeated("[1],", 500'000), "more than 2,048 rows", kLittle, 10'000);
}

TEST_CASE("one long cell takes no more memory than a few times itself", "[hostile][bad-input]") {
    constexpr std::size_t kSize = 8 * kMebibyte;
    for (const std::string_view piece : {"1", "word", "−", "x", "9e"}) {
        check_work(repeated(piece, kSize), "is not a number", 5 * kSize, 200);
        check_work("\"" + repeated(piece, kSize), "is not a number", 6 * kSize, 200);
    }
    check_work(repeated("\"", kSize), "there is no text", kLittle, 200);
    check_work("1,2\n3," + repeated("w", kSize), "row 1, column 1", 3 * kSize, 200);
    check_work("0." + repeated("7", kMebibyte), "What are they?", 5 * kMebibyte, 20'000);
    check_work("1" + repeated(" ", kSize) + "1", "What are they?", kLittle, 20'000);
    check_work(repeated("1", kMaxTableBytes + 1), "more than 16 MiB", 4096, 60);
}

TEST_CASE("a number of a million digits is read without keeping them", "[hostile]") {
    const std::string digits = repeated("7", kMebibyte);
    for (const std::string& text : {digits, "0." + digits, digits + "e-1000000", "1e" + digits}) {
        test::begin_counting();
        parse_number(text);
        CHECK(test::end_counting().most_bytes <= 20'000);
    }
}

TEST_CASE("a text that is pasted is split row by row", "[hostile][bad-input]") {
    for (const std::string_view cell : {"\r1", "\n1", "\f1", "1,", "1 ", "[1]", "[]", "[", " ", "\t", "1,5 "}) {
        const std::string text = "[" + repeated(cell, 8 * kMebibyte);
        for (const std::string_view part : {std::string_view(text), std::string_view(text).substr(1)}) {
            INFO(part.substr(0, 20));
            test::begin_counting();
            parse_number_block(part);
            const MemoryCount count = test::end_counting();
            CHECK(count.most_bytes <= kLittle);
            CHECK(count.num_requests <= 10'000);
        }
    }
}

// An NPY file of this shape, all zeros.
std::string zeros(std::string_view shape, std::string_view type, std::size_t num_bytes) {
    std::string header =
        "{'descr': '" + std::string(type) + "', 'fortran_order': False, 'shape': " + std::string(shape) + ", }";
    header.append(63 - (10 + header.size()) % 64, ' ');
    header += '\n';
    std::string bytes = "\x93NUMPY";
    bytes += {'\x01', '\0', static_cast<char>(header.size()), '\0'};
    bytes += header;
    return bytes.append(num_bytes, '\0');
}

TEST_CASE("an array that no tensor can be is refused by its header", "[hostile][bad-input]") {
    check_work(zeros("(4194304, 1)", "<f4", 16 * kMebibyte), "no matrix here has more than 2,048 rows", 4096, 60);
    check_work(zeros("(1, 4194304)", "<f4", 16 * kMebibyte), "no matrix here has more than 2,048 columns", 4096, 60);
    check_work(zeros("(4194304,)", "|i1", 4 * kMebibyte), "no matrix here has more than 2,048 columns", 4096, 60);
    check_work(zeros("(2, 2, 1000)", "<f8", 32'000), "one or two axes", 4096, 60);
    check_work(zeros("(9, 9)", "<f8", 32 * kMebibyte), "bytes follow after its numbers", 4096, 60);
    check_work(zeros("(99999999, 99999999)", "<f8", 100), "more than the 4,194,304 numbers", 4096, 60);
    check_work(zeros("(0, 99999999999)", "<f8", 0), "it holds no numbers", 4096, 60);
}

TEST_CASE("the largest arrays take a few times their size", "[hostile]") {
    check_work(zeros("(2048, 2048)", "<f4", 16 * kMebibyte), "at most 1,024", 6 * 16 * kMebibyte, 40'000);
    check_work(zeros("(1024, 1024)", "<f4", 4 * kMebibyte), "at most 262,144 can be kept", 14 * 4 * kMebibyte, 60'000);
    check_work(zeros("(256, 1024)", "<f4", kMebibyte), "What are they?", 24 * kMebibyte, 60'000);
}

TEST_CASE("an archive is judged before it is unpacked", "[hostile][bad-input]") {
    const auto archive = [](std::vector<ZipEntry> entries) { return write_zip(entries); };
    const std::string large = zeros("(2048, 1100)", "<f4", 2048 * 1100 * 4);
    check_work(archive({{.name = "x.npy", .bytes = std::string(63 * kMebibyte, '\0')}}),
               "does not begin as an NPY file", kLittle, 200);
    check_work(archive({{.name = "x.npy", .bytes = zeros("(9, 9)", "<f8", 32 * kMebibyte)}}), "bytes follow", kLittle,
               200);
    check_work(archive({{.name = "x.npy", .bytes = large}, {.name = "mask.npy", .bytes = large}}),
               "more than 4,194,304 numbers together", 10 * kMebibyte, 200);
    std::vector<ZipEntry> tiny;
    for (int i = 0; i < 1000; ++i)
        tiny.push_back({.name = std::to_string(i) + ".npy", .bytes = zeros("(1,)", "<f4", 4)});
    check_work(write_zip(tiny), "No name in the archive says what the numbers are", kLittle, 40'000);
    std::vector<ZipEntry> named(100, {.name = std::string(30'000, 'a'), .bytes = ""});
    check_work(write_zip(named), "a name of 30,000 bytes", kLittle, 200);
    check_work("PK\x03\x04" + repeated("PK\x05\x05", kMaxFileBytes - 4), "incomplete", kLittle, 200);
}

TEST_CASE("a session that is no state is refused, or read with a few times its size", "[hostile][bad-input]") {
    const auto refused = [](const std::string& bytes, std::string_view outcome, std::int64_t most_bytes) {
        check_work(bytes, outcome, most_bytes, 40'000, "a.attention");
    };
    constexpr std::size_t kSize = 4 * kMebibyte;
    for (const std::string_view piece : {"[", "{\"a\":", "1", "\"x", "\"\\u0001"})
        refused("{\"a\":" + repeated(piece, kMaxSessionBytes), "more than 10 MiB", 4096);
    for (const std::string_view piece : {"[", "{\"a\":", "1,", "[],", "\"\","})
        refused("{\"a\":[" + repeated(piece, kSize), "more than 60,000 values", kSize / 4);
    for (const std::string_view key : {"\"a\":1,", "\"heads\":2,"})
        refused(R"({"state":{)" + repeated(key, kSize), "more than 60,000 values", kSize);
    refused("{\"a\":\"" + repeated("x", kSize), "not valid JSON", 12 * kSize);
    refused("{\"a\":" + repeated("1", kSize), "not valid JSON", 12 * kSize);
    const auto session = [](const std::string& state) {
        return R"({"format":"attention-playground session","version":1,"state":{)" + state + "}}";
    };
    const auto read = [&](const std::string& state) { refused(session(state), "is a session", 20 * kSize); };
    read(R"("text":[")" + repeated("x", kSize) + "\"]");
    read(R"("x":[")" + repeated(";", kSize) + "\"]");
    read(R"("x":[")" + repeated(",", kSize) + "\"]");
    read(R"("edit":["w_query[0,0]=)" + repeated("1,", kSize) + "\"]");
    read(R"("edit":["w_query[0,0]=)" + repeated("1;", kSize) + "\"]");
    read(R"("vector":")" + repeated("1,", kSize) + "\"");
    read(R"("target":")" + repeated("1>1,", kSize) + "\"");
    read(R"("hide":"weights[)" + repeated(",", kSize) + "]\"");
    read(R"("hide":")" + repeated("a,", kSize) + "\"");
    read(R"("compare":")" + repeated("text=a&", kSize) + "\"");
}

}  // namespace
}  // namespace attn
