// Memory as the program asks for it, counted, and refused where a test says so. Stands in for operator new, malloc and
// what belongs to them in the program that counted_memory.cpp is linked into (--wrap, see CMakeLists.txt).
#pragma once

#include <cstdint>

namespace attn::test {

struct MemoryLimits {
    std::int64_t most_bytes = std::int64_t{1} << 60;  // at a time, beside what was there at the beginning
    std::int64_t refused_malloc = 0;  // the n-th one gets nothing, from 1; operator new is not counted for this
};

struct MemoryCount {
    std::int64_t most_bytes = 0;    // by operator new, at a time
    std::int64_t num_requests = 0;  // of operator new
    std::int64_t num_mallocs = 0;   // what asks whether there is room, and what unpacks archives
    bool was_new_refused = false;   // std::bad_alloc was thrown: on the page the program would have ended
    std::int64_t num_refused = 0;   // mallocs
};

// From now on.
void begin_counting(const MemoryLimits& limits = {});
MemoryCount end_counting();

}  // namespace attn::test
