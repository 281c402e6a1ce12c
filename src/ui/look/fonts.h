// The fonts of the canvas: IBM Plex Sans and Mono, and the platform's text engine for everything they lack.
// The platform draws words with other characters whole, as one picture: so Arabic is joined and runs from right to
// left, an accent sits on its letter, and an emoji of several code points is one emoji.
#pragma once

#include <string>
#include <string_view>

#include "render/text_bitmap.h"
#include "ui/look/font_set.h"

namespace attn {

// Adds the embedded fonts, and the platform's text engine as a fallback source, to the current ImGui context. The
// characters that the program does not write itself are added by the first text that has one (drawable).
Fonts load_fonts(const RasterizeText& rasterize);

// What to hand to ImGui so that `text` (UTF-8, any length) is drawn in full, with any of the three fonts: `text` itself
// where they have every character; otherwise each group of neighbouring words that they cannot draw is replaced by one
// stand-in character, whose picture is the whole group. Of a text that runs from right to left (is_right_to_left) all
// words are drawn so, and its groups stand from right to left. Groups longer than 60 characters are split; control
// characters become visible signs. Stand-ins live as long as the ImGui context; there are 6,400, and the least recently
// used make room. Ask again in every frame. Needs load_fonts.
std::string drawable(std::string_view text);

}  // namespace attn
