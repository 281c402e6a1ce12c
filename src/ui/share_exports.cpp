// The rows of the share panel that are about exports: how figures are drawn, which stage, and what each export can do.
#include <algorithm>
#include <array>
#include <cmath>

#include "core/check.h"
#include "playground/format.h"
#include "playground/hiding.h"
#include "playground/shapes.h"
#include "ui/share.h"
#include "ui/stepper.h"
#include "ui/widgets.h"

namespace attn {
namespace {

constexpr float kIndent = 12;  // of a button's label
constexpr float kGap = 6;
constexpr std::array<double, 4> kScales = {1, 2, 3, 4};

void put_scale(UiFrame& frame, FigureOptions& options) {
    std::vector<Segment> segments;
    int chosen = -1;
    for (const double scale : kScales) {
        if (scale == options.scale) chosen = static_cast<int>(segments.size());
        segments.push_back({.name = concat("figure_scale=", exact_number(scale)), .label = concat(scale, "×")});
    }
    const float width = segmented_width(frame, segments);
    begin_share_row(frame, "size of a PNG", {width, control_height(frame)});
    if (const auto index = segmented(frame, segments, chosen, width)) {
        options.scale = kScales.at(static_cast<std::size_t>(*index));
    }
}

void put_colours(UiFrame& frame, FigureOptions& options) {
    const std::array<Segment, 2> segments = {
        {{.name = "figure_dark=0", .label = "light"}, {.name = "figure_dark=1", .label = "dark"}}};
    const float width = segmented_width(frame, segments);
    begin_share_row(frame, "colours", {width, control_height(frame)});
    if (const auto index = segmented(frame, segments, options.is_dark ? 1 : 0, width)) options.is_dark = *index == 1;
}

void put_flag(UiFrame& frame, const std::string& name, std::string_view label, bool& value) {
    begin_share_row(frame, label, {toggle_width(frame), control_height(frame)});
    if (toggle(frame, name, value)) value = !value;
}

// Every head that the view shows, or one alone.
void put_head(UiFrame& frame, FigureOptions& options) {
    const int num_heads = frame.state.inputs.num_heads;
    if (options.head && *options.head >= num_heads) options.head.reset();
    if (num_heads == 1) return;
    const int shown = options.head ? *options.head + 1 : 0;  // from 1; 0: as the view has them
    const std::string value = shown == 0 ? "as shown" : concat(shown);
    const float width = stepper_width(frame, "as shown");
    begin_share_row(frame, "head", {width, control_height(frame)});
    const StepperLook look = {.can_decrease = shown > 0, .can_increase = shown < num_heads};
    const StepperEvent event = stepper(frame, "figure_head", value, look, width);
    int wanted = shown + event.step;
    if (event.typed) wanted = static_cast<int>(std::clamp(parse_number(*event.typed).value_or(0), 0.0, 1e6));
    wanted = std::min(wanted, num_heads);
    options.head = wanted == 0 ? std::nullopt : std::optional(wanted - 1);
}

float button_width(const UiFrame& frame, std::string_view label) {
    return text_size(body(frame), label).x + 2 * kIndent;
}

void ask_for(UiFrame& frame, UiRequest::Kind kind, const ExportInfo& info) {
    ShareMemory& memory = share_memory(frame.memory);
    memory.outcome.clear();
    frame.requests.push_back({.kind = kind, .what = info.kind, .options = memory.options, .text = {}, .index = 0});
}

}  // namespace

void put_figure_options(UiFrame& frame) {
    FigureOptions& options = share_memory(frame.memory).options.figure;
    put_colours(frame, options);
    put_scale(frame, options);
    put_head(frame, options);
    put_flag(frame, "figure_title", "title", options.has_title);
    put_flag(frame, "figure_legend", "legend", options.has_legend);
    put_flag(frame, "figure_transparent", "transparent ground", options.is_transparent);
}

void put_stage_choice(UiFrame& frame) {
    std::optional<TensorId>& chosen = share_memory(frame.memory).options.stage;
    std::vector<TensorId> stages = present_stages(frame.state.inputs);
    std::erase_if(stages, [&](TensorId stage) { return hides_stage(frame.state.view, stage); });
    if (chosen && std::find(stages.begin(), stages.end(), *chosen) == stages.end()) chosen.reset();
    if (stages.empty()) return;
    // Until another is chosen it is the one that is shown.
    const auto place = std::find(stages.begin(), stages.end(), chosen.value_or(frame.state.view.stage));
    const int now = place == stages.end() ? 0 : static_cast<int>(place - stages.begin());
    std::vector<Segment> segments;
    for (const TensorId stage : stages) {
        segments.push_back(
            {.name = concat("export_stage=", tensor_name(stage)), .label = std::string(stage_info(stage).title)});
    }
    if (const auto index = segmented(frame, segments, now, ImGui::GetContentRegionAvail().x)) {
        chosen = stages[static_cast<std::size_t>(*index)];
    }
}

void put_export_row(UiFrame& frame, const ExportInfo& info) {
    const float copy = info.is_text ? button_width(frame, "Copy") + kGap : 0;
    begin_share_row(frame, info.label, {copy + button_width(frame, "Save"), control_height(frame) + 4});
    if (info.is_text) {
        if (button(frame, concat("copy=", info.name), "Copy")) ask_for(frame, UiRequest::Kind::copy, info);
        put_tooltip(frame, concat("Copy: ", info.label), {}, info.about);
        ImGui::SameLine(0, kGap);
    }
    if (button(frame, concat("save=", info.name), "Save")) ask_for(frame, UiRequest::Kind::save, info);
    put_tooltip(frame, concat("Save: ", info.label), {}, info.about);
    if (info.scope != ExportScope::state) return;
    ImGui::SetCursorPosY(ImGui::GetCursorPosY() - 4);
    put_wrapped_text(small(frame), info.about);
}

}  // namespace attn
