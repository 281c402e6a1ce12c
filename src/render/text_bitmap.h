// A piece of text as pixels, drawn by the platform's own text engine: for scripts and emoji that the built-in font
// lacks.
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

namespace attn {

inline constexpr int kMaxTextBitmapWidth = 2048;  // device pixels; longer text ends in an ellipsis

struct TextBitmap {
    int width = 0;  // device pixels; 0: nothing could be drawn
    int height = 0;
    float left = 0;                  // from the pen position to the left edge, device pixels
    float top = 0;                   // from the baseline up to the top edge, device pixels
    float advance = 0;               // how far the pen moves, device pixels
    bool is_colored = false;         // emoji: take the colours as they are; else only alpha counts. Letters beside an
                                     // emoji are then grey, legible on light and dark
    std::vector<std::uint8_t> rgba;  // width * height * 4, row-major from the top, not premultiplied
};

// Draws the whole string (shaped, right-to-left where the script is) at `pixel_size` device pixels per em, on one line.
// Any bytes; sizes outside (0, 512] and empty strings give an empty bitmap.
using RasterizeText = std::function<TextBitmap(std::string_view text, float pixel_size, bool is_bold)>;

}  // namespace attn
