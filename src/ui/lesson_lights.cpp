#include "ui/lesson_lights.h"

#include <algorithm>
#include <optional>

#include "core/check.h"
#include "playground/lessons.h"
#include "ui/layout.h"
#include "ui/widgets.h"

namespace attn {
namespace {

struct Box {
    ImVec2 min, max;
};

// Around all items that the name means and that are wholly in sight.
std::optional<Box> box_of(const UiFrame& frame, std::string_view target) {
    std::optional<Box> box;
    for (const UiItem& item : frame.items) {
        if (item.is_clipped || !is_item_of(item.name, target)) continue;
        if (!box) box = Box{.min = item.min, .max = item.max};
        box->min = {std::min(box->min.x, item.min.x), std::min(box->min.y, item.min.y)};
        box->max = {std::max(box->max.x, item.max.x), std::max(box->max.y, item.max.y)};
    }
    return box;
}

bool exists(const UiFrame& frame, std::string_view target) {
    return std::any_of(frame.items.begin(), frame.items.end(),
                       [&](const UiItem& item) { return is_item_of(item.name, target); });
}

// The item that opens what holds the target.
std::string_view opener_of(std::string_view target) {
    return target.starts_with("view=") ? "views" : "settings";
}

void draw_ring(const UiFrame& frame, const Box& box) {
    constexpr float kDistance = 4;
    ImDrawList& front = *ImGui::GetForegroundDrawList();
    const auto ring = [&](float distance, ImU32 color, float thickness) {
        front.AddRect({box.min.x - distance, box.min.y - distance}, {box.max.x + distance, box.max.y + distance}, color,
                      kRounding + distance, 0, thickness);
    };
    const ImU32 halo = (frame.palette.accent & ~IM_COL32_A_MASK) | (70U << IM_COL32_A_SHIFT);
    ring(kDistance, halo, 6);
    ring(kDistance, frame.palette.accent, 2);
}

}  // namespace

bool is_item_of(std::string_view item, std::string_view target) {
    if (!item.starts_with(target)) return false;
    const std::string_view rest = item.substr(target.size());
    return rest.empty() || rest == "-" || rest == "+" ||
           (rest.starts_with('=') && target.find('=') == std::string_view::npos);
}

void follow_lesson_step(UiFrame& frame) {
    PanelMemory& memory = frame.memory;
    if (memory.scroll_frames > 0 && --memory.scroll_frames == 0) memory.scroll_to.clear();
    const View& view = frame.state.view;
    const LessonStep* step = step_of(view);
    const std::string place = step == nullptr ? std::string() : concat(view.lesson, " ", view.step);
    if (place == memory.followed_step) return;
    memory.followed_step = place;
    memory.scroll_to.clear();
    if (step == nullptr) return;
    memory.lesson_steps[view.lesson] = view.step;
    memory.scroll_frames = 2;
    for (const std::string_view target : step->points_at) {
        for (const UiItem& item : frame.items) {
            if (is_item_of(item.name, target)) memory.scroll_to.push_back(item.name);
        }
    }
}

void draw_lesson_lights(UiFrame& frame) {
    const LessonStep* step = shows_part(frame, "lessons") ? step_of(frame.state.view) : nullptr;
    const bool is_covered = ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopupId | ImGuiPopupFlags_AnyPopupLevel) ||
                            (frame.layout == LayoutKind::phone && frame.memory.is_sheet_open);
    if (step == nullptr || is_covered) return;
    std::vector<std::string_view> targets;
    for (const std::string_view target : step->points_at) {
        const std::string_view seen = exists(frame, target) ? target : opener_of(target);
        if (std::find(targets.begin(), targets.end(), seen) == targets.end()) targets.push_back(seen);
    }
    for (const std::string_view target : targets) {
        if (const std::optional<Box> box = box_of(frame, target)) draw_ring(frame, *box);
    }
}

}  // namespace attn
