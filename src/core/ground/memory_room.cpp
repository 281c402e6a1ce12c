// Allocates a block of memory and frees it at once.
#include "core/ground/memory_room.h"

#include <cstddef>
#include <cstdlib>

namespace attn {

bool has_room_for(std::int64_t bytes) {
    constexpr std::int64_t kMost = std::int64_t{1} << 39;  // 512 GiB: no machine this runs on
    if (bytes > kMost || static_cast<std::uint64_t>(bytes) > SIZE_MAX / 2) return false;
    void* volatile memory = std::malloc(static_cast<std::size_t>(bytes));  // volatile: else it is never asked for
    const bool has_room = memory != nullptr;
    std::free(memory);
    return has_room;
}

}  // namespace attn
