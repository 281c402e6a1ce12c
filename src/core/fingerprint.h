// One short number for many bytes, to see whether they are what they were. No cryptography, and no format: it is
// compared with others of the same run only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace attn {

// The same for the same bytes. Of different ones of the same length two in 2^64 are the same by chance, and never where
// all that differs lies in one group of four, counted from the first.
std::uint64_t fingerprint(std::span<const std::byte> bytes);

}  // namespace attn
