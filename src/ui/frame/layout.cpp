// The limits in points at which the layout changes, and the columns that follow from the canvas.
#include "ui/frame/layout.h"

#include <algorithm>

#include "playground/lessons/lessons.h"
#include "playground/link/hiding.h"
#include "playground/numbers/recipe.h"
#include "playground/state/view_table.h"
#include "views/learn/learn_text.h"

namespace attn {

constexpr float kLow = 480;     // points: a canvas less high has no room for anything under the picture
constexpr float kTiny = 440;    // less on a phone: a lesson's text takes the room of buttons
constexpr float kRoomy = 900;   // less: a lesson's text and what trains take most of it
constexpr float kFolded = 560;  // less: none for two lines of chips above it

LayoutKind layout_of(ImVec2 canvas) {
    // From here on the buttons above the picture fit beside two columns, and beside one.
    if (canvas.x >= 980) return LayoutKind::wide;
    const float narrow = canvas.y < kLow && canvas.x > canvas.y ? 560 : 680;
    return canvas.x >= narrow ? LayoutKind::narrow : LayoutKind::phone;
}

bool folds_head(ImVec2 canvas) {
    return layout_of(canvas) == LayoutKind::phone || canvas.y < kFolded;
}

float folded_height(const UiFrame& frame) {
    return frame.surroundings.is_touch ? 40.0F : 30.0F;
}

bool has_lesson(const UiFrame& frame) {
    return lesson_of(frame.state.view) != nullptr && shows_part(frame, "lessons");
}

bool has_lesson_beside(const UiFrame& frame) {
    return has_lesson(frame) && frame.layout != LayoutKind::phone && ImGui::GetIO().DisplaySize.y < kFolded;
}

bool shows_legend(const UiFrame& frame) {
    const bool is_tight = frame.is_small() && (ImGui::GetIO().DisplaySize.y < kTiny || has_lesson(frame));
    return shows_part(frame, "legend") && !is_tight;
}

bool lacks_height(const UiFrame& frame) {
    return frame.is_small() && (has_lesson(frame) || ImGui::GetIO().DisplaySize.y < kLow);
}

bool saves_height(const UiFrame& frame) {
    return has_lesson(frame) && has_goal(frame.state.inputs) && shows_part(frame, "training") &&
           shows_part(frame, "settings") && ImGui::GetIO().DisplaySize.y < kRoomy;
}

bool tells_nothing_to_learn(const UiFrame& frame) {
    return frame.state.view.view == ViewKind::learn && has_nothing_to_learn(frame.state.inputs);
}

bool lesson_takes_buttons(const UiFrame& frame) {
    return frame.layout == LayoutKind::phone && ImGui::GetIO().DisplaySize.y < kTiny && has_lesson(frame) &&
           !frame.memory.is_lesson_folded;
}

bool shows_part(const UiFrame& frame, const char* part) {
    return !hides_part(frame.state.view, part);
}

bool has_inspector(const UiFrame& frame) {
    const ViewKind view = frame.state.view.view;
    return shows_part(frame, "inspector") && (view_info(view).is_of_stage() || view == ViewKind::edit);
}

Columns columns_of(const UiFrame& frame, float width) {
    constexpr float kSettings = 252;
    constexpr float kInspector = 300;
    const bool has_explanation = has_inspector(frame) || has_lesson_beside(frame);
    Columns columns;
    if (frame.layout == LayoutKind::wide && shows_part(frame, "settings")) columns.settings = kSettings;
    if (frame.layout != LayoutKind::phone && has_explanation) {
        columns.inspector = std::clamp(width * 0.36F, 240.0F, kInspector);
    }
    columns.heads = width - columns.settings - columns.inspector;
    return columns;
}

float sheet_head_height(const UiFrame& frame) {
    constexpr float kHead = 58;      // heading and number
    constexpr float kHintHead = 38;  // one line
    constexpr float kTitle = 24;     // heading: a lesson's text needs the rest
    if (has_lesson(frame)) return kTitle;
    return frame.state.view.cell ? kHead : kHintHead;
}

}  // namespace attn
