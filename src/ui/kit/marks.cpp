#include "ui/kit/marks.h"

#include <imgui_internal.h>  // taking a press back

#include <algorithm>
#include <array>
#include <cmath>

namespace attn {

void draw_check_mark(ImVec2 center, float size, ImU32 color) {
    const float half = size / 2;
    const std::array<ImVec2, 3> points = {{{center.x - half * 0.8F, center.y + half * 0.1F},
                                           {center.x - half * 0.2F, center.y + half * 0.7F},
                                           {center.x + half * 0.9F, center.y - half * 0.7F}}};
    ImGui::GetWindowDrawList()->AddPolyline(points.data(), static_cast<int>(points.size()), color, 0, 1.8F);
}

void draw_target_line(const Look& look, ImVec2 from, ImVec2 to, float radius, ImU32 ink) {
    constexpr float kDash = 7;
    constexpr float kGap = 5;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const ImU32 paper = look.palette.paper;
    const float length = std::hypot(to.x - from.x, to.y - from.y);
    if (length > 2 * radius) {
        const auto along = [&](float way) {
            return ImVec2(from.x + (to.x - from.x) * way / length, from.y + (to.y - from.y) * way / length);
        };
        const float end = length - radius;
        for (float way = radius; way < end; way += kDash + kGap) {
            const float dash_end = std::min(way + kDash, end);
            list.AddLine(along(std::max(way - 1, 0.0F)), along(dash_end + 1), paper, 4.5F);
            list.AddLine(along(way), along(dash_end), ink, 2);
        }
    }
    for (const ImVec2 place : {from, to}) {
        list.AddCircleFilled(place, radius + 1, paper);
        list.AddCircle(place, radius, ink, 0, 2);
    }
}

bool is_held_long(const Look& look) {
    constexpr float kLong = 0.5F;  // seconds
    const ImGuiIO& io = ImGui::GetIO();
    if (!look.is_touch || !ImGui::IsItemActive() || !ImGui::IsMouseDown(ImGuiMouseButton_Left)) return false;
    if (ImGui::IsMouseDragging(ImGuiMouseButton_Left) || io.MouseDownDuration[ImGuiMouseButton_Left] < kLong)
        return false;
    ImGui::ClearActiveID();  // letting go is then no tap
    return true;
}

}  // namespace attn
