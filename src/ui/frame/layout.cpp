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

float folded_height(const Look& look) {
    return look.is_touch ? 40.0F : 30.0F;
}

bool shows_door(const Shown& shown) {
    return shown.state.view.view == ViewKind::door;
}

bool has_icons_beside_tabs(const Look& look) {
    constexpr float kRoomForWords = 2000;  // from here on all tabs fit between two columns, and the words beside them
    return look.layout == LayoutKind::wide && ImGui::GetIO().DisplaySize.x < kRoomForWords;
}

bool has_lesson(const Shown& shown) {
    return lesson_of(shown.state.view) != nullptr && shows_part(shown, "lessons");
}

bool has_lesson_beside(const Display& display) {
    return has_lesson(display) && display.layout != LayoutKind::phone;
}

bool shows_legend(const Display& display) {
    const bool is_tight = display.is_small() && (ImGui::GetIO().DisplaySize.y < kTiny || has_lesson(display));
    return shows_part(display, "legend") && !is_tight;
}

bool is_painting_cells(const Display& display) {
    const ViewKind view = display.state.view.view;
    return display.heads.is_painting && (view == ViewKind::matrix || view == ViewKind::numbers);
}

bool lacks_height(const Display& display) {
    return display.is_small() && (has_lesson(display) || ImGui::GetIO().DisplaySize.y < kLow);
}

bool saves_height(const Display& display) {
    return has_lesson(display) && !has_lesson_beside(display) && has_goal(display.state.inputs) &&
           shows_part(display, "training") && shows_part(display, "settings") && ImGui::GetIO().DisplaySize.y < kRoomy;
}

bool tells_nothing_to_learn(const Shown& shown) {
    return shown.state.view.view == ViewKind::learn && has_nothing_to_learn(shown.state.inputs);
}

bool lesson_takes_buttons(const Display& display) {
    return display.layout == LayoutKind::phone && ImGui::GetIO().DisplaySize.y < kTiny && has_lesson(display) &&
           !display.memory.is_lesson_folded;
}

bool shows_part(const Shown& shown, const char* part) {
    return !hides_part(shown.state.view, part);
}

bool has_inspector(const Shown& shown) {
    const ViewKind view = shown.state.view.view;
    return shows_part(shown, "inspector") && (view_info(view).is_of_stage() || view == ViewKind::edit);
}

float inspector_width(float width) {
    return std::clamp(width * 0.36F, 240.0F, 300.0F);
}

float room_of_inspector(const Display& display) {
    const bool has_column = display.layout == LayoutKind::phone || !shows_part(display, "inspector") ||
                            has_inspector(display) || has_lesson_beside(display);
    return has_column ? 0 : inspector_width(ImGui::GetIO().DisplaySize.x);
}

Columns columns_of(const Display& display, float width) {
    constexpr float kSettings = 252;
    const bool has_explanation = has_inspector(display) || has_lesson_beside(display);
    Columns columns;
    const bool has_settings = shows_part(display, "settings") && !shows_door(display);
    if (display.layout == LayoutKind::wide && has_settings) columns.settings = kSettings;
    if (display.layout != LayoutKind::phone && has_explanation) {
        columns.inspector = inspector_width(width);
    }
    columns.heads = width - columns.settings - columns.inspector;
    return columns;
}

float sheet_head_height(const Shown& shown) {
    constexpr float kHead = 58;      // heading and number
    constexpr float kHintHead = 38;  // one line
    constexpr float kTitle = 24;     // heading: a lesson's text needs the rest
    if (has_lesson(shown)) return kTitle;
    return shown.state.view.cell ? kHead : kHintHead;
}

}  // namespace attn
