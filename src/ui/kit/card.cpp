// An ImGui popup with a title line, as a card over the picture or a whole phone screen.
#include "ui/kit/card.h"

#include <algorithm>

#include "core/ground/check.h"
#include "ui/kit/touch.h"
#include "ui/kit/widgets.h"

namespace attn {
namespace {

constexpr float kPadding = 18;
constexpr float kDistance = 12;  // to the border of the canvas

void put_title(Canvas& canvas, std::string_view name, std::string_view title) {
    const float side = control_height(canvas) + 4;
    const ImVec2 corner = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x;
    draw_text_in(corner, {corner.x + width - side, corner.y + side}, {0, 0.5F},
                 {canvas.fonts.sans_bold, kTitleSize, canvas.palette.ink}, title);
    ImGui::SetCursorScreenPos({corner.x + width - side, corner.y});
    if (icon_button(canvas, concat(name, "=close"), Icon::close, "Close")) ImGui::CloseCurrentPopup();
    call_last_item(canvas, concat("Close “", title, "”"));
}

}  // namespace

bool begin_card(Canvas& canvas, const char* popup, std::string_view name, std::string_view title, float width) {
    if (!ImGui::IsPopupOpen(popup)) return false;
    const ImVec2 display = ImGui::GetIO().DisplaySize;
    if (canvas.layout == LayoutKind::phone) {
        ImGui::SetNextWindowPos({0, 0});
        ImGui::SetNextWindowSizeConstraints(display, display);
    } else {
        width = std::min(width, display.x - 2 * kDistance);
        const PopupPlace place = popup_place(last_item_box(), width, display);
        place_next_popup(place);
        ImGui::SetNextWindowSizeConstraints({width, 0}, {width, place.most_height});
    }
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(kPadding, kPadding - 4));
    const bool is_open = ImGui::BeginPopup(popup, ImGuiWindowFlags_NoMove);
    ImGui::PopStyleVar();
    if (!is_open) return false;
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(6, 8));  // up to end_card
    put_title(canvas, name, title);
    return true;
}

void end_card(Canvas& canvas) {
    scroll_by_finger(canvas);
    ImGui::EndPopup();
    ImGui::PopStyleVar();
}

}  // namespace attn
