#include "ui/matrix/heads_marks.h"

#include <algorithm>

#include "ui/kit/widgets.h"

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

void draw_wished_cells(const HeadsPicture& picture, ImVec2 corner) {
    constexpr float kSmallest = 9;  // however small the cell is
    if (!picture.stage.has_keys()) return;
    const Palette& palette = picture.frame.palette;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const ImVec2 clip_min = list.GetClipRectMin();
    const ImVec2 clip_max = list.GetClipRectMax();
    for (const Wish& wish : picture.frame.state.view.wish) {
        if (!picture.window.contains(wish.query, wish.key)) continue;
        ImVec2 min = picture.cell_min(corner, wish.query, wish.key);
        ImVec2 max = picture.cell_max(corner, wish.query, wish.key);
        if (max.y < clip_min.y || min.y > clip_max.y || max.x < clip_min.x || min.x > clip_max.x) continue;
        const float extra_x = std::max(0.0F, (kSmallest - (max.x - min.x)) / 2);
        const float extra_y = std::max(0.0F, (kSmallest - (max.y - min.y)) / 2);
        min = {min.x - extra_x, min.y - extra_y};
        max = {max.x + extra_x, max.y + extra_y};
        // On paper, so that the dashes are seen on dark cells too.
        frame_box({min.x, min.y}, {max.x, max.y}, palette.paper, 3, 4);
        dash_box({min.x, min.y}, {max.x, max.y}, palette.ink, 2, 4);
    }
}

}  // namespace attn
