// Mixes the bytes into four lanes of 64 bits, and the lanes into one.
#include "core/ground/fingerprint.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

namespace attn {
namespace {

constexpr std::uint64_t kOdd = 0x9E3779B97F4A7C15;  // 2^64 over the golden ratio

// Maps the lane one to one.
void add(std::uint64_t& lane, std::uint64_t bits) {
    lane = std::rotl((lane ^ bits) * kOdd, 29);
}

}  // namespace

std::uint64_t fingerprint(std::span<const std::byte> bytes) {
    std::array<std::uint64_t, 4> lanes = {1, 2, 3, 4};  // a multiplication takes a few cycles, so four run side by side
    std::size_t k = 0;
    for (; k + sizeof(lanes) <= bytes.size(); k += sizeof(lanes)) {
        std::array<std::uint64_t, lanes.size()> next;
        std::memcpy(next.data(), bytes.data() + k, sizeof(next));
        for (std::size_t lane = 0; lane < lanes.size(); ++lane) add(lanes[lane], next[lane]);
    }
    for (; k < bytes.size(); k += sizeof(std::uint32_t)) {
        std::uint32_t next = 0;
        std::memcpy(&next, bytes.data() + k, std::min(sizeof(next), bytes.size() - k));
        add(lanes[0], next);
    }
    for (std::size_t lane = 1; lane < lanes.size(); ++lane) add(lanes[0], lanes[lane]);
    return lanes[0];
}

}  // namespace attn
