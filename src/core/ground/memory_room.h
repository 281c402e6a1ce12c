// Memory that can be refused. What a file, a link or a text decides is asked for first, and refused in a sentence where
// there is no room. Behind that stands one last resort for all allocations: the program says so and ends, with nothing
// half done.
#pragma once

#include <cstdint>

namespace attn {

// Whether so many bytes can be had now, in one piece. Takes them for a moment.
bool has_room_for(std::int64_t bytes);

// The end of a program whose memory was refused where nobody had asked first. Tells the handler.
#ifdef ATTN_CHECKS_WITHOUT_WORDS  // the engine module, which asks before each call and tells nobody
[[noreturn]] inline void end_for_memory() {
    __builtin_trap();
}
#else
[[noreturn]] void end_for_memory();
#endif

// For what reports whether it got its memory: ends the program if not.
inline void require_memory(bool is_granted) {
    if (!is_granted) end_for_memory();
}

// Called just before that end, also when operator new gets nothing: says it to whoever is there, and may end the
// program in its own way. It cannot have more memory. A test's handler may throw.
using MemoryHandler = void (*)();
void set_memory_handler(MemoryHandler handler);

}  // namespace attn
