#include "core/words/name_seed.h"

#include <catch_amalgamated.hpp>
#include <set>

#include "core/ground/check.h"

namespace attn {
namespace {

TEST_CASE("a name is one line with single blanks, and its letters stay", "[name_seed]") {
    CHECK(normal_name("  Ada \t Lovelace\r\n") == "Ada Lovelace");
    CHECK(normal_name("Ada\u00a0\u3000Lovelace\u2003") == "Ada Lovelace");
    CHECK(normal_name("ADA") != normal_name("Ada"));
    CHECK(normal_name("\u0645\u062d\u0645\u062f \U0001f600") == "\u0645\u062d\u0645\u062f \U0001f600");
    CHECK(normal_name(" \n\t").empty());
    CHECK(normal_name("a\u202eb") == "a<U+202e>b");
    CHECK(normal_name("\xff\xfe Ada") == "\ufffd\ufffd Ada");
    CHECK(normal_name(std::string(300, 'a')).size() == 300);
}

// What was handed out must not change. A few lines of Python, the hash and the mixing in whole numbers, gave the same
// three.
TEST_CASE("a name's seed is the same in every version", "[name_seed][golden]") {
    CHECK(seed_of_name("Ada Lovelace", 123) == 365350390);
    CHECK(seed_of_name("محمد", 123) == 546058093);
    CHECK(seed_of_name("Ada Lovelace", 124) == 596221444);
}

TEST_CASE("the seed follows the normal name and the link's seed", "[name_seed]") {
    CHECK(seed_of_name(" Ada  Lovelace ", 7) == seed_of_name("Ada Lovelace", 7));
    CHECK(seed_of_name("Ada Lovelace", 7) != seed_of_name("ada lovelace", 7));
    CHECK(seed_of_name("Ada", 7) != seed_of_name("Ada", 8));
    for (std::uint64_t base = 0; base < 100; ++base) {
        CHECK(seed_of_name("Ada", base) >= 1);
        CHECK(seed_of_name("Ada", base) <= kLargestNameSeed);
    }
}

TEST_CASE("no two names of a list share a seed", "[name_seed]") {
    const std::vector<std::string> names = {"Bob", "Ada", "Ada ", "Cyd", "Ada"};
    const std::vector<NamedSeed> seeds = seeds_of_names(names, 123);
    const std::uint64_t ada = seed_of_name("Ada", 123);
    REQUIRE(seeds.size() == 5);
    CHECK(seeds[0].name == "Bob");
    CHECK(seeds[1].seed == ada);
    CHECK_FALSE(seeds[1].is_moved);
    CHECK(seeds[2].seed == ada + 1);
    CHECK(seeds[2].is_moved);
    CHECK(seeds[4].seed == ada + 2);
    CHECK(seeds[3].seed == seed_of_name("Cyd", 123));
}

TEST_CASE("the order of a list has no say in the seeds of different names", "[name_seed][property]") {
    std::vector<std::string> names;
    for (int n = 0; n < 500; ++n) names.push_back(concat("Student ", n));
    const std::vector<NamedSeed> forwards = seeds_of_names(names, 123);
    std::set<std::uint64_t> different;
    for (const NamedSeed& one : forwards) different.insert(one.seed);
    CHECK(different.size() == names.size());
    std::vector<std::string> turned(names.rbegin(), names.rend());
    const std::vector<NamedSeed> backwards = seeds_of_names(turned, 123);
    for (std::size_t n = 0; n < names.size(); ++n) CHECK(forwards[n].seed == backwards[names.size() - 1 - n].seed);
}

}  // namespace
}  // namespace attn
