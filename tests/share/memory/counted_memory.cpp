#include "share/memory/counted_memory.h"

#include <malloc.h>

#include <cstddef>
#include <cstdlib>
#include <new>

namespace attn::test {
namespace {

struct Counter {
    bool is_on = false;
    MemoryLimits limits;
    MemoryCount count;
    std::int64_t taken = 0;  // since the beginning; less than 0 where more was given back
    std::int64_t taken_by_new = 0;
};

Counter counter;

bool is_refused(std::size_t size) {
    return counter.is_on && static_cast<std::int64_t>(size) > counter.limits.most_bytes - counter.taken;
}

void add(std::int64_t bytes, bool is_new) {
    counter.taken += bytes;
    if (is_new) counter.taken_by_new += bytes;
    if (counter.taken_by_new > counter.count.most_bytes) counter.count.most_bytes = counter.taken_by_new;
}

}  // namespace

void begin_counting(const MemoryLimits& limits) {
    counter = Counter();
    counter.limits = limits;
    counter.is_on = true;
}

MemoryCount end_counting() {
    counter.is_on = false;
    return counter.count;
}

}  // namespace attn::test

using attn::test::add;
using attn::test::counter;
using attn::test::is_refused;

// What the linker makes of the calls of these functions, and the functions themselves.
extern "C" {
void* __real_malloc(std::size_t size);
void __real_free(void* memory);

void* __wrap_malloc(std::size_t size) {
    const bool is_it = counter.is_on && ++counter.count.num_mallocs == counter.limits.refused_malloc;
    void* memory = is_it || is_refused(size) ? nullptr : __real_malloc(size);
    if (memory == nullptr) ++counter.count.num_refused;
    if (memory != nullptr) add(static_cast<std::int64_t>(malloc_usable_size(memory)), false);
    return memory;
}

void __wrap_free(void* memory) {
    if (memory != nullptr) add(-static_cast<std::int64_t>(malloc_usable_size(memory)), false);
    __real_free(memory);
}
}

namespace {

void* take(std::size_t size) {
    ++counter.count.num_requests;
    void* memory = is_refused(size) ? nullptr : __real_malloc(size > 0 ? size : 1);
    if (memory == nullptr) {
        counter.count.was_new_refused = true;
        throw std::bad_alloc();
    }
    add(static_cast<std::int64_t>(malloc_usable_size(memory)), true);
    return memory;
}

void give_back(void* memory) {
    if (memory != nullptr) add(-static_cast<std::int64_t>(malloc_usable_size(memory)), true);
    __real_free(memory);
}

}  // namespace

void* operator new(std::size_t size) {
    return take(size);
}
void* operator new[](std::size_t size) {
    return take(size);
}
void operator delete(void* memory) noexcept {
    give_back(memory);
}
void operator delete[](void* memory) noexcept {
    give_back(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
    give_back(memory);
}
void operator delete[](void* memory, std::size_t) noexcept {
    give_back(memory);
}
