// The colours around the numbers, light and dark: panels and figures use the same. The maps have colormap.h.
#pragma once

namespace attn {

// In whatever way its user writes a colour. What each says, and nothing else says it:
//   accent (blue)      chosen, can be pressed, has the focus
//   link (blue)        words that lead on; a contrast theme has another colour for them
//   warning (red)      wrong, or does not follow
//   edge               here a control ends: 3 : 1 and more against what it stands on
//   line               divides; nothing is lost if it is not seen
// Orange and violet are numbers above and below 0 (colormap.h); heads have neither them nor blue or red.
template <class Color>
struct PaletteOf {
    bool is_dark = false;
    Color paper, panel, ink, soft_ink, line, edge, accent, on_accent, link, lit, chip, hatch, warning;
};

// The same palette with each colour in another notation.
template <class From, class Write>
constexpr auto palette_as(const PaletteOf<From>& colors, const Write& write) {
    return PaletteOf<decltype(write(colors.ink))>{.is_dark = colors.is_dark,
                                                  .paper = write(colors.paper),
                                                  .panel = write(colors.panel),
                                                  .ink = write(colors.ink),
                                                  .soft_ink = write(colors.soft_ink),
                                                  .line = write(colors.line),
                                                  .edge = write(colors.edge),
                                                  .accent = write(colors.accent),
                                                  .on_accent = write(colors.on_accent),
                                                  .link = write(colors.link),
                                                  .lit = write(colors.lit),
                                                  .chip = write(colors.chip),
                                                  .hatch = write(colors.hatch),
                                                  .warning = write(colors.warning)};
}

// 0xRRGGBB, as colours are written on the web.
// Contrast: every ink on every ground it is used on has at least 4.5 : 1 (a test holds the palettes to that).
inline constexpr PaletteOf<unsigned> kLightColors = {.is_dark = false,
                                                     .paper = 0xfaf9f6,
                                                     .panel = 0xffffff,
                                                     .ink = 0x1b1e24,
                                                     .soft_ink = 0x5d6470,
                                                     .line = 0xe2dfd8,
                                                     .edge = 0x828791,
                                                     .accent = 0x1f5fbf,
                                                     .on_accent = 0xffffff,
                                                     .link = 0x1f5fbf,
                                                     .lit = 0xfff3c4,
                                                     .chip = 0xf0ede6,
                                                     .hatch = 0xd9d4c8,
                                                     .warning = 0xb3203c};

inline constexpr PaletteOf<unsigned> kDarkColors = {.is_dark = true,
                                                    .paper = 0x14161a,
                                                    .panel = 0x1c1f25,
                                                    .ink = 0xe9e7e1,
                                                    .soft_ink = 0x9aa1ad,
                                                    .line = 0x2e323a,
                                                    .edge = 0x717783,
                                                    .accent = 0x7fb0ff,
                                                    .on_accent = 0x14161a,
                                                    .link = 0x7fb0ff,
                                                    .lit = 0x4a3f14,
                                                    .chip = 0x262a32,
                                                    .hatch = 0x30353e,
                                                    .warning = 0xff8595};

}  // namespace attn
