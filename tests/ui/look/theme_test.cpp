// The palettes: legible in both themes.
#include "ui/look/theme.h"

#include <algorithm>
#include <catch_amalgamated.hpp>
#include <cmath>

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

TEST_CASE("borders of controls and icons have a contrast of 3 on every ground they stand on", "[theme][property]") {
    const Palette& palette = palette_of(GENERATE(false, true));
    CAPTURE(palette.is_dark);
    for (const ImU32 ground : {palette.paper, palette.panel, palette.chip}) {
        for (const ImU32 part : {palette.edge, palette.soft_ink, palette.ink, palette.accent, palette.warning}) {
            CHECK(contrast_of(part, ground) >= 3);
        }
    }
}

TEST_CASE("a colour that says something is no colour of a head", "[theme][property]") {
    const bool is_dark = GENERATE(false, true);
    const Palette& palette = palette_of(is_dark);
    const auto hue = [](Rgb color) {
        float h = 0;
        float saturation = 0;
        float value = 0;
        ImGui::ColorConvertRGBtoHSV(color.r, color.g, color.b, h, saturation, value);
        return saturation < 0.2F ? -1.0F : 360 * h;  // greys have none
    };
    const auto apart = [](float a, float b) { return std::min(std::abs(a - b), 360 - std::abs(a - b)); };
    const Rgb below = map_color(ColorMap::diverging, is_dark, 0);
    const Rgb above = map_color(ColorMap::diverging, is_dark, 1);
    for (const Rgb said : {rgb_of(palette.accent), rgb_of(palette.warning), below, above}) {
        CAPTURE(is_dark, hue(said));
        for (int head = 0; head < 8; ++head) {
            const float of_head = hue(head_color(head, is_dark));
            CAPTURE(head, of_head);
            // Brown and red are told apart by how much of the colour there is.
            const bool is_brown = of_head >= 10 && of_head <= 25;
            if (of_head >= 0 && !is_brown) CHECK(apart(hue(said), of_head) >= 18);
        }
    }
    CHECK(apart(hue(rgb_of(palette.accent)), hue(below)) >= 18);
    CHECK(apart(hue(rgb_of(palette.warning)), hue(above)) >= 14);
}

TEST_CASE("a palette made of the system's colours keeps their contrast", "[theme][property]") {
    // Windows' contrast themes: Aquatic, Desert, Dusk, Night sky; and black on white.
    const ForcedColors colors = GENERATE(ForcedColors{0x202020, 0xffffff, 0x75e9fc, 0x8ee3f0, 0x263b50},
                                         ForcedColors{0xfffaef, 0x3d3d3d, 0x1c5e75, 0x903909, 0xfff5e3},
                                         ForcedColors{0x2d3236, 0xffffff, 0x70ebde, 0xa1bfde, 0x212d3b},
                                         ForcedColors{0x000000, 0xffffff, 0x8080ff, 0xd6b4fd, 0x2b2b2b},
                                         ForcedColors{0xffffff, 0x000000, 0x0000ee, 0xb5d5ff, 0x000000});
    const Palette palette = forced_palette(colors);
    CHECK(palette.is_dark == (colors[0] < colors[1]));
    for (const ImU32 ground : {palette.paper, palette.panel, palette.chip, palette.lit}) {
        CHECK(contrast_of(palette.ink, ground) >= 4.5);
    }
    CHECK(contrast_of(palette.accent, palette.paper) >= 4.5);
    CHECK(contrast_of(palette.on_accent, palette.accent) >= 4.5);
    CHECK(contrast_of(palette.link, palette.paper) >= 4.5);
    CHECK(palette.lit != palette.paper);
    CHECK(palette.chip != palette.paper);
}

TEST_CASE("what is chosen has the system's colour for it, unless that cannot be read on the ground", "[theme]") {
    const Palette desert = forced_palette({0xfffaef, 0x3d3d3d, 0x1c5e75, 0x903909, 0xfff5e3});
    CHECK(desert.accent == IM_COL32(0x90, 0x39, 0x09, 0xff));
    CHECK(desert.link == IM_COL32(0x1c, 0x5e, 0x75, 0xff));
    const Palette pale = forced_palette({0xffffff, 0x000000, 0x0000ee, 0xb5d5ff, 0x000000});
    CHECK(pale.accent == pale.link);
    CHECK(pale.on_accent == pale.paper);
}

TEST_CASE("the colours that say where the pointer is differ from the ground", "[theme][property]") {
    const Palette& palette = palette_of(GENERATE(false, true));
    CHECK(palette.lit != palette.paper);
    CHECK(palette.lit != palette.chip);
    CHECK(palette.chip != palette.paper);
    CHECK(palette.hatch != palette.paper);
    CHECK(contrast_of(palette.accent, palette.panel) >= 3);  // the focus ring
}
