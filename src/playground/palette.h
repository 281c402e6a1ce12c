// The colours around the numbers, light and dark: panels and figures use the same. The maps have colormap.h.
#pragma once

namespace attn {

// 0xRRGGBB, as colours are written on the web.
struct PaletteColors {
    bool is_dark;
    unsigned paper, panel, ink, soft_ink, line, accent, on_accent, lit, chip, hatch, warning;
};

// Contrast: every ink on every ground it is used on has at least 4.5 : 1 (a test holds the palettes to that).
inline constexpr PaletteColors kLightColors = {.is_dark = false,
                                               .paper = 0xfaf9f6,
                                               .panel = 0xffffff,
                                               .ink = 0x1b1e24,
                                               .soft_ink = 0x5d6470,
                                               .line = 0xe2dfd8,
                                               .accent = 0x1f5fbf,
                                               .on_accent = 0xffffff,
                                               .lit = 0xfff3c4,
                                               .chip = 0xf0ede6,
                                               .hatch = 0xd9d4c8,
                                               .warning = 0x8a5200};

inline constexpr PaletteColors kDarkColors = {.is_dark = true,
                                              .paper = 0x14161a,
                                              .panel = 0x1c1f25,
                                              .ink = 0xe9e7e1,
                                              .soft_ink = 0x9aa1ad,
                                              .line = 0x2e323a,
                                              .accent = 0x7fb0ff,
                                              .on_accent = 0x14161a,
                                              .lit = 0x4a3f14,
                                              .chip = 0x262a32,
                                              .hatch = 0x30353e,
                                              .warning = 0xf2b84b};

}  // namespace attn
