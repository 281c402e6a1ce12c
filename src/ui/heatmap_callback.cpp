// See the header.
#include "ui/heatmap_callback.h"

#include <cstring>

namespace attn {
namespace {

struct Drawing {
    HeatmapRenderer* heatmaps;
    int slot;
    PixelRect rect, clip;
    int framebuffer_width, framebuffer_height;
    HeatmapStyle style;
    std::optional<HeatmapPart> part;
};

void draw(const ImDrawList*, const ImDrawCmd* command) {
    Drawing drawing;
    std::memcpy(&drawing, command->UserCallbackData, sizeof drawing);  // ImGui's copy may lie at any address
    drawing.heatmaps->draw(drawing.slot, drawing.rect, drawing.clip, drawing.framebuffer_width,
                           drawing.framebuffer_height, drawing.style, drawing.part);
}

}  // namespace

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
    Drawing drawing = {.heatmaps = &heatmaps,
                       .slot = slot,
                       .rect = to_pixels(min, max),
                       .clip = to_pixels(list.GetClipRectMin(), list.GetClipRectMax()),
                       .framebuffer_width = static_cast<int>(io.DisplaySize.x * scale.x),
                       .framebuffer_height = static_cast<int>(io.DisplaySize.y * scale.y),
                       .style = style,
                       .part = part};
    list.AddCallback(draw, &drawing, sizeof drawing);
    list.AddCallback(ImDrawCallback_ResetRenderState, nullptr);
}

}  // namespace attn
