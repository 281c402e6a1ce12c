// Computes where menus, cards and tips fit on the display.
#include "ui/kit/place.h"

#include <imgui_internal.h>  // the size that a tip had in the frame before

#include <algorithm>

#include "ui/look/theme.h"

namespace attn {
namespace {

constexpr float kGap = 4;            // between a window and what it belongs to
constexpr float kBorder = 8;         // between a window and the border of the display
constexpr float kLowest = 240;       // a window that scrolls is no lower than this, where the display is as high
constexpr float kMostNeighbor = 96;  // of a larger neighbour, only this much stays free

// As near to `wish` as a length that fits.
float held(float wish, float length, float display) {
    return std::max(kBorder, std::min(wish, display - kBorder - length));
}

}  // namespace

ScreenBox last_item_box() {
    return {ImGui::GetItemRectMin(), ImGui::GetItemRectMax()};
}

PopupPlace popup_place(const ScreenBox& button, float width, ImVec2 display) {
    PopupPlace place{};
    if (button.min.x + width <= display.x - kBorder) {
        place.at.x = std::max(kBorder, button.min.x);
    } else if (button.max.x - width >= kBorder) {
        place.at.x = button.max.x;
        place.pivot.x = 1;
    } else {
        place.at.x = (display.x - width) / 2;
    }
    const float below = display.y - kBorder - button.max.y - kGap;
    const float above = button.min.y - kGap - kBorder;
    const bool opens_up = below < kLowest && above > below;
    place.most_height = std::max(opens_up ? above : below, std::min(kLowest, display.y - 2 * kBorder));
    place.pivot.y = opens_up ? 1 : 0;
    place.at.y = opens_up ? std::max(button.min.y - kGap, kBorder + place.most_height)
                          : std::min(button.max.y + kGap, display.y - kBorder - place.most_height);
    return place;
}

void place_next_popup(const PopupPlace& place) {
    ImGui::SetNextWindowPos(place.at, ImGuiCond_Always, place.pivot);
}

ImVec2 tip_corner(ImVec2 size, const ScreenBox& about, ImVec2 display) {
    const float neighbor_x = std::min(about.max.x - about.min.x, kMostNeighbor);
    const float neighbor_y = std::min(about.max.y - about.min.y, kMostNeighbor);
    const ScreenBox apart = {{about.min.x - neighbor_x, about.min.y - neighbor_y},
                             {about.max.x + neighbor_x, about.max.y + neighbor_y}};
    const float x = held((about.min.x + about.max.x - size.x) / 2, size.x, display.x);
    const float y = held((about.min.y + about.max.y - size.y) / 2, size.y, display.y);
    const float right = apart.max.x + kGap;
    const float left = apart.min.x - kGap - size.x;
    const float below = apart.max.y + kGap;
    const float above = apart.min.y - kGap - size.y;
    const bool fits_right = right + size.x <= display.x - kBorder, fits_left = left >= kBorder;
    const bool fits_below = below + size.y <= display.y - kBorder, fits_above = above >= kBorder;
    // Across a corner: what stands in the same row and in the same column is read or pressed next.
    if ((fits_right || fits_left) && (fits_below || fits_above))
        return {fits_right ? right : left, fits_below ? below : above};
    if (fits_right) return {right, y};
    if (fits_left) return {left, y};
    if (fits_below) return {x, below};
    if (fits_above) return {x, above};
    return {x, held(about.max.y + kGap, size.y, display.y)};
}

namespace {

constexpr const char* kTipWindow = "##Tooltip_00";  // as ImGui calls it

}  // namespace

bool is_tip_unplaced() {
    ImGuiWindow* tip = ImGui::FindWindowByName(kTipWindow);
    if (tip == nullptr || !tip->Active) return false;
    const ImVec2 size = ImGui::CalcWindowNextAutoFitSize(tip);
    return size.x != tip->Size.x || size.y != tip->Size.y;
}

bool begin_tip(const ScreenBox& about) {
    ImGuiWindow* before = ImGui::FindWindowByName(kTipWindow);
    const ImVec2 size = before == nullptr ? ImVec2() : ImGui::CalcWindowNextAutoFitSize(before);
    ImGui::SetNextWindowPos(tip_corner(size, about, ImGui::GetIO().DisplaySize));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(12, 8));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, kRounding);
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(6, 2));
    const bool is_open = ImGui::BeginTooltip();
    if (!is_open) ImGui::PopStyleVar(3);
    return is_open;
}

void end_tip() {
    ImGui::EndTooltip();
    ImGui::PopStyleVar(3);
}

}  // namespace attn
