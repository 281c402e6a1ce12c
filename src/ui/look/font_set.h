// The three fonts of the canvas, and how large they are.
#pragma once

#include <imgui.h>

namespace attn {

struct Fonts {
    ImFont* sans = nullptr;
    ImFont* sans_bold = nullptr;
    ImFont* mono = nullptr;
};

// ImGui's font size is the height of a line, and a line of IBM Plex is 1.3 em high. font_size(14) is what a web page
// calls 14 px: letters of the same size, lines 18.2 points apart (ImGui rounds to 18).
constexpr float kLinePerEm = 1.3F;
constexpr float font_size(float em) {
    return em * kLinePerEm;
}

}  // namespace attn
