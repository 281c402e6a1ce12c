// How the parts of the lines view share the room.
#include "ui/lines/lines.h"
#include "ui/frame/heads_work.h"

#include <imgui.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <memory>
#include <string_view>

#include "playground/check/check_me.h"
#include "playground/lessons/lessons.h"
#include "ui/frame/frame.h"
#include "ui/frame/layout.h"
#include "ui/frame/pins.h"
#include "ui/kit/touch.h"
#include "ui/kit/widgets.h"
#include "ui/lines/lines_picture.h"
#include "views/stage/shown_stage.h"

namespace attn {
namespace {

constexpr float kHeading = 20;  // "query", "key"
constexpr float kWidestPicture = 760;

// The width of the longest label, up to a limit; of many tokens, those that are measured.
float label_width(const Display& display, float room) {
    constexpr int kMeasured = 256;
    const float limit = std::min(170.0F, room * 0.3F);
    const int count = display.evaluation.num_tokens();
    const int step = std::max(1, count / kMeasured);
    float width = text_size(small(display), "query").x;
    for (int i = 0; i < count && width < limit; i += step) {
        width = std::max(width, text_size(bold(display), token_text(display.evaluation, i)).x);
    }
    constexpr float kPadding = 8 + 14;  // inside a label's box, and for the sign of a selected token
    return std::min(std::ceil(width) + kPadding, limit);
}

// Tokens as far apart as the room allows, within what is easy to read and to hit.
float pitch_for(const Display& display, float room) {
    constexpr float kLargest = 56;
    constexpr float kReadable = 17;  // of a label's line
    constexpr int kFewestRows = 8;   // in sight, or all there are, even where they are hard to hit
    const float wanted = display.is_touch ? 40.0F : 22.0F;
    const int num_tokens = display.evaluation.num_tokens();
    const float even = std::floor(room / static_cast<float>(num_tokens));
    const float few = std::floor(room / static_cast<float>(std::min(num_tokens, kFewestRows)));
    return std::clamp(even, std::max(kReadable, std::min(wanted, few)), kLargest);
}

void put_column_headings(const LinesPicture& picture) {
    const ImVec2 corner = ImGui::GetCursorScreenPos();
    const TextStyle style = small(picture.frame);
    const float right = corner.x + picture.width;
    draw_text_in(corner, {corner.x + picture.label_width, corner.y + kHeading}, {1, 0.5F}, style, "query");
    draw_text_in({right - picture.label_width, corner.y}, {right, corner.y + kHeading}, {0, 0.5F}, style, "key");
    ImGui::Dummy({1, kHeading});
}

// Scrolls to the pinned row when it is another than in the last frame.
void follow_pinned_row(const LinesPicture& picture) {
    const std::optional<Cell>& cell = picture.frame.state.view.cell;
    const std::optional<int> row = cell ? std::optional(cell->row) : std::nullopt;
    if (row == picture.memory.followed) return;
    picture.memory.followed = row;
    if (!row) return;
    const float top = static_cast<float>(*row) * picture.pitch;
    const float scroll = ImGui::GetScrollY();
    const float height = ImGui::GetWindowHeight();
    if (top < scroll || top + picture.pitch > scroll + height) ImGui::SetScrollY(top - (height - picture.pitch) / 2);
}

// When a lesson step begins, scrolls to the last word that it mentions.
void follow_lesson(const LinesPicture& picture) {
    constexpr std::string_view kToken = "token=";
    const LessonStep* step = picture.frame.memory.scroll_frames > 0 ? step_of(picture.frame.state.view) : nullptr;
    if (step == nullptr) return;
    int last = -1;
    for (std::string_view target : step->points_at) {
        if (!target.starts_with(kToken)) continue;
        target.remove_prefix(kToken.size());
        int token = -1;
        std::from_chars(target.data(), target.data() + target.size(), token);
        last = std::max(last, token);
    }
    const float bottom = static_cast<float>(last + 1) * picture.pitch;
    if (bottom > ImGui::GetScrollY() + ImGui::GetWindowHeight()) ImGui::SetScrollY(bottom - ImGui::GetWindowHeight());
}

void draw_columns(LinesPicture& picture, float height) {
    constexpr float kOutline = 3;  // room for focus rings
    const ImVec2 corner = ImGui::GetCursorScreenPos();
    ImGui::SetCursorScreenPos({corner.x - kOutline, corner.y - kOutline});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(kOutline, kOutline));
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, 0));
    ImGui::BeginChild("lines", {picture.width + 2 * kOutline + ImGui::GetStyle().ScrollbarSize, height + 2 * kOutline},
                      ImGuiChildFlags_NavFlattened | ImGuiChildFlags_AlwaysUseWindowPadding);
    put_line_tokens(picture);
    draw_line_picture(picture);
    follow_pinned_row(picture);
    follow_lesson(picture);
    scroll_by_finger(picture.frame);
    ImGui::EndChild();
    ImGui::PopStyleVar(2);
}

}  // namespace

