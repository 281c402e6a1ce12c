// One short number for many bytes, to see whether they have changed. It is not cryptographic, and no file holds it: it
// is compared only with others of the same run.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace attn {

// Equal bytes have equal fingerprints. Of different ones of the same length two in 2^64 are the same by chance, and
// never where all that differs lies in one group of four, counted from the first.
std::uint64_t fingerprint(std::span<const std::byte> bytes);

}  // namespace attn
