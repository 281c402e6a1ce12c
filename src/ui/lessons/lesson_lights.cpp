// Finds the boxes of a step's targets, and the room for a ring around them.
#include "ui/lessons/lesson_lights.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <vector>

#include "core/ground/check.h"
#include "playground/lessons/lessons.h"
#include "playground/link/own_task.h"
#include "ui/frame/layout.h"
#include "ui/kit/widgets.h"

namespace attn {
namespace {

bool exists(const Canvas& canvas, std::string_view target) {
    return std::any_of(canvas.items.begin(), canvas.items.end(),
                       [&](const UiItem& item) { return is_item_of(item.name, target); });
}

void draw_ring(const Look& look, const ScreenBox& box) {
    ImDrawList& front = *ImGui::GetForegroundDrawList();
    const auto ring = [&](ImU32 color, float thickness) {
        front.AddRect(box.min, box.max, color, kRounding + 4, 0, thickness);
    };
    const ImU32 halo = (look.palette.accent & ~IM_COL32_A_MASK) | (70U << IM_COL32_A_SHIFT);
    ring(halo, kRingWidth);
    ring(look.palette.accent, 2);
}

// The boxes of what a target names.
struct Marked {
    ScreenBox all;
    float own_bottom = 0;  // where its own part ends and words shared with its neighbours begin
};

std::optional<Marked> marked_by(std::span<const UiItem> items, std::string_view target) {
    std::optional<Marked> marked;
    for (const UiItem& item : items) {
        if (item.is_clipped || !is_item_of(item.name, target)) continue;
        const float bottom = item.own_bottom > 0 ? item.own_bottom : item.max.y;
        if (!marked) marked = Marked{.all = {item.min, item.max}, .own_bottom = bottom};
        ScreenBox& all = marked->all;
        all.min = {std::min(all.min.x, item.min.x), std::min(all.min.y, item.min.y)};
        all.max = {std::max(all.max.x, item.max.x), std::max(all.max.y, item.max.y)};
        marked->own_bottom = std::max(marked->own_bottom, bottom);
    }
    return marked;
}

ScreenBox ring_of(std::span<const UiItem> items, const Marked& marked) {
    constexpr float kDistance = 4;
    const ScreenBox& box = marked.all;
    constexpr float kInside = 2;  // of its middle, if nothing is free: both boxes' words are 5 points from the border
    // The free room on each side, at least 0.
    float left = kDistance + kInside;
    float right = left;
    float above = left;
    float below = marked.own_bottom < box.max.y ? 0 : left;
    for (const UiItem& item : items) {
        const bool is_inside = item.min.x >= box.min.x && item.max.x <= box.max.x;
        const bool is_beside = item.min.y < box.max.y && item.max.y > box.min.y;
        const bool is_over = item.min.x < box.max.x && item.max.x > box.min.x;
        if (item.is_clipped) continue;         // scrolled away, it needs no room
        if (is_inside && is_beside) continue;  // it is marked itself
        if (is_beside && item.min.x >= box.max.x - 0.5F) right = std::min(right, item.min.x - box.max.x);
        if (is_beside && item.max.x <= box.min.x + 0.5F) left = std::min(left, box.min.x - item.max.x);
        if (is_over && item.min.y >= box.max.y - 0.5F) below = std::min(below, item.min.y - box.max.y);
        if (is_over && item.max.y <= box.min.y + 0.5F) above = std::min(above, box.min.y - item.max.y);
    }
    const auto distance = [](float free) { return std::max(free, 0.0F) - kInside; };
    return {.min = {box.min.x - distance(left), box.min.y - distance(above)},
            .max = {box.max.x + distance(right), marked.own_bottom + distance(below)}};
}

}  // namespace

bool is_item_of(std::string_view item, std::string_view target) {
    if (!item.starts_with(target)) return false;
    const std::string_view rest = item.substr(target.size());
    return rest.empty() || rest == "-" || rest == "+" ||
           (rest.starts_with('=') && target.find('=') == std::string_view::npos);
}

// Not inlined: a lesson needs it, the first picture does not.
[[gnu::noinline]] std::vector<ScreenBox> rings_around(std::span<const UiItem> items,
                                                      std::span<const std::string_view> targets) {
    std::vector<Marked> marked;
    for (const std::string_view target : targets) {
        if (const std::optional<Marked> one = marked_by(items, target)) marked.push_back(*one);
    }
    // Boxes in a row that touch each other get one ring.
    for (std::size_t i = 0; i + 1 < marked.size();) {
        const ScreenBox& a = marked[i].all;
        const ScreenBox& b = marked[i + 1].all;
        const bool touch = std::abs(a.max.x - b.min.x) < 1 && a.min.y == b.min.y && a.max.y == b.max.y;
        if (touch) {
            marked[i].all.max.x = b.max.x;
            marked[i].own_bottom = a.max.y;
            marked.erase(marked.begin() + static_cast<std::ptrdiff_t>(i) + 1);
        } else {
            ++i;
        }
    }
    std::vector<ScreenBox> rings;
    rings.reserve(marked.size());
    for (const Marked& one : marked) rings.push_back(ring_of(items, one));
    return rings;
}

std::string_view opener_of(std::string_view target) {
    if (target.starts_with("token=") || target == "sentence-" || target == "sentence+") return "tokens";
    return target.starts_with("view=") ? "views" : "settings";
}

namespace {

bool has_all_targets(const Display& display, const LessonStep& step) {
    return std::ranges::all_of(step.points_at, [&](std::string_view target) { return exists(display, target); });
}

void scroll_to_targets(Display& display, const LessonStep& step) {
    display.memory.scroll_frames = 2;
    display.widgets.is_moving = true;
    for (const std::string_view target : step.points_at) {
        for (const UiItem& item : display.items) {
            if (is_item_of(item.name, target)) display.widgets.scroll_to.push_back(item.name);
        }
    }
}

// Once more when items that were not there have come.
void scroll_later(Display& display, const LessonStep* step) {
    int& tries = display.memory.scroll_tries;
    if (step == nullptr || tries == 0) return;
    const bool is_time = has_all_targets(display, *step);
    tries = is_time ? 0 : tries - 1;
    if (is_time) scroll_to_targets(display, *step);
}

}  // namespace

void follow_lesson_step(Display& display) {
    PanelMemory& memory = display.memory;
    if (memory.scroll_frames > 0 && --memory.scroll_frames == 0) display.widgets.scroll_to.clear();
    if (memory.scroll_frames > 0) display.widgets.is_moving = true;
    const View& view = display.state.view;
    const LessonStep* step = step_of(view);
    const std::string place = step == nullptr ? std::string() : concat(view.lesson, " ", view.step);
    if (place == memory.followed_step) return scroll_later(display, step);
    memory.followed_step = place;
    memory.scroll_tries = 0;
    display.widgets.scroll_to.clear();
    if (step == nullptr) return;
    if (!is_task(view.lesson)) {  // which is in no menu
        memory.lesson_steps[view.lesson] = view.step;
        memory.visited_steps[view.lesson].insert(view.step);
        memory.last_lesson = view.lesson;
        memory.last_step = view.step;
    }
    memory.shows_struck = false;
    constexpr int kMostTries = 120;
    if (!has_all_targets(display, *step)) memory.scroll_tries = kMostTries;
    scroll_to_targets(display, *step);
}

void draw_lesson_lights(Display& display) {
    const LessonStep* step = shows_part(display, "lessons") ? step_of(display.state.view) : nullptr;
    const bool is_covered = ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopupId | ImGuiPopupFlags_AnyPopupLevel) ||
                            (display.layout == LayoutKind::phone && display.memory.sheet.stop != SheetStop::closed);
    if (step == nullptr || is_covered) return;
    std::vector<std::string_view> targets;
    for (const std::string_view target : step->points_at) {
        const std::string_view seen = exists(display, target) ? target : opener_of(target);
        if (std::find(targets.begin(), targets.end(), seen) == targets.end()) targets.push_back(seen);
    }
    for (const ScreenBox& ring : rings_around(display.items, targets)) draw_ring(display, ring);
}

}  // namespace attn