LinesMemory& lines_memory(PanelMemory& memory) {
    if (!memory.lines) memory.lines = std::make_shared<LinesMemory>();
    return *memory.lines;
}

const ShownWeights& shown_weights(Display& display) {
    LinesMemory& memory = lines_memory(display.memory);
    const TensorId stage = lines_stage(display.evaluation, display.state.view.stage);
    const Combine combine = display.state.view.combine;
    const bool is_fresh = memory.weights && memory.version == display.version && memory.combine == combine &&
                          memory.weights->stage() == stage && &memory.weights->evaluation() == &display.evaluation;
    if (!is_fresh) {
        memory.weights.emplace(display.evaluation, stage, combine);
        memory.version = display.version;
        memory.combine = combine;
        memory.choice.reset();
    }
    return *memory.weights;
}

bool are_weights_blank(const Shown& shown) {
    return is_blank(shown.state, lines_stage(shown.evaluation, shown.state.view.stage));
}

ImU32 lines_color(const Look& look, const ShownWeights& weights, int head) {
    return weights.is_combined() ? look.palette.accent : to_imgui(head_color(head, look.palette.is_dark));
}

void draw_lines(UiFrame& frame) {
    if (frame.evaluation.is_empty()) return;
    if (!lesson_takes_buttons(frame)) put_lines_bar(frame);  // may combine heads: look at what is drawn only afterwards
    const ShownWeights& weights = shown_weights(frame);
    LinesPicture picture{.frame = frame, .memory = lines_memory(frame.memory), .weights = weights};
    picture.heads = heads_looked_at(weights, frame.state.view.head);
    const ShownStage stage = shown_stage(frame.evaluation, frame.version, weights.stage(), frame.heads.stage);
    remember_shown(frame.heads, stage, nullptr);
    picture.high = stage.range.high;
    picture.is_cut = stage.is_cut();

    const ImVec2 room = ImGui::GetContentRegionAvail();
    const bool has_legend = shows_legend(frame);
    const float spacing = ImGui::GetStyle().ItemSpacing.y;
    float below = target_strip_height(frame);
    if (has_legend) below += lines_legend_height(picture, room.x) + spacing;
    const float height = std::max(room.y - below - kHeading - 2 * spacing, 100.0F);
    const float available = room.x - ImGui::GetStyle().ScrollbarSize - 4;
    picture.width = std::min(available, kWidestPicture);
    picture.label_width = label_width(frame, picture.width);
    picture.pitch = pitch_for(frame, height);
    put_column_headings(picture);
    const float needed = picture.pitch * static_cast<float>(frame.evaluation.num_tokens());
    draw_columns(picture, std::min(height, needed));
    if (has_legend) put_lines_legend(picture);
    put_target_strip(frame);
}

}  // namespace attn
