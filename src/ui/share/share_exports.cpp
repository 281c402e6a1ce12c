// The rows of the share panel that are about exports: how figures are drawn, which stage, and what each export can do.
#include <algorithm>
#include <array>
#include <cmath>

#include "core/ground/check.h"
#include "playground/link/hiding.h"
#include "playground/state/shapes.h"
#include "playground/text/format.h"
#include "share/exports/data_files.h"
#include "ui/kit/stepper.h"
#include "ui/kit/widgets.h"
#include "ui/share/share.h"

namespace attn {
namespace {

constexpr float kExportIndent = 12;  // of a button's label
constexpr float kGap = 6;
constexpr std::array<double, 4> kScales = {1, 2, 3, 4};

void put_scale(Canvas& canvas, FigureOptions& options) {
    std::vector<Segment> segments;
    int chosen = -1;
    for (const double scale : kScales) {
        if (scale == options.scale) chosen = static_cast<int>(segments.size());
        segments.push_back({.name = concat("figure_scale=", exact_number(scale)), .label = concat(scale, "×")});
    }
    const float width = segmented_width(canvas, segments);
    begin_share_row(canvas, "size of a PNG", {width, control_height(canvas)});
    if (const auto index = segmented(canvas, segments, chosen, width, "size of a PNG")) {
        options.scale = kScales.at(static_cast<std::size_t>(*index));
    }
}

void put_colours(Canvas& canvas, FigureOptions& options) {
    const std::array<Segment, 2> segments = {
        {{.name = "figure_dark=0", .label = "light"}, {.name = "figure_dark=1", .label = "dark"}}};
    const float width = segmented_width(canvas, segments);
    begin_share_row(canvas, "colours", {width, control_height(canvas)});
    if (const auto index = segmented(canvas, segments, options.is_dark ? 1 : 0, width, "colours"))
        options.is_dark = *index == 1;
}

void put_flag(Canvas& canvas, const std::string& name, std::string_view label, bool& value) {
    begin_share_row(canvas, label, {toggle_width(canvas), control_height(canvas)});
    if (toggle(canvas, name, value, label)) value = !value;
}

// Every head that the view shows, or one alone.
void put_head(Display& display, FigureOptions& options) {
    const int num_heads = display.state.inputs.num_heads;
    if (options.head && *options.head >= num_heads) options.head.reset();
    if (num_heads == 1) return;
    const int shown = options.head ? *options.head + 1 : 0;  // from 1; 0: as the view has them
    const std::string value = shown == 0 ? "as shown" : concat(shown);
    const float width = stepper_width(display, "as shown");
    begin_share_row(display, "head", {width, control_height(display)});
    const StepperLook look = {
        .can_decrease = shown > 0, .can_increase = shown < num_heads, .label = "head of the figure"};
    const StepperEvent event = stepper(display, "figure_head", value, look, width);
    int wanted = shown + event.step;
    if (event.typed) wanted = static_cast<int>(std::clamp(parse_number(*event.typed).value_or(0), 0.0, 1e6));
    wanted = std::min(wanted, num_heads);
    options.head = wanted == 0 ? std::nullopt : std::optional(wanted - 1);
}

float button_width(const Look& look, std::string_view label) {
    return text_size(body(look), label).x + 2 * kExportIndent;
}

void ask_for(UiFrame& frame, UiRequest::Kind kind, const ExportInfo& info, ExportPart part = ExportPart::all) {
    ShareMemory& memory = share_memory(frame.memory);
    memory.outcome.clear();
    ExportOptions options = memory.options;
    options.part = part;
    frame.requests.push_back({.kind = kind, .what = info.kind, .options = options, .text = {}, .index = 0});
}

TensorId exported_stage(Display& display) {
    return share_memory(display.memory).options.stage.value_or(display.state.view.stage);
}

bool can_be_parted(ExportKind kind) {
    return kind == ExportKind::csv || kind == ExportKind::tsv || kind == ExportKind::npy;
}

// A stage that is too large for one file: what fits of it.
void put_parts(UiFrame& frame, const ExportInfo& info) {
    const std::string head = concat("Head ", head_of_part(frame.state.view) + 1);
    constexpr std::string_view kWindow = "This window";
    const auto has = [&](ExportPart part) {
        return can_be_parted(info.kind) &&
               has_export_part(frame.state, frame.evaluation.sizes, exported_stage(frame), part);
    };
    const bool has_head = has(ExportPart::head);
    const bool has_window = has(ExportPart::window);
    const float width =
        (has_head ? button_width(frame, head) : 0) + (has_window ? kGap + button_width(frame, kWindow) : 0);
    begin_share_row(frame, info.label, {width, control_height(frame) + 4});
    const auto put = [&](std::string_view part, std::string_view label, ExportPart which) {
        if (button(frame, concat("save=", info.name, ",", part), label))
            ask_for(frame, UiRequest::Kind::save, info, which);
        call_last_item(frame, concat("Save ", info.label, ": ", label));
    };
    if (has_head) put("head", head, ExportPart::head);
    if (has_head && has_window) ImGui::SameLine(0, kGap);
    if (has_window) put("window", kWindow, ExportPart::window);
    if (!has_head && !has_window) put_text(small(frame), "too large", control_height(frame) + 4);
}

}  // namespace

void put_figure_options(Display& display) {
    FigureOptions& options = share_memory(display.memory).options.figure;
    put_colours(display, options);
    put_scale(display, options);
    put_head(display, options);
    put_flag(display, "figure_title", "title", options.has_title);
    put_flag(display, "figure_legend", "legend", options.has_legend);
    put_flag(display, "figure_transparent", "transparent background", options.is_transparent);
}

void put_stage_choice(Display& display) {
    std::optional<TensorId>& chosen = share_memory(display.memory).options.stage;
    std::vector<TensorId> stages = present_stages(display.state.inputs);
    std::erase_if(stages, [&](TensorId stage) { return hides_stage(display.state.view, stage); });
    if (chosen && std::find(stages.begin(), stages.end(), *chosen) == stages.end()) chosen.reset();
    if (stages.empty()) return;
    // Until another is chosen it is the one that is shown.
    const auto place = std::find(stages.begin(), stages.end(), chosen.value_or(display.state.view.stage));
    const int now = place == stages.end() ? 0 : static_cast<int>(place - stages.begin());
    std::vector<Segment> segments;
    for (const TensorId stage : stages) {
        segments.push_back(
            {.name = concat("export_stage=", tensor_name(stage)), .label = std::string(stage_info(stage).title)});
    }
    if (const auto index = segmented(display, segments, now, ImGui::GetContentRegionAvail().x, "stage")) {
        chosen = stages[static_cast<std::size_t>(*index)];
    }
    const std::string obstacle = export_obstacle(ExportKind::csv, display.state, exported_stage(display));
    if (!obstacle.empty()) {
        put_wrapped_text(small(display), concat(obstacle, " A head fits, or the window you enlarge (Ctrl+wheel)."));
    }
}

void put_export_row(UiFrame& frame, const ExportInfo& info) {
    const bool is_of_numbers = info.scope == ExportScope::stage || info.kind == ExportKind::npz;
    const std::string obstacle =
        is_of_numbers ? export_obstacle(info.kind, frame.state, exported_stage(frame)) : std::string();
    if (!obstacle.empty()) {
        put_parts(frame, info);
        if (info.kind == ExportKind::npz) put_wrapped_text(small(frame), obstacle);
        return;
    }
    const float copy = info.is_text ? button_width(frame, "Copy") + kGap : 0;
    begin_share_row(frame, info.label, {copy + button_width(frame, "Save"), control_height(frame) + 4});
    if (info.is_text) {
        if (button(frame, concat("copy=", info.name), "Copy")) ask_for(frame, UiRequest::Kind::copy, info);
        call_last_item(frame, concat("Copy ", info.label));
        put_tooltip(frame, concat("Copy: ", info.label), {}, info.about);
        ImGui::SameLine(0, kGap);
    }
    if (button(frame, concat("save=", info.name), "Save")) ask_for(frame, UiRequest::Kind::save, info);
    call_last_item(frame, concat("Save ", info.label));
    put_tooltip(frame, concat("Save: ", info.label), {}, info.about);
    if (info.scope != ExportScope::state) return;
    ImGui::SetCursorPosY(ImGui::GetCursorPosY() - 4);
    put_wrapped_text(small(frame), info.about);
}

}  // namespace attn
