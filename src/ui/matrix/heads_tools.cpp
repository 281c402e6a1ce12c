// The choices above the maps: each head or all combined, and what stands beside each row.
#include "ui/matrix/heads_tools.h"

#include <imgui.h>

#include <string>
#include <vector>

#include "core/ground/check.h"
#include "playground/link/hiding.h"
#include "playground/link/state_url.h"
#include "playground/numbers/heads_together.h"
#include "ui/frame/layout.h"
#include "ui/kit/lock.h"
#include "ui/kit/setting_rows.h"
#include "ui/kit/widgets.h"
#include "ui/lines/target_tools.h"

namespace attn {
namespace {

constexpr float kLabelDistance = 10;
constexpr float kGroupDistance = 24;

// A choice of the key table beside its label, on one line; on a phone without the label.
struct Choice {
    std::string_view key;
    std::string_view label;
    std::vector<std::string_view> shown;  // for each of the key's choices
};

std::vector<Segment> segments_of(const Choice& choice) {
    const KeyInfo& info = key_info(choice.key);
    ATTN_CHECK(info.choices.size() == choice.shown.size(), choice.key, " has ", info.choices.size(), " choices");
    std::vector<Segment> segments;
    for (std::size_t k = 0; k < choice.shown.size(); ++k) {
        segments.push_back({.name = concat(choice.key, "=", info.choices[k]), .label = std::string(choice.shown[k])});
    }
    return segments;
}

void put_choice(UiFrame& frame, const Choice& choice, bool is_first) {
    if (hides_control(frame.state.view, choice.key)) return;
    const KeyInfo& info = key_info(choice.key);
    const std::vector<Segment> segments = segments_of(choice);
    const float width = segmented_width(frame, segments);
    const float label = text_size(body(frame), choice.label).x + kLabelDistance;
    if (!is_first) {
        ImGui::SameLine(0, kGroupDistance);
        if (ImGui::GetContentRegionAvail().x < label + width) ImGui::NewLine();
    }
    const ImVec2 corner = ImGui::GetCursorScreenPos();
    put_text(body(frame), choice.label, control_height(frame));
    ImGui::SetCursorScreenPos({corner.x + label, corner.y});
    const std::string now = info.write(frame.state).front();
    int chosen = -1;
    for (std::size_t k = 0; k < info.choices.size(); ++k)
        chosen = info.choices[k] == now ? static_cast<int>(k) : chosen;
    ImGui::BeginGroup();
    std::optional<int> pressed;
    {
        const LockScope lock(frame, choice.key, frame.palette.paper);
        pressed = segmented(frame, segments, chosen, width);
    }
    ImGui::EndGroup();
    if (pressed) set_value(frame, choice.key, info.choices[static_cast<std::size_t>(*pressed)]);
}

}  // namespace

void put_heads_tools(UiFrame& frame) {
    if (frame.is_folded || saves_height(frame)) return;  // no room: they are among the settings then
    const TensorId stage = frame.state.view.stage;
    const bool can_combine = is_combined(frame.evaluation, stage, Combine::mean);
    const bool has_stats = has_row_stats(stage) && shows_part(frame, "values");
    if (!shows_part(frame, "views") || (!can_combine && !has_stats)) return;
    ImGui::Dummy({1, 2});
    const float right = ImGui::GetCursorScreenPos().x + ImGui::GetContentRegionAvail().x;
    if (can_combine) put_choice(frame, {"combine", "heads", {"each", "mean", "max"}}, true);
    if (has_stats)
        put_choice(frame, {"row_stat", "beside each row", {"nothing", "sum", "entropy", "largest"}}, !can_combine);
    if (stage_info(stage).columns != Axis::key_token || lesson_takes_buttons(frame)) return;
    const float room = right - ImGui::GetItemRectMax().x - kGroupDistance;
    put_paint_button(frame, kGroupDistance, room);
}

}  // namespace attn
