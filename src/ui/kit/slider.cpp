// Turns places on a slider's line into numbers and back, and draws line, marks and knob.
#include "ui/kit/slider.h"

#include <imgui_internal.h>  // key ownership: the arrows belong to the slider that has the focus

#include <algorithm>
#include <cmath>

#include "core/ground/check.h"

namespace attn {
namespace {

constexpr float kCatch = 5;  // points around a mark

float knob_radius(const Look& look) {
    return look.is_touch ? 11.0F : 8.0F;
}

// The line between the middles of the knob's two ends.
struct Track {
    float left, right, y;
    SliderScale scale;

    float x_of(double value) const {
        const double share =
            scale.is_even() ? value / scale.high : std::log(value / scale.low) / std::log(scale.high / scale.low);
        return left + (right - left) * static_cast<float>(std::clamp(share, 0.0, 1.0));
    }
    double value_at(float x) const {
        const auto share = static_cast<double>(std::clamp((x - left) / (right - left), 0.0F, 1.0F));
        return scale.is_even() ? scale.high * share : scale.low * std::pow(scale.high / scale.low, share);
    }
};

double caught_value(const Track& track, std::span<const SliderMark> marks, float x) {
    for (const SliderMark& mark : marks) {
        if (std::abs(track.x_of(mark.value) - x) <= kCatch) return mark.value;
    }
    return track.value_at(x);
}

// While it has the arrow keys, left and right move the number instead of the focus.
int step_by_keys() {
    const ImGuiID id = ImGui::GetItemID();
    if (ImGui::IsKeyPressed(ImGuiKey_LeftArrow, ImGuiInputFlags_Repeat, id)) return -1;
    return ImGui::IsKeyPressed(ImGuiKey_RightArrow, ImGuiInputFlags_Repeat, id) ? 1 : 0;
}

void draw_marks(const Look& look, const Track& track, std::span<const SliderMark> marks, float top) {
    const TextStyle style = {look.fonts.sans, kTinySize, look.palette.soft_ink};
    float free_from = -1e9F;
    for (const SliderMark& mark : marks) {
        const float x = track.x_of(mark.value);
        ImGui::GetWindowDrawList()->AddLine({x, track.y - 5}, {x, track.y + 5}, look.palette.soft_ink);
        const float half = text_size(style, mark.label).x / 2;
        const float middle = std::clamp(x, track.left - 6 + half, track.right + 6 - half);
        if (middle - half < free_from) continue;  // the one before is nearer than its label is wide
        draw_text({middle - half, top}, style, mark.label);
        free_from = middle + half + 6;
    }
}

}  // namespace

float slider_height(const Look& look) {
    return control_height(look) + kTinySize;
}

SliderEvent slider(Canvas& canvas, const std::string& key, double value, const SliderScale& scale,
                   std::span<const SliderMark> marks, float width) {
    ATTN_CHECK(scale.low >= 0 && scale.high > scale.low, "a slider from ", scale.low, " to ", scale.high);
    const Palette& palette = canvas.palette;
    const float radius = knob_radius(canvas);
    SliderEvent event;
    const std::string name = concat("slider=", key);
    const ItemState state = item(canvas, name, {width, marks.empty() ? control_height(canvas) : slider_height(canvas)});
    const Track track = {.left = state.min.x + radius,
                         .right = state.max.x - radius,
                         .y = state.min.y + control_height(canvas) / 2,
                         .scale = scale};
    const bool has_arrows = takes_arrows(canvas, name, state.is_focused, false);
    if (has_arrows) event.step = step_by_keys();
    if (state.is_focused)
        put_tooltip(canvas, has_arrows ? "← and → move it, Enter ends that" : "Enter, then ← and →, moves it", {}, {});
    if (state.is_held && ImGui::IsMouseDown(ImGuiMouseButton_Left)) {
        event.value = caught_value(track, marks, ImGui::GetMousePos().x);
        value = *event.value;
    }

    const float knob = track.x_of(value);
    fill_box({track.left, track.y - 2}, {track.right, track.y + 2}, palette.edge, 2);
    fill_box({track.left, track.y - 2}, {knob, track.y + 2}, palette.accent, 2);
    draw_marks(canvas, track, marks, track.y + control_height(canvas) / 2 - 2);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.AddCircleFilled({knob, track.y}, radius,
                         state.is_hovered ? mix(palette.accent, palette.ink, 0.15F) : palette.accent);
    if (!has_arrows) list.AddCircleFilled({knob, track.y}, radius - 3, palette.on_accent);
    return event;
}

}  // namespace attn
