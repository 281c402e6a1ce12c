// The reader's path from number to number, and the way back.
#include <imgui.h>

#include "core/ground/check.h"
#include "ui/frame/pins.h"
#include "ui/inspector/inspector.h"
#include "ui/inspector/inspector_memory.h"
#include "ui/kit/widgets.h"

namespace attn {
namespace {

constexpr std::string_view kArrow = " › ";
constexpr std::string_view kCut = "… › ";

CellRef ref_of(const PlaygroundState& state, const Cell& cell) {
    return {state.view.stage, cell.head, cell.row, cell.column, state.inputs.layer};
}

// "weights 7, 1"
std::string step_text(const CellRef& cell) {
    return concat(stage_title(cell.tensor), " ", cell.row, ",", cell.column);
}

void go_back_to(UiFrame& frame, std::size_t step) {
    InspectorMemory& memory = inspector_memory(frame.memory);
    const CellRef cell = memory.trail[step];
    memory.trail.resize(step);
    memory.trail_end = cell;
    frame.next.inputs.layer = cell.layer;
    go_to(frame.next.view, cell);
}

// Keeps the last steps that fit `width`.
std::size_t first_that_fits(Display& display, float width) {
    const std::vector<CellRef>& trail = inspector_memory(display.memory).trail;
    const TextStyle style = small(display);
    const float arrow = text_size(style, kArrow).x;
    float left = width - text_size(style, kCut).x;
    std::size_t first = trail.size();
    while (first > 0) {
        left -= text_size(style, step_text(trail[first - 1])).x + arrow;
        if (left < 0 && first < trail.size()) break;
        --first;
    }
    return first;
}

// Text in the middle of the button's height, with the cursor after it.
void put_beside(const Look& look, std::string_view text, float top, float height) {
    ImGui::SetCursorPosY(top + (height - kSmallSize) / 2);
    put_text(small(look), text);
    ImGui::SameLine(0, 0);
}

}  // namespace

InspectorMemory& inspector_memory(PanelMemory& memory) {
    if (!memory.inspector) memory.inspector = std::make_shared<InspectorMemory>();
    return *memory.inspector;
}

void walk_to(UiFrame& frame, const CellRef& cell) {
    InspectorMemory& memory = inspector_memory(frame.memory);
    constexpr std::size_t kLongest = 32;
    if (const std::optional<Cell> from = explained_cell(frame)) {
        const CellRef step = ref_of(frame.state, *from);
        if (!memory.trail.empty() && step != memory.trail_end) memory.trail.clear();
        memory.trail.push_back(step);
        if (memory.trail.size() > kLongest) memory.trail.erase(memory.trail.begin());
    }
    memory.trail_end = cell;
    if (!is_from_below(frame.state.view.stage, cell.tensor)) memory.trail_end.layer = frame.state.inputs.layer;
    frame.next.inputs.layer = memory.trail_end.layer;
    go_to(frame.next.view, cell);
}

void put_trail(UiFrame& frame) {
    InspectorMemory& memory = inspector_memory(frame.memory);
    if (memory.trail.empty()) return;
    const View& view = frame.state.view;
    if (!view.cell || ref_of(frame.state, *view.cell) != memory.trail_end) {  // somebody pinned another cell
        memory.trail.clear();
        return;
    }
    const std::size_t count = memory.trail.size();
    if (icon_button(frame, "back", Icon::left, "Back to the number before")) return go_back_to(frame, count - 1);
    ImGui::SameLine(0, 6);
    const TextStyle style = small(frame);
    const float line = text_link_height(frame, style);
    const float top = ImGui::GetCursorPosY();
    const float height = control_height(frame) + 4;  // the button's
    const std::size_t first = first_that_fits(frame, ImGui::GetContentRegionAvail().x);
    if (first > 0) put_beside(frame, kCut, top, height);
    for (std::size_t step = first; step < count; ++step) {
        ImGui::SetCursorPosY(top + (height - line) / 2);
        if (text_link(frame, concat("trail=", step), style, step_text(memory.trail[step])))
            return go_back_to(frame, step);
        ImGui::SameLine(0, 0);
        put_beside(frame, kArrow, top, height);
    }
    ImGui::NewLine();
    ImGui::SetCursorPosY(top + height);
}

}  // namespace attn
