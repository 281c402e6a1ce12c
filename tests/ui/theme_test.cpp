// The palettes: legible in both themes.
#include "ui/theme.h"

#include <catch_amalgamated.hpp>

using namespace attn;

namespace {

Rgb rgb_of(ImU32 color) {
    const ImVec4 parts = ImGui::ColorConvertU32ToFloat4(color);
    return {parts.x, parts.y, parts.z};
}

double contrast_of(ImU32 a, ImU32 b) {
    return contrast(rgb_of(a), rgb_of(b));
}

}  // namespace

// 4.5 : 1 is what WCAG 2 asks of text, 3 : 1 of controls' parts.
TEST_CASE("every ink has a contrast of 4.5 on every ground it stands on", "[theme][property]") {
    const bool is_dark = GENERATE(false, true);
    const Palette& palette = palette_of(is_dark);
    CAPTURE(is_dark);
    CHECK(palette.is_dark == is_dark);
    for (const ImU32 ground : {palette.paper, palette.panel, palette.chip, palette.lit}) {
        CHECK(contrast_of(palette.ink, ground) >= 4.5);
    }
    for (const ImU32 ground : {palette.paper, palette.panel}) {
        CHECK(contrast_of(palette.soft_ink, ground) >= 4.5);
        CHECK(contrast_of(palette.accent, ground) >= 4.5);
        CHECK(contrast_of(palette.warning, ground) >= 4.5);
    }
    CHECK(contrast_of(palette.soft_ink, palette.chip) >= 4.5);
    CHECK(contrast_of(palette.on_accent, palette.accent) >= 4.5);
}

TEST_CASE("the colours that say where the pointer is differ from the ground", "[theme][property]") {
    const Palette& palette = palette_of(GENERATE(false, true));
    CHECK(palette.lit != palette.paper);
    CHECK(palette.lit != palette.chip);
    CHECK(palette.chip != palette.paper);
    CHECK(palette.hatch != palette.paper);
    CHECK(contrast_of(palette.accent, palette.panel) >= 3);  // the focus ring
}
