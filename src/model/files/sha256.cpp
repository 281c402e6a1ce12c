// The algorithm as section 6.2 of the standard writes it, on a copy with its padding.
#include "model/files/sha256.h"

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace attn {
namespace {

// The first 32 bits of the fractions of the cube roots of the first 64 primes.
constexpr std::array<std::uint32_t, 64> kRoots = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

std::uint32_t mixed(std::uint32_t x, int a, int b, int c) {
    return std::rotr(x, a) ^ std::rotr(x, b) ^ std::rotr(x, c);
}

}  // namespace

std::string sha256_of(std::string_view bytes) {
    std::array<std::uint32_t, 8> hash = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                         0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    std::string padded(bytes);
    padded += '\x80';
    while (padded.size() % 64 != 56) padded += '\0';
    const std::uint64_t num_bits = std::uint64_t{bytes.size()} * 8;
    for (int shift = 56; shift >= 0; shift -= 8) padded += static_cast<char>(num_bits >> shift & 255U);
    for (std::size_t block = 0; block < padded.size(); block += 64) {
        std::array<std::uint32_t, 64> words = {};
        for (std::size_t i = 0; i < 64; ++i)
            words[i / 4] = words[i / 4] << 8U | static_cast<std::uint8_t>(padded[block + i]);
        for (std::size_t t = 16; t < 64; ++t) {
            const std::uint32_t a = words[t - 15], b = words[t - 2];
            words[t] = words[t - 16] + (mixed(a, 7, 18, 0) ^ a ^ (a >> 3U)) + words[t - 7] +
                       (mixed(b, 17, 19, 0) ^ b ^ (b >> 10U));
        }
        std::array<std::uint32_t, 8> s = hash;
        for (std::size_t t = 0; t < 64; ++t) {
            const std::uint32_t one =
                s[7] + mixed(s[4], 6, 11, 25) + ((s[4] & s[5]) ^ (~s[4] & s[6])) + kRoots[t] + words[t];
            const std::uint32_t two = mixed(s[0], 2, 13, 22) + ((s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]));
            s = {one + two, s[0], s[1], s[2], s[3] + one, s[4], s[5], s[6]};
        }
        for (std::size_t i = 0; i < 8; ++i) hash[i] += s[i];
    }
    std::string digits;
    for (const std::uint32_t word : hash) {
        for (int shift = 28; shift >= 0; shift -= 4) digits += "0123456789abcdef"[word >> shift & 15U];
    }
    return digits;
}

}  // namespace attn
