// Notes: what was moved to a legal value, left out or refused, in plain words, above the picture until they were read.
#include <imgui.h>

#include "playground/notes.h"
#include "ui/touch.h"
#include "ui/ui.h"
#include "ui/widgets.h"

namespace attn {
namespace {

constexpr float kPadding = 10;
constexpr float kTallest = 120;  // more of them scroll

// What is to be read: what the visitor's last changes left behind, and what there is to say about this sentence.
Notes unread(const UiFrame& frame) {
    Notes notes = frame.notes;
    // An empty sentence has the whole picture to say so.
    const bool is_read = frame.evaluation.is_empty() || frame.evaluation.notes == frame.memory.read_notes;
    if (!is_read) append_notes(notes, frame.evaluation.notes);
    return notes;
}

}  // namespace

void draw_notes(UiFrame& frame) {
    const Notes notes = unread(frame);
    if (notes.empty()) return;
    const Palette& palette = frame.palette;
    const TextStyle style = body(frame);
    const float button = control_height(frame) + 4;
    const float width = ImGui::GetContentRegionAvail().x;
    const float text_width = width - button - 3 * kPadding;
    float text_height = 0;
    for (const std::string& note : notes) text_height += wrapped_height(style, note, text_width) + 2;
    const float height = std::max(std::min(text_height, kTallest) + 2 * kPadding, button + 8);

    const ImVec2 corner = ImGui::GetCursorScreenPos();
    const ImVec2 opposite = {corner.x + width, corner.y + height};
    fill_box(corner, opposite, mix(palette.panel, palette.warning, 0.1F));
    frame_box(corner, opposite, mix(palette.line, palette.warning, 0.4F));

    ImGui::SetCursorScreenPos({corner.x + kPadding, corner.y + std::max(kPadding, (height - text_height) / 2)});
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, 2));
    ImGui::BeginChild("notes", {text_width + kPadding, std::min(text_height, kTallest)}, ImGuiChildFlags_NavFlattened);
    ImGui::PushTextWrapPos(text_width);
    for (const std::string& note : notes) put_wrapped_text(style, note);
    ImGui::PopTextWrapPos();
    scroll_by_finger(frame);
    ImGui::EndChild();
    ImGui::PopStyleVar();

    ImGui::SetCursorScreenPos({opposite.x - button - 4, corner.y + 4});
    if (icon_button(frame, "notes=read", Icon::close, "I have read this")) {
        frame.notes.clear();
        frame.memory.read_notes = frame.evaluation.notes;
    }
    ImGui::SetCursorScreenPos(corner);
    ImGui::Dummy({width, height});
}

}  // namespace attn
