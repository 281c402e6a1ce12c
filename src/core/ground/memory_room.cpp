// Allocates a block of memory and frees it at once; and what happens when one cannot be had.
#include "core/ground/memory_room.h"

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <new>

namespace attn {

bool has_room_for(std::int64_t bytes) {
    constexpr std::uint64_t kMost = std::uint64_t{1} << 39;  // 512 GiB: no machine this runs on
    if (static_cast<std::uint64_t>(bytes) > std::min<std::uint64_t>(kMost, SIZE_MAX)) return false;
    void* volatile memory = std::malloc(static_cast<std::size_t>(bytes));  // volatile: else it is never asked for
    const bool has_room = memory != nullptr;
    std::free(memory);
    return has_room;
}

#ifndef ATTN_CHECKS_WITHOUT_WORDS
namespace {

MemoryHandler memory_handler = nullptr;

}  // namespace

void end_for_memory() {
    if (memory_handler != nullptr) memory_handler();
    std::abort();
}

void set_memory_handler(MemoryHandler handler) {
    memory_handler = handler;
    std::set_new_handler(handler == nullptr ? nullptr : end_for_memory);
}
#endif

}  // namespace attn
