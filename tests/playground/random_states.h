// Random states and random bytes for the property tests: always the same ones, from a fixed seed.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <random>
#include <string>

#include "playground/state/state.h"

namespace attn::test {

// std::mt19937's sequence is fixed by the standard; the distributions' are not, and native and web must test the same.
class Dice {
public:
    explicit Dice(std::uint32_t seed) : engine_(seed) {}

    // 0 to size - 1.
    int below(int size) { return static_cast<int>(engine_() % static_cast<std::uint32_t>(size)); }
    bool coin() { return below(2) == 1; }
    std::uint64_t bits() { return (static_cast<std::uint64_t>(engine_()) << 32U) | engine_(); }

    // Any bit pattern: all magnitudes, -0, infinities and NaN.
    float any_float() { return std::bit_cast<float>(static_cast<std::uint32_t>(engine_())); }

    template <class Entry, std::size_t N>
    const Entry& one_of(const std::array<Entry, N>& entries) {
        return entries[static_cast<std::size_t>(below(static_cast<int>(N)))];
    }

    std::string bytes(int size) {
        std::string text;
        for (int i = 0; i < size; ++i) text += static_cast<char>(below(256));
        return text;
    }

private:
    std::mt19937 engine_;
};

extern const std::array<std::string, 16> kWeirdTexts;

// A state with fields in and far outside of their ranges: clamp_to_legal has work to do.
PlaygroundState random_state(Dice& dice);

}  // namespace attn::test
