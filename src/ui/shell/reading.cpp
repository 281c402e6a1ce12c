// Above the picture while a model's files are read: how far it is, and the button that stops it. Escape stops it too.
#include <imgui.h>
#include <imgui_internal.h>  // whose key Escape is

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/ground/check.h"
#include "ui/kit/widgets.h"
#include "ui/shell/panels.h"
#include "ui/shell/progress.h"

namespace attn {

// Not inlined: it comes with a later part of the page.
[[gnu::noinline]] void draw_reading(UiFrame& frame) {
    constexpr float kPadding = 10;
    const float share = std::clamp(*frame.surroundings.read_share, 0.0F, 1.0F);
    const ImVec2 corner = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x;
    const ImVec2 opposite = {corner.x + width, corner.y + progress_row_height(frame) + 2 * kPadding};
    fill_box(corner, opposite, frame.palette.panel);
    frame_box(corner, opposite, frame.palette.edge);
    ImGui::SetCursorScreenPos({corner.x + kPadding, corner.y + kPadding});
    const bool is_pressed =
        put_progress_row(frame, width - 2 * kPadding,
                         {.words = concat("The model is being read: ", std::lround(share * 100), " %"),
                          .share = share,
                          .item = "stop_model",
                          .label = "Stop",
                          .button_width = text_size(bold(frame), "Stop").x + 28,
                          .bar = frame.palette.accent});
    if (is_pressed || ImGui::IsKeyPressed(ImGuiKey_Escape, ImGuiInputFlags_None, ImGuiKeyOwner_NoOwner)) {
        UiRequest request;
        request.kind = UiRequest::Kind::stop_model;
        frame.requests.push_back(std::move(request));
    }
    ImGui::SetCursorScreenPos(corner);
    ImGui::Dummy({width, opposite.y - corner.y});
}

}  // namespace attn
