// memcpy and its kin for the page, in the place of the C library's: a module that is linked for size has them one byte
// at a time, and large copies, of matrices and of whole states, then take ten times as long. CMakeLists.txt
// compiles this file with the instructions for long runs, and keeps the compiler from making calls of these loops.
#include <cstddef>

#include "core/ground/byte_runs.h"

namespace {

constexpr std::size_t kLong = 64;  // bytes: from here on the instruction is faster than a loop

unsigned char* bytes_of(void* bytes) {
    return static_cast<unsigned char*>(bytes);
}
const unsigned char* bytes_of(const void* bytes) {
    return static_cast<const unsigned char*>(bytes);
}

}  // namespace

extern "C" {

void* memcpy(void* __restrict to, const void* __restrict from, std::size_t count) {
    if (count >= kLong) return __builtin_memcpy(to, from, count);  // memory.copy
    attn::copy_forwards(bytes_of(to), bytes_of(from), count);
    return to;
}

void* memmove(void* to, const void* from, std::size_t count) {
    if (count >= kLong) return __builtin_memmove(to, from, count);  // memory.copy
    if (to < from) {
        attn::copy_forwards(bytes_of(to), bytes_of(from), count);
    } else {
        attn::copy_backwards(bytes_of(to), bytes_of(from), count);
    }
    return to;
}

void* memset(void* to, int value, std::size_t count) {
    if (count >= kLong) return __builtin_memset(to, value, count);  // memory.fill
    attn::fill_bytes(bytes_of(to), static_cast<unsigned char>(value), count);
    return to;
}

int memcmp(const void* a, const void* b, std::size_t count) {
    return attn::compare_bytes(bytes_of(a), bytes_of(b), count);
}
}
