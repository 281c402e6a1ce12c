#include "share/formats/zip_file.h"

#include <catch_amalgamated.hpp>

#include "core/ground/check.h"
#include "playground/random_states.h"
#include "share/golden_file.h"

namespace attn {
namespace {

using Catch::Matchers::ContainsSubstring;

bool any_file(std::string_view) {
    return true;
}

std::string zip_refusal(std::string_view bytes) {
    const Result<ZipContents> read = read_zip(bytes, any_file);
    REQUIRE_FALSE(read);
    return read.error();
}

// The archive with a number put in place of what follows the `nth` signature, `offset` bytes after its beginning.
std::string with_number(std::string bytes, std::string_view signature, std::size_t nth, std::size_t offset,
                        std::uint32_t number, std::size_t size) {
    std::size_t at = bytes.find(signature);
    for (; nth > 0; --nth) at = bytes.find(signature, at + 1);
    REQUIRE(at != std::string::npos);
    for (std::size_t b = 0; b < size; ++b) bytes[at + offset + b] = static_cast<char>(number >> (8 * b) & 255U);
    return bytes;
}

// The record of an entry in the list of contents, and what stands where in it (APPNOTE.TXT, 4.3.12).
constexpr std::string_view kRecord = "PK\x01\x02";
constexpr std::size_t kFlags = 8, kMethod = 10, kCheckSum = 16, kPackedSize = 20, kSize = 24;

const std::vector<ZipEntry> kEntries = {{.name = "a.txt", .bytes = "Attention"},
                                        {.name = "2/b.bin", .bytes = std::string("\0\1\2", 3)},
                                        {.name = "empty", .bytes = ""}};

TEST_CASE("an archive gives its entries again, and is the same on every day", "[zip]") {
    const std::string bytes = write_zip(kEntries);
    CHECK(looks_like_zip(bytes));
    CHECK(bytes == write_zip(kEntries));
    const Result<ZipContents> read = read_zip(bytes, [](std::string_view name) { return name != "empty"; });
    REQUIRE(read);
    REQUIRE(read->entries.size() == 2);
    for (std::size_t e = 0; e < 2; ++e) {
        CHECK(read->entries[e].name == kEntries[e].name);
        CHECK(read->entries[e].bytes == kEntries[e].bytes);
    }
    CHECK(read->others == std::vector<std::string>{"empty"});
}

TEST_CASE("an archive without entries is whole", "[zip]") {
    const Result<ZipContents> read = read_zip(write_zip({}), any_file);
    REQUIRE(read);
    CHECK(read->entries.empty());
}

TEST_CASE("a damaged archive is refused, and the sentence says what is wrong", "[zip][bad-input]") {
    const std::string bytes = write_zip(kEntries);
    CHECK_THAT(zip_refusal(""), ContainsSubstring("incomplete"));
    CHECK_THAT(zip_refusal(bytes.substr(0, bytes.size() - 30)), ContainsSubstring("incomplete"));
    CHECK_THAT(zip_refusal(with_number(bytes, kRecord, 0, kFlags, 1, 2)), ContainsSubstring("encrypted"));
    CHECK_THAT(zip_refusal(with_number(bytes, kRecord, 0, kMethod, 14, 2)), ContainsSubstring("method 14"));
    CHECK_THAT(zip_refusal(with_number(bytes, kRecord, 0, kCheckSum, 1, 4)), ContainsSubstring("\"a.txt\" is damaged"));
    CHECK_THAT(zip_refusal(with_number(bytes, kRecord, 0, kPackedSize, 5000, 4)), ContainsSubstring("overlap"));
    std::string changed = bytes;
    changed[changed.find("Attention")] = 'a';
    CHECK_THAT(zip_refusal(changed), ContainsSubstring("CRC-32"));
    std::vector<ZipEntry> twice = kEntries;
    twice[1].name = "a.txt";
    CHECK_THAT(zip_refusal(write_zip(twice)), ContainsSubstring("two entries of the name \"a.txt\""));
}

TEST_CASE("an archive that would fill the memory is refused before it does", "[zip][bad-input]") {
    const std::string bytes = write_zip(kEntries);
    CHECK_THAT(zip_refusal(with_number(bytes, kRecord, 1, kSize, 0xFFFFFFF0U, 4)),
               ContainsSubstring("more than 64 MiB"));
    const std::vector<ZipEntry> many(kMaxZipEntries + 1, {.name = "", .bytes = ""});
    CHECK_THAT(zip_refusal(write_zip(many)), ContainsSubstring("1,000"));
}

TEST_CASE("no cut and no changed byte of an archive does any harm", "[zip][bad-input][property]") {
    for (const std::string& whole :
         {write_zip(kEntries), test::golden_file("numpy/stored.npz"), test::golden_file("numpy/deflated.npz")}) {
        // minizip looks for the list of contents from the end on, so a cut is found at once.
        for (std::size_t size = 0; size < whole.size(); ++size) {
            const Result<ZipContents> read = read_zip(std::string_view(whole).substr(0, size), any_file);
            REQUIRE_FALSE(read);
        }
        test::Dice dice(11);
        for (int round = 0; round < 3000; ++round) {
            std::string changed = whole;
            for (int flips = 1 + dice.below(4); flips > 0; --flips) {
                changed[static_cast<std::size_t>(dice.below(static_cast<int>(whole.size())))] =
                    static_cast<char>(dice.below(256));
            }
            const Result<ZipContents> read = read_zip(changed, any_file);
            if (!read) REQUIRE_FALSE(read.error().empty());
        }
    }
}

}  // namespace
}  // namespace attn
