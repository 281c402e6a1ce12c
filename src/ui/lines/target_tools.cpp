// The brush button, and the list of ready-made targets.
#include "ui/lines/target_tools.h"

#include <imgui.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "core/ground/check.h"
#include "playground/link/hiding.h"
#include "playground/numbers/sentence_embeddings.h"
#include "ui/frame/layout.h"
#include "ui/kit/lock.h"
#include "ui/kit/touch.h"
#include "ui/kit/widgets.h"

namespace attn {
namespace {

constexpr float kPaintLabelDistance = 10;
constexpr float kPaintGap = 4;
constexpr std::string_view kLabel = "paint targets";
constexpr std::string_view kHand = "by hand";  // behind the label
constexpr std::string_view kMore = "ready-made …";
constexpr const char* kList = "paint list";

float list_width(const Look& look) {
    return text_size(body(look), kMore).x + 30;
}

float hand_width(const Look& look, std::string_view words) {
    return text_size(bold(look), words).x + 26;
}

std::vector<TargetCell> targets_now(const Shown& shown, TargetPreset preset) {
    const HeadRange heads = painted_heads(shown.state);
    return preset_targets(shown.state.inputs, preset, shown.state.view.sentence, texts_of(shown.evaluation.tokens),
                          heads.first, heads.end);
}

// The preset that these heads have; -1 if none, or if the sentence is too long to check quickly.
int preset_of_state(const Shown& shown) {
    constexpr int kQuickly = 64;  // tokens
    const PlaygroundState& state = shown.state;
    if (state.inputs.targets.empty() || shown.evaluation.num_tokens() > kQuickly) return -1;
    const HeadRange heads = painted_heads(state);
    std::vector<TargetCell> painted;
    for (const TargetCell& target : state.inputs.targets) {
        const bool is_of_heads = target.head >= heads.first && target.head < heads.end;
        if (is_of_heads && target.sentence == state.view.sentence) painted.push_back(target);
    }
    for (int k = 0; k < kNumTargetPresets; ++k) {
        if (!painted.empty() && targets_now(shown, static_cast<TargetPreset>(k)) == painted) return k;
    }
    return -1;
}

void choose_preset(UiFrame& frame, TargetPreset preset) {
    const std::vector<TargetCell> targets = targets_now(frame, preset);
    if (targets.empty()) {
        frame.notes = {why_no_targets(preset)};
        return;
    }
    const HeadRange heads = painted_heads(frame.state);
    put_preset(frame.next.inputs, targets, heads.first, heads.end);
}

// Painting by hand is on or off.
void put_hand(Display& display, const std::string& name, std::string_view words) {
    const Palette& palette = display.palette;
    bool& is_on = display.heads.is_painting;
    const ItemState state = item(display, name, {hand_width(display, words), control_height(display)});
    if (state.is_focused) call_item(display, state, is_on ? "paint by hand: on" : "paint by hand: off");
    fill_box(state.min, state.max, is_on ? palette.accent : state.is_hovered ? palette.chip : palette.panel);
    if (!is_on) frame_box(state.min, state.max, palette.edge);
    TextStyle style = body(display);
    style.color = is_on ? palette.on_accent : palette.soft_ink;
    draw_text_in(state.min, state.max, {0.5F, 0.5F}, style, words);
    if (state.is_pressed) is_on = !is_on;
    put_tooltip(display, is_on ? "Stop painting" : "Paint by hand", {},
                "a click on a cell says that its head should look there, another one takes it back; key P");
}

// One preset in the list: its title and what it asks for.
bool put_entry(Canvas& canvas, TargetPreset preset, bool is_chosen, float width) {
    const float height = std::max(control_height(canvas), kTextSize + kSmallSize + 12);
    const ItemState state = item(canvas, concat("paint=", preset_title(preset)), {width, height});
    if (state.is_focused)
        call_item(canvas, state,
                  concat("targets, ", preset_title(preset), is_chosen ? ", chosen" : "", ": ", preset_meaning(preset)));
    if (is_chosen || state.is_hovered) fill_box(state.min, state.max, canvas.palette.chip);
    draw_text({state.min.x + 10, state.min.y + 5}, bold(canvas), preset_title(preset));
    const TextStyle style = small(canvas);
    draw_text({state.min.x + 10, state.min.y + 5 + kTextSize}, style,
              shortened(style, preset_meaning(preset), width - 20));
    return state.is_pressed;
}

[[gnu::noinline]] void put_list(UiFrame& frame, const ScreenBox& button) {
    constexpr float kPadding = 8;
    constexpr float kWidest = 420;
    const float width = std::min(kWidest, ImGui::GetIO().DisplaySize.x - 32 - ImGui::GetStyle().ScrollbarSize);
    const PopupPlace place = popup_place(button, width + 2 * kPadding, ImGui::GetIO().DisplaySize);
    place_next_popup(place);
    ImGui::SetNextWindowSizeConstraints({0, 0}, {width + 4 * kPadding, place.most_height});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(kPadding, kPadding));
    const bool is_open = ImGui::BeginPopup(kList, ImGuiWindowFlags_NoMove);
    ImGui::PopStyleVar();
    if (!is_open) return;
    const int chosen = preset_of_state(frame);
    for (int k = 0; k < kNumTargetPresets; ++k) {
        const auto preset = static_cast<TargetPreset>(k);
        if (!put_entry(frame, preset, k == chosen, width)) continue;
        choose_preset(frame, preset);
        ImGui::CloseCurrentPopup();
    }
    scroll_by_finger(frame);
    ImGui::EndPopup();
}

// All of them behind one button.
void put_list_button(UiFrame& frame) {
    const Palette& palette = frame.palette;
    const ItemState state = item(frame, "paint presets", {list_width(frame), control_height(frame)});
    call_item(frame, state, "ready-made targets");
    fill_box(state.min, state.max, state.is_hovered ? palette.chip : palette.panel);
    frame_box(state.min, state.max, palette.edge);
    TextStyle style = body(frame);
    style.color = palette.soft_ink;
    draw_text_in(state.min, state.max, {0.5F, 0.5F}, style, kMore);
    if (state.is_pressed) ImGui::OpenPopup(kList);
    if (ImGui::IsPopupOpen(kList)) put_list(frame, {state.min, state.max});
}

float label_width_of_tools(const Look& look) {
    return text_size(body(look), kLabel).x + kPaintLabelDistance;
}

// The width of the buttons without their label.
float buttons_width(const Look& look, bool has_hand) {
    return (has_hand ? hand_width(look, kHand) + kPaintGap : 0) + list_width(look);
}

}  // namespace

