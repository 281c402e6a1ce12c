// See the header.
#include "ui/cost.h"

#include "playground/cost.h"

#include <imgui.h>

#include <algorithm>
#include <array>
#include <string>

#include "core/check.h"
#include "playground/notes.h"
#include "ui/touch.h"
#include "ui/widgets.h"

namespace attn {
namespace {

constexpr float kNameShare = 0.25F;  // of the width, for the names of the rows
constexpr float kNarrowest = 560;    // a narrower table has its layouts under each other
constexpr float kIndent = 10;
constexpr float kRowPadding = 4;

// "3 · 8 · 4": what stands between the letters and the number; empty where that is one number.
std::string values_of(const CostCell& cell) {
    return cell.is_single() ? std::string() : concat(cell.values, " =");
}

void draw_wrapped(ImVec2 corner, const TextStyle& style, std::string_view text, float width) {
    const std::string shown = drawable(text);
    ImGui::GetWindowDrawList()->AddText(style.font, style.size, corner, style.color, shown.data(),
                                        shown.data() + shown.size(), width);
}

// Letters, values and number of one cell, one under the other, `width` wide; returns the height.
float draw_cell(const UiFrame& frame, const CostCell& cell, ImVec2 corner, float width, bool draws) {
    const TextStyle values = body(frame);
    const std::string number = with_thousands(cell.count);
    float y = corner.y;
    if (!cell.letters.empty()) {
        if (draws) draw_wrapped({corner.x, y}, small(frame), cell.letters, width);
        y += wrapped_height(small(frame), cell.letters, width);
    }
    const std::string formula = values_of(cell);
    const float formula_width = text_size(values, formula).x;
    const bool fits = formula_width + 6 + text_size(bold(frame), number).x <= width;
    if (!formula.empty() && draws) draw_wrapped({corner.x, y}, values, formula, width);
    if (!formula.empty() && !fits) y += wrapped_height(values, formula, width);
    const float x = !formula.empty() && fits ? corner.x + formula_width + 6 : corner.x;
    if (draws) draw_text({x, y}, bold(frame), number);
    return y + kTextSize - corner.y;
}

void draw_line(const UiFrame& frame, float width) {
    const ImVec2 corner = ImGui::GetCursorScreenPos();
    ImGui::GetWindowDrawList()->AddLine(corner, {corner.x + width, corner.y}, frame.palette.line);
}

// One row across: its name and the three layouts.
void put_wide_row(const UiFrame& frame, const CostRow& row, float width) {
    const float name_width = width * kNameShare;
    const float column = (width - name_width) / static_cast<float>(row.cells.size());
    const ImVec2 corner = ImGui::GetCursorScreenPos();
    draw_line(frame, width);
    float height = kTextSize;
    for (int pass = 0; pass < 2; ++pass) {  // measured first
        for (std::size_t k = 0; k < row.cells.size(); ++k) {
            const ImVec2 place = {corner.x + name_width + static_cast<float>(k) * column, corner.y + kRowPadding};
            height = std::max(height, draw_cell(frame, row.cells[k], place, column - kIndent, pass == 1));
        }
    }
    const TextStyle name = row.is_total ? bold(frame) : body(frame);
    draw_wrapped({corner.x, corner.y + kRowPadding}, name, row.name, name_width - kIndent);
    height = std::max(height, wrapped_height(name, row.name, name_width - kIndent));
    ImGui::Dummy({width, height + 2 * kRowPadding});
}

// The same under each other.
void put_narrow_row(const UiFrame& frame, const CostRow& row, float width) {
    draw_line(frame, width);
    ImGui::Dummy({1, kRowPadding});
    put_text(bold(frame), row.name);
    for (std::size_t k = 0; k < row.cells.size(); ++k) {
        const CostCell& cell = row.cells[k];
        const float label = 116;
        const ImVec2 corner = ImGui::GetCursorScreenPos();
        draw_text(corner, small(frame), kCostLayouts[k]);
        const float height = draw_cell(frame, cell, {corner.x + label, corner.y}, width - label, true);
        ImGui::Dummy({width, height});
    }
    ImGui::Dummy({1, kRowPadding});
}

void put_layout_names(const UiFrame& frame, float width) {
    const float name_width = width * kNameShare;
    const float column = (width - name_width) / static_cast<float>(kCostLayouts.size());
    const ImVec2 corner = ImGui::GetCursorScreenPos();
    for (std::size_t k = 0; k < kCostLayouts.size(); ++k) {
        const float x = corner.x + name_width + static_cast<float>(k) * column;
        draw_text({x, corner.y}, small(frame), shortened(small(frame), kCostLayouts[k], column - kIndent));
    }
    ImGui::Dummy({width, kSmallSize});
}

}  // namespace

void draw_cost(UiFrame& frame) {
    if (frame.evaluation.is_empty()) return;
    const std::vector<CostSection> sections = cost_of(frame.evaluator.inputs(), frame.evaluation.sizes);
    ImGui::BeginChild("cost", {0, 0}, ImGuiChildFlags_NavFlattened);
    const float width = ImGui::GetContentRegionAvail().x - 4;
    ImGui::Dummy({1, 2});
    put_wrapped_text(bold(frame), cost_in_words(sections, frame.evaluation.sizes));
    for (const CostSection& section : sections) {
        put_heading(frame, section.title);
        put_wrapped_text(small(frame), section.remark);
        if (section.rows.empty()) continue;
        if (width >= kNarrowest) put_layout_names(frame, width);
        for (const CostRow& row : section.rows) {
            width >= kNarrowest ? put_wide_row(frame, row, width) : put_narrow_row(frame, row, width);
        }
    }
    scroll_by_finger(frame);
    ImGui::EndChild();
}

}  // namespace attn
