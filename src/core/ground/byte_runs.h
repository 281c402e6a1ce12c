// Short runs of bytes, eight at a time: what memcpy and its kin of the page do before a run is long enough for an
// instruction of its own (src/platform/c_library_web.cpp).
#pragma once

#include <cstddef>
#include <cstdint>

namespace attn {

// Eight bytes that need not be aligned.
struct [[gnu::packed, gnu::may_alias]] EightBytes {
    std::uint64_t value;
};

// From the first byte on: `to` may overlap `from` if it begins before it.
inline void copy_forwards(unsigned char* to, const unsigned char* from, std::size_t count) {
    for (; count >= 8; count -= 8, to += 8, from += 8)
        reinterpret_cast<EightBytes*>(to)->value = reinterpret_cast<const EightBytes*>(from)->value;
    for (; count != 0; --count) *to++ = *from++;
}

// From the last byte on: `to` may overlap `from` if it begins behind it.
inline void copy_backwards(unsigned char* to, const unsigned char* from, std::size_t count) {
    for (; count >= 8; count -= 8)
        reinterpret_cast<EightBytes*>(to + count - 8)->value =
            reinterpret_cast<const EightBytes*>(from + count - 8)->value;
    for (; count != 0; --count) to[count - 1] = from[count - 1];
}

inline void fill_bytes(unsigned char* to, unsigned char value, std::size_t count) {
    const std::uint64_t eight = value * 0x0101010101010101U;
    for (; count >= 8; count -= 8, to += 8) reinterpret_cast<EightBytes*>(to)->value = eight;
    for (; count != 0; --count) *to++ = value;
}

// The sign of the first difference, as memcmp has it.
inline int compare_bytes(const unsigned char* a, const unsigned char* b, std::size_t count) {
    for (; count >= 8; count -= 8, a += 8, b += 8) {
        if (reinterpret_cast<const EightBytes*>(a)->value != reinterpret_cast<const EightBytes*>(b)->value) break;
    }
    for (; count != 0; --count, ++a, ++b) {
        if (*a != *b) return *a - *b;
    }
    return 0;
}

}  // namespace attn
