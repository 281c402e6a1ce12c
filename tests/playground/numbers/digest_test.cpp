// The same link shows the same numbers on every machine, to the last bit: each link of golden/links.txt, of
// golden/digest_links.txt and of golden/variant_links.txt (attention's variants) has the digest that
// golden/digests.txt records, one a line in this order. The same test runs
// natively, with each instruction set that the processor has, and as WebAssembly; tests/browser/digest.test.mjs asks
// the page. After a wanted change of numbers: playground_test "[.record]" writes the file anew; commit it alone, with
// the reason.
#include "playground/numbers/digest.h"
#include "project_folder.h"

#include <catch_amalgamated.hpp>
#include <fstream>
#include <limits>
#include <string>
#include <vector>

#include "core/ground/check.h"
#include "core/instruction_sets.h"
#include "playground/link/state_url.h"

namespace attn::test {
namespace {

const std::string kFolder = std::string(kProjectFolder) + "/tests/golden";
const std::string kDigestsFile = kFolder + "/digests.txt";

void add_lines(const std::string& path, std::vector<std::string>& lines) {
    std::ifstream file(path);
    REQUIRE(file.good());
    for (std::string line; std::getline(file, line);) lines.push_back(line);
}

std::vector<std::string> golden_links() {
    std::vector<std::string> links;
    add_lines(kFolder + "/links.txt", links);
    add_lines(kFolder + "/digest_links.txt", links);
    add_lines(kFolder + "/variant_links.txt", links);
    return links;
}

Inputs inputs_in(const std::string& link) {
    return read_link(link).state.inputs;
}

std::string digest_of_link(const std::string& link) {
    return digest_text(digest_of(inputs_in(link)));
}

std::uint64_t hash_of(std::initializer_list<float> numbers) {
    const std::vector<float> list = numbers;
    Hash hash;
    hash.add(list);
    return hash.value();
}

}  // namespace

TEST_CASE("every golden link has the recorded digest, with each instruction set", "[digest][golden]") {
    std::vector<std::string> recorded;
    add_lines(kDigestsFile, recorded);
    const std::vector<std::string> links = golden_links();
    REQUIRE(links.size() >= 300);
    REQUIRE(recorded.size() == links.size());
    for (std::size_t i = 0; i < links.size(); ++i) {
        for (const simd::InstructionSet set : simd::available()) {
            CAPTURE(links[i], simd::name_of(set));
            CHECK(with_set(set, [&] { return digest_of_link(links[i]); }) == recorded[i]);
        }
    }
}

TEST_CASE("record the digests of the golden links", "[.record]") {
    const std::vector<std::string> links = golden_links();
    std::ofstream file(kDigestsFile);
    for (const std::string& link : links) file << digest_of_link(link) << '\n';
    REQUIRE(file.good());
}

TEST_CASE("a change of one bit changes the digest", "[digest][property]") {
    const std::string link = "text=the+cat+sat&edit=x[0,0]=";
    CHECK(digest_of_link(link + "1") != digest_of_link(link + "1.0000001"));
    CHECK(digest_of_link(link + "0") != digest_of_link(link + "-0"));
    CHECK(digest_of_link("text=the+cat") != digest_of_link("text=the+cat&text="));
    CHECK(digest_of_link("text=a+b&text=c") != digest_of_link("text=c&text=a+b"));
    CHECK(digest_of_link("text=a+b&dropout=0.5&dropout_seed=1") !=
          digest_of_link("text=a+b&dropout=0.5&dropout_seed=9"));
}

TEST_CASE("the digest is of the numbers alone", "[digest]") {
    CHECK(digest_of_link("text=the+cat&view=lines&head=2&theme=dark&hide=settings") == digest_of_link("text=the+cat"));
    CHECK(digest_of_link("text=a+b+c&init=none&pos=none&embed=typed&x=1;2;3&d_in=4&d_out=4") ==
          digest_of_link("text=x+y+z&init=none&pos=none&embed=typed&x=1;2;3&d_in=4&d_out=4"));
}

TEST_CASE("NaN is one number to the hash, zeros are two", "[digest]") {
    const float nan = std::numeric_limits<float>::quiet_NaN();
    CHECK(hash_of({nan}) == hash_of({-nan}));
    CHECK(hash_of({nan}) != hash_of({std::numeric_limits<float>::infinity()}));
    CHECK(hash_of({0.0F}) != hash_of({-0.0F}));
    CHECK(hash_of({1, 2}) != hash_of({2, 1}));
    // The definition, by hand: ((1 ^ bits of 1.0f) * factor), its upper half xored onto the lower.
    const std::uint64_t product = (1 ^ std::uint64_t{0x3f800000}) * 0x9e3779b97f4a7c15U;
    CHECK(hash_of({1}) == (product ^ product >> 32));
}

TEST_CASE("slices and a known evaluation give the same digest", "[digest][property]") {
    const std::string link = "text=one+two+three+four&text=&text=five+six&d_in=9&d_out=12&heads=3&dropout=0.2";
    const Inputs inputs = inputs_in(link);
    const std::uint64_t digest = digest_of(inputs);
    for (const std::int64_t slice : {1, 100, 3000}) {
        DigestWork work(inputs);
        double share = 0;
        int num_slices = 0;
        while (!work.advance(slice)) {
            CHECK(work.share_done() >= share);
            share = work.share_done();
            ++num_slices;
        }
        CHECK(num_slices > (slice == 1 ? 20 : slice == 100 ? 10 : 0));
        CHECK(share < 1);
        CHECK(work.share_done() == 1);
        CHECK(work.digest() == digest);
    }
    const Evaluation third = evaluate(inputs, 2);
    DigestWork with_known(inputs);
    while (!with_known.advance(50, &third, 2)) continue;
    CHECK(with_known.digest() == digest);
}

TEST_CASE("a known evaluation is used", "[digest]") {
    const Inputs inputs = inputs_in("text=one+two");
    const Evaluation other = evaluate(inputs_in("text=one+two&seed=7"), 0);
    DigestWork work(inputs);
    work.advance(1 << 20, &other, 0);
    CHECK(work.digest() != digest_of(inputs));
    CHECK(work.digest() == digest_of(inputs_in("text=one+two&seed=7")));
}

TEST_CASE("a digest is written as 16 digits", "[digest]") {
    CHECK(digest_text(0) == "0000000000000000");
    CHECK(digest_text(0x0123456789abcdefU) == "0123456789abcdef");
    CHECK(digest_text(~std::uint64_t{0}) == "ffffffffffffffff");
}

}  // namespace attn::test
