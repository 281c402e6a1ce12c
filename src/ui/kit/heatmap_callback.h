// Puts a heat map into ImGui's draw list: the list draws it between the commands added before and after.
#pragma once

#include <imgui.h>

#include <optional>

#include "render/heatmap.h"
#include "ui/look/theme.h"

namespace attn {

// How every map looks: the colours of the theme, numbers from `low` to `high`, `scale` device pixels a point.
HeatmapStyle heatmap_style(const Palette& palette, ColorMap map, float low, float high, float scale);

// The slot (which must hold something) into [min, max], screen points, clipped to the current clip rectangle of the
// current window. Corners should lie on whole device pixels. `part`: the cells that are drawn; without it all of them.
void put_heatmap(HeatmapRenderer& heatmaps, int slot, ImVec2 min, ImVec2 max, const HeatmapStyle& style,
                 const std::optional<HeatmapPart>& part = {});

}  // namespace attn
