// The lines of PyTorch beside the numbers.
#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/ground/check.h"
#include "playground/link/hiding.h"
#include "playground/state/shapes.h"
#include "scene/kit/figure_text.h"
#include "share/scripts/script_class.h"
#include "ui/frame/pins.h"
#include "ui/inspector/inspector.h"
#include "ui/inspector/inspector_memory.h"
#include "ui/kit/item.h"
#include "ui/kit/widgets.h"

namespace attn {
namespace {

constexpr float kCodeIndent = 6;  // from the edge of a stage's lines to their letters
constexpr float kCodeMargin = 3;  // above and below them
constexpr float kLinkGap = 16;
constexpr std::size_t kMostLines = 30;  // of a stage: more are pasted numbers

TextStyle code_style(const Look& look, bool is_lit) {
    return {look.fonts.mono, kSmallSize, is_lit ? look.palette.ink : look.palette.soft_ink};
}

float code_line_height() {
    return std::ceil(kSmallSize * 1.3F);
}

// Where a line is cut that may have `most` letters: at a blank, else behind a mark, else anywhere but in a letter.
std::size_t cut_of(const std::string& line, std::size_t most) {
    const std::size_t first = line.find_first_not_of(' ');
    const std::size_t blank = line.rfind(' ', most);
    if (blank != std::string::npos && blank > first) return blank;
    const std::size_t mark = line.find_last_of(".,([", most - 1);
    if (mark != std::string::npos && mark > first) return mark + 1;
    while ((static_cast<unsigned char>(line[most]) & 0xC0U) == 0x80U) --most;
    return most;
}

// A line that is too long goes on below, further in.
void add_cut_line(std::vector<std::string>& lines, std::string_view line, std::size_t most) {
    const std::size_t depth = std::min(line.find_first_not_of(' ') + 4, most / 2);
    std::string rest(line);
    while (rest.size() > most) {
        const std::size_t end = cut_of(rest, most);
        lines.push_back(rest.substr(0, end));
        rest = concat(std::string(depth, ' '), trimmed(std::string_view(rest).substr(end)));
    }
    lines.push_back(std::move(rest));
}

std::vector<std::string> lines_within(const Look& look, std::string_view code, float width) {
    const float letter = text_size(code_style(look, true), "0").x;
    const std::size_t most = std::max<std::size_t>(16, static_cast<std::size_t>((width - 2 * kCodeIndent) / letter));
    std::vector<std::string> lines;
    while (!code.empty() && lines.size() < kMostLines) {
        const std::size_t end = std::min(code.find('\n'), code.size());
        add_cut_line(lines, code.substr(0, end), most);
        code.remove_prefix(std::min(end + 1, code.size()));
    }
    if (!code.empty()) lines.emplace_back("...");
    return lines;
}

// Made once for as long as the numbers and the width of the panel stay.
const CodeOfShown& code_of_shown(UiFrame& frame) {
    CodeOfShown& code = inspector_memory(frame.memory).code;
    const float width = ImGui::GetContentRegionAvail().x;
    if (code.version == frame.version && code.width == width) return code;
    Result<std::vector<StageCode>> made = code_of_stages(frame.state);
    code = {.version = frame.version,
            .width = width,
            .stages = made ? std::move(*made) : std::vector<StageCode>(),
            .lines = {}};
    for (const StageCode& one : code.stages) code.lines.push_back(lines_within(frame, one.code, width));
    return code;
}

// Which of them makes the shown stage.
std::optional<std::size_t> lit_place(const CodeOfShown& code, TensorId stage) {
    const auto makes = [&](const StageCode& one) { return std::ranges::count(one.stages, stage) != 0; };
    const auto found = std::ranges::find_if(code.stages, makes);
    if (found == code.stages.end()) return std::nullopt;
    return static_cast<std::size_t>(found - code.stages.begin());
}

void draw_lines(const Look& look, const std::vector<std::string>& lines, ImVec2 corner, bool is_lit) {
    for (const std::string& line : lines) {
        draw_text({corner.x + kCodeIndent, corner.y + kCodeMargin}, code_style(look, is_lit), line);
        corner.y += code_line_height();
    }
}

float height_of(const std::vector<std::string>& lines) {
    return static_cast<float>(lines.size()) * code_line_height() + 2 * kCodeMargin;
}

// A stage's lines; those of another stage than the shown one lead there.
void put_stage_code(UiFrame& frame, TensorId stage, const std::vector<std::string>& lines, bool is_lit) {
    const ImVec2 size = {ImGui::GetContentRegionAvail().x, height_of(lines)};
    const ImVec2 corner = ImGui::GetCursorScreenPos();
    if (is_lit) {
        fill_box(corner, {corner.x + size.x, corner.y + size.y}, frame.palette.lit);
        fill_box(corner, {corner.x + 2, corner.y + size.y}, frame.palette.link, 0);
        draw_lines(frame, lines, corner, true);
        ImGui::Dummy(size);
        return;
    }
    const ItemState state = item(frame, concat("code=", tensor_name(stage)), size);
    if (state.is_focused) call_item(frame, state, concat("PyTorch of ", tensor_name(stage)));
    if (state.is_hovered) fill_box(state.min, state.max, frame.palette.chip);
    draw_lines(frame, lines, corner, false);
    if (state.is_pressed) choose_stage(frame.next.view, stage);
}

// A link that copies a file of the state, behind what stands on this line already.
void put_copy(UiFrame& frame, ExportKind what, const char* name, std::string_view label) {
    TextStyle style = small(frame);
    style.color = frame.palette.link;
    if (text_link(frame, name, style, label))
        frame.requests.push_back({.kind = UiRequest::Kind::copy, .what = what, .options = {}, .text = {}, .index = 0});
    ImGui::SameLine(0, kLinkGap);
}

// What copies the lines, or where they stand among the others the script and the lectures' class; and what shows or
// hides the others.
void put_code_links(UiFrame& frame) {
    bool& shows_all = inspector_memory(frame.memory).shows_all_code;
    TextStyle style = small(frame);
    style.color = frame.palette.link;
    if (shows_part(frame, "share")) {
        if (!shows_all) put_copy(frame, ExportKind::code, "copy code", "copy");
        if (shows_all) put_copy(frame, ExportKind::pytorch, "copy script", "copy the script");
        if (shows_all && find_class_problem(frame.state.inputs).empty())
            put_copy(frame, ExportKind::lecture_class, "copy class", "copy as a class");
        if (shows_all) ImGui::NewLine();
    }
    if (text_link(frame, "all code", style, shows_all ? "this stage alone" : "the lines of all stages"))
        shows_all = !shows_all;
}

}  // namespace

// Not inlined: it comes with a later part of the page.
[[gnu::noinline]] void put_code(UiFrame& frame) {
    const CodeOfShown& code = code_of_shown(frame);
    const std::optional<std::size_t> lit = lit_place(code, frame.state.view.stage);
    if (!lit) return;
    const bool shows_all = inspector_memory(frame.memory).shows_all_code;
    put_heading(frame, "IN PYTORCH");
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(6, 0));
    for (std::size_t n = 0; n < code.stages.size(); ++n) {
        const TensorId stage = code.stages[n].stages.front();
        const bool is_in_sight = n == *lit || (shows_all && !hides_stage(frame.state.view, stage));
        if (is_in_sight) put_stage_code(frame, stage, code.lines[n], n == *lit);
    }
    ImGui::PopStyleVar();
    put_code_links(frame);
}

[[gnu::noinline]] float code_height(UiFrame& frame) {
    const CodeOfShown& code = code_of_shown(frame);
    const std::optional<std::size_t> lit = lit_place(code, frame.state.view.stage);
    if (!lit) return 0;
    return height_of(code.lines[*lit]) + 2 * kTextSize + text_link_height(frame, small(frame));
}

}  // namespace attn
