// Whether memory can be had. To be asked before much is allocated, since a failed allocation ends the program.
#pragma once

#include <cstdint>

namespace attn {

// Whether so many bytes can be had now, in one piece. Takes them for a moment.
bool has_room_for(std::int64_t bytes);

}  // namespace attn
