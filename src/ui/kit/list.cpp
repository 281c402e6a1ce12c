// A child window without gaps between its lines.
#include "ui/kit/list.h"

#include <imgui.h>

#include <algorithm>

#include "ui/kit/touch.h"

namespace attn {

float list_line_height(const Look& look) {
    return look.is_touch ? 40.0F : 20.0F;
}

void begin_list(const Look& look, const char* id, int num_lines, int most) {
    const int in_sight = std::min(num_lines, most);
    const float height = static_cast<float>(in_sight) * list_line_height(look);
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, 0));
    ImGui::BeginChild(id, {0, std::max(height, 1.0F)}, ImGuiChildFlags_NavFlattened);
}

void end_list(const Canvas& canvas) {
    scroll_by_finger(canvas);
    ImGui::EndChild();
    ImGui::PopStyleVar();
}

}  // namespace attn
