// The two palettes for ImGui, and its style made from them.
#include "ui/look/theme.h"

namespace attn {
namespace {

// 0xRRGGBB, as colours are written on the web.
constexpr ImU32 rgb(unsigned hex) {
    return IM_COL32(hex >> 16U & 0xFFU, hex >> 8U & 0xFFU, hex & 0xFFU, 255);
}

constexpr Palette kLight = palette_as(kLightColors, rgb);
constexpr Palette kDark = palette_as(kDarkColors, rgb);

Rgb rgb_of(unsigned hex) {
    const auto part = [&](unsigned shift) { return static_cast<float>(hex >> shift & 0xFFU) / 255; };
    return {part(16), part(8), part(0)};
}

// `color` with its opacity replaced.
ImVec4 faded(ImU32 color, float alpha) {
    ImVec4 result = ImGui::ColorConvertU32ToFloat4(color);
    result.w = alpha;
    return result;
}

void apply_sizes(ImGuiStyle& style) {
    style.FontSizeBase = kTextSize;
    style.WindowPadding = {0, 0};  // panels bring their own margins
    style.WindowBorderSize = 0;
    style.WindowRounding = 0;
    style.WindowMinSize = {1, 1};
    style.ChildBorderSize = 0;
    style.ChildRounding = 0;
    style.PopupRounding = 8;
    style.PopupBorderSize = 1;
    style.FrameRounding = 7;
    style.FrameBorderSize = 1;
    style.FramePadding = {8, 6};
    style.ItemSpacing = {6, 6};
    style.ItemInnerSpacing = {6, 4};
    style.CellPadding = {4, 3};
    style.ScrollbarSize = 10;
    style.ScrollbarRounding = 5;
    style.GrabMinSize = 24;
    style.GrabRounding = 5;
    style.DisplaySafeAreaPadding = {8, 8};
    style.AntiAliasedLinesUseTex = false;  // the texture's lines blur at fractional device scales
    style.CircleTessellationMaxError = 0.1F;
    style.HoverFlagsForTooltipNav = ImGuiHoveredFlags_NoSharedDelay | ImGuiHoveredFlags_DelayShort;
}

}  // namespace

const Palette& palette_of(bool is_dark) {
    return is_dark ? kDark : kLight;
}

Palette forced_palette(const ForcedColors& colors) {
    const auto [paper, ink, link, chosen, on_chosen] = colors;
    const bool is_read =
        contrast(rgb_of(chosen), rgb_of(paper)) >= 4.5 && contrast(rgb_of(chosen), rgb_of(on_chosen)) >= 4.5;
    // The colour `share` percent of the way from one to the other.
    const auto between = [](unsigned from, unsigned to, unsigned share) {
        const auto part = [&](unsigned shift) {
            const unsigned a = from >> shift & 0xFFU;
            const unsigned b = to >> shift & 0xFFU;
            return (a * (100 - share) + b * share) / 100 << shift;
        };
        return part(16) | part(8) | part(0);
    };
    constexpr unsigned kMiddle = 128 * 3;  // of red, green and blue together
    const PaletteOf<unsigned> palette = {
        .is_dark = (paper >> 16U & 0xFFU) + (paper >> 8U & 0xFFU) + (paper & 0xFFU) < kMiddle,
        .paper = paper,
        .panel = paper,
        .ink = ink,
        .soft_ink = ink,
        .line = ink,
        .edge = ink,
        .accent = is_read ? chosen : link,
        .on_accent = is_read ? on_chosen : paper,
        .link = link,
        .lit = between(paper, link, 25),
        .chip = between(paper, ink, 15),
        .hatch = between(paper, ink, 35),
        .warning = ink};
    return palette_as(palette, rgb);
}

bool shows_dark(Theme theme, bool system_is_dark) {
    return theme == Theme::dark || (theme == Theme::automatic && system_is_dark);
}

void apply_style(const Palette& palette) {
    ImGuiStyle& style = ImGui::GetStyle();
    apply_sizes(style);
    const auto set = [&](ImGuiCol role, ImU32 color, float alpha = 1) { style.Colors[role] = faded(color, alpha); };
    if (palette.is_dark) {
        ImGui::StyleColorsDark(&style);
    } else {
        ImGui::StyleColorsLight(&style);
    }
    set(ImGuiCol_Text, palette.ink);
    set(ImGuiCol_TextDisabled, palette.soft_ink);
    set(ImGuiCol_WindowBg, palette.paper);
    set(ImGuiCol_ChildBg, palette.paper, 0);
    set(ImGuiCol_PopupBg, palette.panel);
    set(ImGuiCol_Border, palette.edge);
    set(ImGuiCol_FrameBg, palette.paper);
    set(ImGuiCol_FrameBgHovered, palette.chip);
    set(ImGuiCol_FrameBgActive, palette.chip);
    set(ImGuiCol_ScrollbarBg, palette.paper, 0);
    set(ImGuiCol_ScrollbarGrab, palette.edge);
    set(ImGuiCol_ScrollbarGrabHovered, palette.soft_ink, 0.6F);
    set(ImGuiCol_ScrollbarGrabActive, palette.soft_ink);
    set(ImGuiCol_Separator, palette.line);
    set(ImGuiCol_InputTextCursor, palette.accent);
    set(ImGuiCol_TextLink, palette.link);
    set(ImGuiCol_TextSelectedBg, palette.accent, 0.3F);
    set(ImGuiCol_NavCursor, palette.accent);
    set(ImGuiCol_NavWindowingHighlight, palette.accent, 0);
    set(ImGuiCol_NavWindowingDimBg, palette.ink, 0);
    set(ImGuiCol_ModalWindowDimBg, palette.ink, 0.3F);
}

ImU32 to_imgui(Rgb color, float alpha) {
    return ImGui::ColorConvertFloat4ToU32({color.r, color.g, color.b, alpha});
}

}  // namespace attn
