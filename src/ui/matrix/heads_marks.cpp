#include "ui/matrix/heads_marks.h"

#include <algorithm>

#include "ui/kit/widgets.h"
#include "views/lines/targets.h"

namespace attn {

void draw_selection_veil(const HeadsPicture& picture, ImVec2 corner) {
    const std::set<int>& select = picture.frame.state.view.select;
    if (select.empty()) return;
    constexpr float kShare = 0.68F;  // what is under it can still be made out
    const ImU32 paper = picture.frame.palette.paper;
    const ImU32 veil = (paper & ~IM_COL32_A_MASK) | static_cast<ImU32>(kShare * 255) << IM_COL32_A_SHIFT;
    const auto put_veil = [&](int first, int end) {  // over the rows [first, end)
        first = std::max(first, picture.window.first_row);
        end = std::min(end, picture.window.last_row + 1);
        if (first >= end) return;
        const ImVec2 min = picture.cell_min(corner, first, picture.window.first_column);
        const ImVec2 max = picture.cell_max(corner, end - 1, picture.window.last_column);
        ImGui::GetWindowDrawList()->AddRectFilled(min, max, veil);
    };
    int next = 0;
    for (const int row : select) {
        if (row >= picture.stage.rows) break;
        put_veil(next, row);
        next = row + 1;
    }
    put_veil(next, picture.stage.rows);
}

void draw_targets(const HeadsPicture& picture, int head, ImVec2 corner) {
    constexpr float kSmallest = 9;  // however small the cell is
    const PlaygroundState& state = picture.frame.state;
    const std::optional<TargetBrush>& brush = picture.frame.heads.brush;
    const std::vector<TargetCell>& targets = brush ? brush->inputs.targets : state.inputs.targets;
    if (!picture.stage.has_keys() || targets.empty()) return;
    const bool is_of_all = !picture.stage.is_by_head();
    const HeadRange heads = {.first = is_of_all ? 0 : head, .end = is_of_all ? state.inputs.num_heads : head + 1};
    const ImU32 color = picture.color_of(head);
    const Palette& palette = picture.frame.palette;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const ImVec2 clip_min = list.GetClipRectMin();
    const ImVec2 clip_max = list.GetClipRectMax();
    for (const TargetPair& pair : target_pairs(targets, state.view.sentence, heads)) {
        if (!picture.window.contains(pair.query, pair.key)) continue;
        ImVec2 min = picture.cell_min(corner, pair.query, pair.key);
        ImVec2 max = picture.cell_max(corner, pair.query, pair.key);
        if (max.y < clip_min.y || min.y > clip_max.y || max.x < clip_min.x || min.x > clip_max.x) continue;
        const float extra_x = std::max(0.0F, (kSmallest - (max.x - min.x)) / 2);
        const float extra_y = std::max(0.0F, (kSmallest - (max.y - min.y)) / 2);
        min = {min.x - extra_x, min.y - extra_y};
        max = {max.x + extra_x, max.y + extra_y};
        // On paper, so that the dashes are seen on dark cells too.
        frame_box({min.x, min.y}, {max.x, max.y}, palette.paper, 3.5F, 4);
        dash_box({min.x, min.y}, {max.x, max.y}, color, 2.5F, 4);
    }
}

}  // namespace attn
