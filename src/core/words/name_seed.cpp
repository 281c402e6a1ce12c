// Hashes names, and moves those that would share a seed.
#include "core/words/name_seed.h"

#include <algorithm>
#include <numeric>
#include <set>

#include "core/ground/check.h"
#include "core/words/code_points.h"
#include "core/words/embeddings.h"

namespace attn {
namespace {

// Unicode's White_Space; one_line has made blanks of tabs and of the ends of lines.
bool is_space_in_name(std::uint32_t number) {
    return number == ' ' || (number >= 0x09 && number <= 0x0d) || number == 0x85 || number == 0xa0 ||
           number == 0x1680 || (number >= 0x2000 && number <= 0x200a) || number == 0x2028 || number == 0x2029 ||
           number == 0x202f || number == 0x205f || number == 0x3000;
}

// SplitMix64's finalizer.
std::uint64_t mixed_bits(std::uint64_t z) {
    z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27U)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31U);
}

}  // namespace

std::string normal_name(std::string_view bytes) {
    const std::string line = one_line(bytes);
    std::string_view rest = line;
    std::string name;
    bool is_after_space = false;
    while (!rest.empty()) {
        const CodePoint point = take_code_point(rest);
        if (is_space_in_name(point.number)) {
            is_after_space = !name.empty();
            continue;
        }
        if (is_after_space) name += ' ';
        is_after_space = false;
        name += point.bytes;
    }
    return name;
}

std::uint64_t seed_of_name(std::string_view name, std::uint64_t base) {
    constexpr std::uint64_t kOtherSeed = 0x9e3779b97f4a7c15ULL;
    return mixed_bits(fnv1a64(normal_name(name)) ^ mixed_bits(base + kOtherSeed)) % kLargestNameSeed + 1;
}

std::vector<NamedSeed> seeds_of_names(std::span<const std::string> names, std::uint64_t base) {
    ATTN_CHECK(names.size() <= kLargestNameSeed, names.size(), " names");
    std::vector<NamedSeed> seeds;
    for (const std::string& name : names) seeds.push_back({.name = normal_name(name)});
    std::vector<std::size_t> order(seeds.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, {}, [&](std::size_t n) -> const std::string& { return seeds[n].name; });
    std::set<std::uint64_t> taken;
    std::vector<std::size_t> late;
    for (const std::size_t n : order) {
        seeds[n].seed = seed_of_name(seeds[n].name, base);
        if (!taken.insert(seeds[n].seed).second) late.push_back(n);
    }
    for (const std::size_t n : late) {
        seeds[n].is_moved = true;
        while (!taken.insert(seeds[n].seed).second) seeds[n].seed = seeds[n].seed % kLargestNameSeed + 1;
    }
    return seeds;
}

}  // namespace attn