void put_target_tools(UiFrame& frame, bool has_hand, float room) {
    if (!shows_part(frame, "views") || hides_control(frame.state.view, "target")) return;
    const LockScope lock(frame, "target", frame.palette.paper);
    ImGui::BeginGroup();
    put_text(body(frame), kLabel, control_height(frame));
    ImGui::SameLine(0, kPaintLabelDistance);
    if (label_width_of_tools(frame) + buttons_width(frame, has_hand) > room) ImGui::NewLine();
    if (has_hand) {
        put_hand(frame, "paint=by hand", kHand);
        ImGui::SameLine(0, kPaintGap);
    }
    put_list_button(frame);
    ImGui::EndGroup();
}

void put_paint_button(Display& display, float distance, float room) {
    if (hides_control(display.state.view, "target") || hand_width(display, kLabel) > room) return;
    ImGui::SameLine(0, distance);
    const LockScope lock(display, "target", display.palette.paper);
    put_hand(display, "paint=hand", kLabel);
}

bool has_pair(const UiFrame& frame, const HeadRange& heads, const TargetPair& pair) {
    for (int head = heads.first; head < heads.end; ++head) {
        if (find_target(frame.next.inputs.targets, target_cell(frame.state, head, pair)) == nullptr) return false;
    }
    return true;
}

Notes paint_pair(const Shown& shown, Inputs& inputs, const HeadRange& heads, const TargetPair& pair, bool erases) {
    if (locks_control(shown.state.view, "target")) return {};
    for (int head = heads.first; head < heads.end; ++head) {
        const TargetCell cell = target_cell(shown.state, head, pair);
        if (erases) {
            erase_target(inputs, cell);
            continue;
        }
        if (find_target(inputs.targets, cell) != nullptr) continue;  // keeps its share
        const Painted painted = paint_target(inputs, cell);
        if (painted == Painted::yes) continue;
        return {why_not_painted(painted, shown.evaluation, pair)};
    }
    return {};
}

void paint_pair_now(UiFrame& frame, const HeadRange& heads, const TargetPair& pair, bool erases) {
    Notes notes = paint_pair(frame, frame.next.inputs, heads, pair, erases);
    if (!notes.empty()) frame.notes = std::move(notes);
}

}  // namespace attn
