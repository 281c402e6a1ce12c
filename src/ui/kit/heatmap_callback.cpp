// A draw command that draws one heat map. It begins with a fingerprint that identifies an unchanged frame.
#include "ui/kit/heatmap_callback.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <span>

#include "core/ground/fingerprint.h"
#include "ui/kit/widgets.h"

namespace attn {
namespace {

struct Drawing {
    std::uint64_t fingerprint;  // first, where the platform looks for it: of what follows, and of what the slot holds
    HeatmapRenderer* heatmaps;
    int slot;
    PixelRect rect, clip;
    int framebuffer_width, framebuffer_height;
    HeatmapStyle style;
    std::optional<HeatmapPart> part;
};

std::uint64_t fingerprint_of(const Drawing& drawing) {
    const auto& [own, heatmaps, slot, rect, clip, width, height, style, part] = drawing;
    const auto& [map, is_dark, low, high, hatch, hidden, scale, gap, corner] = style;
    const auto& [first_row, first_column, rows, columns] = part.value_or(HeatmapPart());
    const std::uint64_t version = heatmaps->version_in(slot);
    const std::array<float, 19> lengths = {rect.x0,  rect.y0,  rect.x1, rect.y1, clip.x0, clip.y0, clip.x1,
                                           clip.y1,  low,      high,    hatch.r, hatch.g, hatch.b, hidden.r,
                                           hidden.g, hidden.b, scale,   gap,     corner};
    const std::array<int, 9> counts = {slot,         width, height, static_cast<int>(map), is_dark, first_row,
                                       first_column, rows,  columns};
    const std::array<std::uint64_t, 3> parts = {version, fingerprint(std::as_bytes(std::span(lengths))),
                                                fingerprint(std::as_bytes(std::span(counts)))};
    return fingerprint(std::as_bytes(std::span(parts)));
}

void draw(const ImDrawList*, const ImDrawCmd* command) {
    Drawing drawing;
    std::memcpy(&drawing, command->UserCallbackData, sizeof drawing);  // ImGui's copy may lie at any address
    drawing.heatmaps->draw(drawing.slot, drawing.rect, drawing.clip, drawing.framebuffer_width,
                           drawing.framebuffer_height, drawing.style, drawing.part);
}

}  // namespace

HeatmapStyle heatmap_style(const Palette& palette, ColorMap map, float low, float high, float scale) {
    const auto to_rgb = [](ImU32 color) {
        const ImVec4 parts = ImGui::ColorConvertU32ToFloat4(color);
        return Rgb{parts.x, parts.y, parts.z};
    };
    return {.map = map,
            .is_dark = palette.is_dark,
            .low = low,
            .high = high,
            .hatch = to_rgb(palette.hatch),
            .hidden = to_rgb(mix(palette.paper, palette.chip, 0.75F)),
            .scale = scale,
            .gap = std::max(1.0F, std::round(scale)),
            .corner = 2 * scale};
}

void put_heatmap(HeatmapRenderer& heatmaps, int slot, ImVec2 min, ImVec2 max, const HeatmapStyle& style,
                 const std::optional<HeatmapPart>& part) {
    const ImGuiIO& io = ImGui::GetIO();
    const ImVec2 origin = ImGui::GetMainViewport()->Pos;
    const ImVec2 scale = io.DisplayFramebufferScale;
    const auto to_pixels = [&](ImVec2 from, ImVec2 to) {
        return PixelRect{(from.x - origin.x) * scale.x, (from.y - origin.y) * scale.y, (to.x - origin.x) * scale.x,
                         (to.y - origin.y) * scale.y};
    };
    ImDrawList& list = *ImGui::GetWindowDrawList();
    Drawing drawing = {.fingerprint = 0,
                       .heatmaps = &heatmaps,
                       .slot = slot,
                       .rect = to_pixels(min, max),
                       .clip = to_pixels(list.GetClipRectMin(), list.GetClipRectMax()),
                       .framebuffer_width = static_cast<int>(io.DisplaySize.x * scale.x),
                       .framebuffer_height = static_cast<int>(io.DisplaySize.y * scale.y),
                       .style = style,
                       .part = part};
    drawing.fingerprint = fingerprint_of(drawing);
    list.AddCallback(draw, &drawing, sizeof drawing);
    list.AddCallback(ImDrawCallback_ResetRenderState, nullptr);
}

}  // namespace attn
