// The fonts of the canvas: IBM Plex Sans and Mono, and the platform's text engine for everything they lack.
// A string with characters the built-in font does not have is drawn whole, as one picture, by the platform: so Arabic is
// joined and runs from right to left, and an emoji of several code points is one emoji.
#pragma once

#include <imgui.h>

#include <string>
#include <string_view>

#include "render/text_bitmap.h"

namespace attn {

struct Fonts {
    ImFont* sans = nullptr;
    ImFont* sans_bold = nullptr;
    ImFont* mono = nullptr;
};

// Adds the embedded fonts, and the platform's text engine as a fallback source, to the current ImGui context.
Fonts load_fonts(const RasterizeText& rasterize);

// What to hand to ImGui so that `text` is drawn in full: `text` itself where the built-in font has every character,
// otherwise a stand-in character for the whole string. Stand-ins live as long as the ImGui context (a few thousand; the
// least recently used make room).
std::string drawable(std::string_view text);

}  // namespace attn
