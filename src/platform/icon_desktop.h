// The program's icon: the four cells of the page's logo (web/icon.svg), drawn at the size that is wanted.
#pragma once

#include <cstdint>
#include <vector>

namespace attn {

// size * size pixels of RGBA, row-major from the top, not premultiplied. 8 <= size <= 1024.
std::vector<std::uint8_t> draw_icon(int size);

}  // namespace attn
