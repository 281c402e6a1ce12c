// Numbers of one's own for each student of a class: the name decides the seed, so nobody has to keep a list of seeds,
// and the same list gives the same seeds on every machine, in the page and in attn. Knows names and numbers only.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace attn {

// Seeds of names are 1 to this: no more than nine digits, so that they can be read out and typed. Below 2^32, so two
// different ones draw different numbers: PyTorch's generator takes the lower 32 bits of a seed.
inline constexpr std::uint64_t kLargestNameSeed = 999'999'999;

// A name as it is hashed and shown: valid UTF-8 of one line (one_line), without white space at its ends, each run of
// white space inside (Unicode's, no-break spaces too) one blank. Capital letters stay: which letters are the same but
// for their case depends on the language, and a list says what it means.
std::string normal_name(std::string_view bytes);

// The seed of a name alone: what a student gets who comes to the class later, unless another one of the list has it.
// Whoever knows the name and the link can tell it, so it is no secret. `base` is the seed of the link that is handed
// out: a link with another one gives the class other numbers. FNV-1a of the normal name, mixed with the base as
// SplitMix64 mixes (Steele, Lea, Flood, 2014).
std::uint64_t seed_of_name(std::string_view name, std::uint64_t base);

// A name of a list with its seed.
struct NamedSeed {
    std::string name;  // normal_name
    std::uint64_t seed = 1;
    bool is_moved = false;  // another name of the list has the seed of this one
};

// The seeds of a list, in its order, no two the same. Of names with one seed the first one in the order of their bytes
// keeps it, so that the order of the list has no say; of equal names the first one in the list. Each other one gets the
// next seed that is free, after kLargestNameSeed from 1 on. At most kLargestNameSeed names.
std::vector<NamedSeed> seeds_of_names(std::span<const std::string> names, std::uint64_t base);

}  // namespace attn
