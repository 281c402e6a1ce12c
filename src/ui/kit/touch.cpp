// Turns a finger's drag into the scrolling of the window under it.
#include "ui/kit/touch.h"

#include <imgui_internal.h>  // which window the finger went down in, and taking the press back

#include <cmath>

namespace attn {

void scroll_by_finger(const Canvas& canvas) {
    if (!canvas.is_touch || !ImGui::IsMouseDragging(ImGuiMouseButton_Left)) return;
    if (canvas.widgets.finger_is_taken) return;
    ImGuiContext& context = *ImGui::GetCurrentContext();
    ImGuiWindow* window = ImGui::GetCurrentWindow();
    const ImVec2 start = context.IO.MouseClickedPos[ImGuiMouseButton_Left];
    // The finger went down inside, and not in a child that scrolls by itself.
    if (!window->InnerRect.Contains(start) || context.MovingWindow != nullptr) return;
    const ImVec2 drag = ImGui::GetMouseDragDelta(ImGuiMouseButton_Left);
    const bool is_sideways = std::abs(drag.x) > std::abs(drag.y);
    const float room = is_sideways ? window->ScrollMax.x : window->ScrollMax.y;
    if (room <= 0) return;
    if (context.ActiveId != 0 && context.InputTextState.ID == context.ActiveId) return;  // it selects text
    ImGui::ClearActiveID();
    const ImVec2 step = context.IO.MouseDelta;
    if (is_sideways) {
        const float place = ImClamp(window->Scroll.x - step.x, 0.0F, window->ScrollMax.x);
        canvas.widgets.finger_scrolls = canvas.widgets.finger_scrolls || place != window->Scroll.x;
        ImGui::SetScrollX(window, place);
    } else {
        const float place = ImClamp(window->Scroll.y - step.y, 0.0F, window->ScrollMax.y);
        canvas.widgets.finger_scrolls = canvas.widgets.finger_scrolls || place != window->Scroll.y;
        ImGui::SetScrollY(window, place);
    }
}

}  // namespace attn
