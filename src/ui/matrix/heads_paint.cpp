// Turns clicks, drags and resting fingers into targets.
#include "ui/matrix/heads_paint.h"

#include <imgui.h>
#include <imgui_internal.h>  // keys that nobody owns

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "playground/link/hiding.h"
#include "ui/frame/layout.h"
#include "ui/kit/marks.h"
#include "ui/lines/target_tools.h"

namespace attn {
namespace {

bool can_paint(const HeadsPicture& picture) {
    const View& view = picture.frame.state.view;
    return picture.stage.has_keys() && !hides_control(view, "target") && !locks_control(view, "target");
}

// The heads that a cell of a map stands for.
HeadRange heads_of(const HeadsPicture& picture, const Cell& cell) {
    if (!picture.stage.is_by_head()) return {.first = 0, .end = picture.frame.state.inputs.num_heads};
    return {.first = cell.head, .end = cell.head + 1};
}

bool is_target(const HeadsPicture& picture, const Cell& cell) {
    return has_pair(picture.frame, heads_of(picture, cell), {.query = cell.row, .key = cell.column});
}

void paint(const HeadsPicture& picture, TargetBrush& brush, const Cell& cell) {
    Notes notes = paint_pair(picture.frame, brush.inputs, heads_of(picture, cell),
                             {.query = cell.row, .key = cell.column}, brush.erases);
    if (!notes.empty()) brush.notes = std::move(notes);
    brush.at = cell;
}

// All cells on the way, for a quick hand.
void paint_to(const HeadsPicture& picture, TargetBrush& brush, const Cell& cell) {
    const Cell from = brush.at;
    const int steps = std::max(std::abs(cell.row - from.row), std::abs(cell.column - from.column));
    for (int step = 1; step <= steps; ++step) {
        const auto between = [&](int a, int b) {
            return a + static_cast<int>(std::lround(static_cast<double>(b - a) * step / steps));
        };
        paint(picture, brush,
              {.head = cell.head, .row = between(from.row, cell.row), .column = between(from.column, cell.column)});
    }
}

void begin_brush(const HeadsPicture& picture, const Cell& cell) {
    Display& display = picture.frame;
    display.widgets.finger_is_taken = true;
    TargetBrush& brush = display.heads.brush.emplace(TargetBrush{.erases = is_target(picture, cell),
                                                                 .at = cell,
                                                                 .inputs = display.state.inputs,
                                                                 .last_frame = ImGui::GetFrameCount()});
    paint(picture, brush, cell);
}

}  // namespace

bool take_painting(const HeadsPicture& picture) {
    HeadsMemory& memory = picture.frame.heads;
    // The hand was lifted over another picture: drop what it painted.
    if (memory.brush && memory.brush->last_frame + 1 < ImGui::GetFrameCount()) memory.brush.reset();
    if (memory.brush) memory.brush->last_frame = ImGui::GetFrameCount();
    if (memory.brush && !ImGui::IsMouseDown(ImGuiMouseButton_Left)) {
        Inputs& next = picture.frame.next.inputs;
        next.targets = memory.brush->inputs.targets;
        next.goal = memory.brush->inputs.goal;
        next.steps = memory.brush->inputs.steps;
        picture.frame.next.view.cell = memory.brush->at;  // told, and can be given a share
        if (!memory.brush->notes.empty()) picture.frame.notes = memory.brush->notes;
        memory.brush.reset();
        return true;
    }
    if (!can_paint(picture)) return false;
    const ImGuiIO& io = ImGui::GetIO();
    if (!memory.is_painting) {
        const std::optional<Cell> held = what_is_at(picture, io.MousePos).cell;
        if (!held || !is_held_long(picture.frame)) return memory.brush.has_value();
        begin_brush(picture, *held);
        return true;
    }
    const std::optional<Cell> cell = what_is_at(picture, io.MousePos).cell;
    if (cell && ImGui::IsItemHovered()) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
    if (cell && ImGui::IsItemHovered() && ImGui::IsMouseClicked(ImGuiMouseButton_Left)) {
        begin_brush(picture, *cell);
    } else if (memory.brush && cell && cell->head == memory.brush->at.head) {
        paint_to(picture, *memory.brush, *cell);
    }
    return memory.brush.has_value();
}

void take_painting_keys(const HeadsPicture& picture) {
    HeadsMemory& memory = picture.frame.heads;
    const ImGuiIO& io = ImGui::GetIO();
    const bool is_elsewhere = ImGui::IsPopupOpen(nullptr, ImGuiPopupFlags_AnyPopup) || io.WantTextInput;
    if (!can_paint(picture)) memory.is_painting = false;
    if (is_elsewhere || !can_paint(picture) || io.KeyCtrl || io.KeyAlt || io.KeySuper) return;
    for (const ImWchar typed : io.InputQueueCharacters) {
        if (typed != 'p' && typed != 'P') continue;
        memory.is_painting = !memory.is_painting;
        picture.frame.said.emplace_back(memory.is_painting ? "paint by hand: on." : "paint by hand: off.");
    }
    const bool leaves = memory.is_painting && !memory.is_in_cells &&
                        ImGui::IsKeyPressed(ImGuiKey_Escape, ImGuiInputFlags_None, ImGuiKeyOwner_NoOwner);
    if (!leaves) return;
    memory.is_painting = false;
    ImGui::SetKeyOwner(ImGuiKey_Escape, ImGui::GetID("painting"));
}

void paint_pinned_cell(const HeadsPicture& picture) {
    if (!picture.pinned || !can_paint(picture)) return;
    const Cell& cell = *picture.pinned;
    paint_pair_now(picture.frame, heads_of(picture, cell), {.query = cell.row, .key = cell.column},
                   is_target(picture, cell));
}

}  // namespace attn
