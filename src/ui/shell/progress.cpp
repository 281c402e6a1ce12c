// Words and bar of a running computation, with the button to stop it or go on.
#include "ui/shell/progress.h"

#include <imgui.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

#include "core/ground/check.h"
#include "ui/check/check.h"
#include "ui/kit/widgets.h"

namespace attn {
namespace {

constexpr double kPatience = 0.1;  // seconds of computing before it is shown
constexpr float kBar = 4;          // height
constexpr float kBarGap = 6;       // above it
constexpr float kProgressPadding = 10;
constexpr float kProgressGap = 12;

// Tenths below ten seconds.
std::string seconds_text(double seconds) {
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), seconds < 9.95 ? "%.1f s" : "%.0f s", std::max(seconds, 0.1));
    return text.data();
}

bool is_shown(const Progress& progress) {
    return progress.is_stopped || (progress.is_running && progress.seconds_running >= kPatience);
}

float share_done(const Progress& progress) {
    const double all = progress.seconds_running + progress.seconds_left;
    const double by_time = progress.seconds_left > 0 ? progress.seconds_running / all : 0;
    const double by_heads = static_cast<double>(progress.num_heads_done) / std::max(progress.num_heads, 1);
    return static_cast<float>(std::clamp(std::max(by_time, by_heads), 0.0, 1.0));
}

std::string_view label_of(const Progress& progress) {
    return progress.is_stopped ? "Go on" : "Cancel";
}

float button_width(const Look& look) {
    return std::max(text_size(bold(look), "Cancel").x, text_size(bold(look), "Go on").x) + 28;
}

void put_row(UiFrame& frame, float width) {
    const Progress& progress = frame.surroundings.progress;
    const bool is_pressed =
        put_progress_row(frame, width,
                         {.words = progress_text(progress),
                          .share = share_done(progress),
                          .item = progress.is_stopped ? "go_on" : "cancel",
                          .label = label_of(progress),
                          .button_width = button_width(frame),
                          .bar = progress.is_stopped ? frame.palette.soft_ink : frame.palette.accent});
    if (!is_pressed) return;
    UiRequest request;
    request.kind = progress.is_stopped ? UiRequest::Kind::go_on : UiRequest::Kind::stop;
    frame.requests.push_back(std::move(request));
}

// Of words and button, without the bar.
float row_height(const Look& look) {
    return std::max(control_height(look), kTextSize + 4);
}

}  // namespace

float progress_row_height(const Look& look) {
    return row_height(look) + kBarGap + kBar;
}

bool put_progress_row(UiFrame& frame, float width, const ProgressRow& row) {
    const ImVec2 corner = ImGui::GetCursorScreenPos();
    const float button_left = corner.x + width - row.button_width;
    const float height = row_height(frame);
    const std::string words = shortened(body(frame), row.words, button_left - kProgressGap - corner.x);
    draw_text_in(corner, {button_left - kProgressGap, corner.y + height}, {0, 0.5F}, body(frame), words);
    ImGui::SetCursorScreenPos({button_left, corner.y});
    const bool is_pressed = button(frame, row.item, row.label);
    const ImVec2 bar = {corner.x, corner.y + height + kBarGap};
    fill_box(bar, {bar.x + width, bar.y + kBar}, frame.palette.line, kBar / 2);
    fill_box(bar, {bar.x + std::max(width * row.share, kBar), bar.y + kBar}, row.bar, kBar / 2);
    ImGui::SetCursorScreenPos(bar);
    ImGui::Dummy({width, kBar});
    return is_pressed;
}

std::string progress_text(const Progress& progress) {
    const std::string heads =
        concat(progress.num_heads_done, " of ", progress.num_heads, progress.num_heads == 1 ? " head" : " heads");
    if (progress.is_stopped) return concat("stopped: ", heads);
    if (progress.seconds_left <= 0) return concat("computing: ", heads);
    return concat("computing: ", heads, ", ", seconds_text(progress.seconds_left), " left");
}

bool can_draw_view(const Shown& shown) {
    if (shown.evaluator.is_complete()) return true;
    const ViewKind view = shown.state.view.view;
    const bool is_by_head = view == ViewKind::matrix || view == ViewKind::numbers;
    return is_by_head && !shown.evaluation.is_preparing() && !shows_blank(shown.state);
}

void draw_progress_page(UiFrame& frame) {
    if (!is_shown(frame.surroundings.progress)) return;
    const ImVec2 room = ImGui::GetContentRegionAvail();
    const float width = std::min(room.x, 420.0F);
    const ImVec2 corner = ImGui::GetCursorScreenPos();
    ImGui::SetCursorScreenPos({corner.x + (room.x - width) / 2, corner.y + std::max(kMargin, room.y * 0.3F)});
    put_row(frame, width);
}

void draw_progress_strip(UiFrame& frame, ImVec2 corner, ImVec2 size) {
    if (!is_shown(frame.surroundings.progress)) return;
    const float width = std::min(size.x - 2 * kProgressPadding, 460.0F);
    const float height = progress_row_height(frame) + 2 * kProgressPadding;
    const ImVec2 min = {corner.x + (size.x - width) / 2, corner.y + size.y - height - kProgressPadding};
    ImGui::SetCursorScreenPos(min);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(kProgressPadding, kProgressPadding));
    ImGui::BeginChild("progress", {width, height},
                      ImGuiChildFlags_NavFlattened | ImGuiChildFlags_AlwaysUseWindowPadding,
                      ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
    ImGui::PopStyleVar();
    fill_box(min, {min.x + width, min.y + height}, frame.palette.panel, 8);
    frame_box(min, {min.x + width, min.y + height}, frame.palette.line, 1, 8);
    put_row(frame, width - 2 * kProgressPadding);
    ImGui::EndChild();
}

void put_progress_sentence(Display& display) {
    const bool is_stopped = display.surroundings.progress.is_stopped;
    put_heading(display, is_stopped ? "STOPPED" : "COMPUTING");
    put_wrapped_text(body(display), is_stopped ? "Numbers are explained once all heads are computed: press Go on."
                                               : "Numbers are explained as soon as all heads are computed.");
}

}  // namespace attn
