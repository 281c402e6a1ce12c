// Lays out the columns of a table of numbers, and draws the rows in sight.
#include "ui/kit/number_table.h"

#include <algorithm>

namespace attn {
namespace {

constexpr float kWidestColumn = 92;
constexpr float kLine = 22;

float column_width(float room, float name_width, const std::vector<ColumnGroup>& groups) {
    std::size_t count = 0;
    for (const ColumnGroup& group : groups) count += group.columns.size();
    return std::min(kWidestColumn, (room - name_width) / static_cast<float>(count));
}

void put_header(const Look& look, const std::string& first, float name_width, const std::vector<ColumnGroup>& groups,
                float column) {
    const ImVec2 corner = ImGui::GetCursorScreenPos();
    const TextStyle style = small(look);
    TextStyle title = style;
    title.font = look.fonts.sans_bold;
    draw_text({corner.x, corner.y + kLine}, style, first);
    float x = corner.x + name_width;
    for (const ColumnGroup& group : groups) {
        const float width = column * static_cast<float>(group.columns.size());
        draw_text_in({x + 8, corner.y}, {x + width, corner.y + kLine}, {1, 0.5F}, title,
                     shortened(title, group.title, width - 8));
        ImGui::GetWindowDrawList()->AddLine({x + 8, corner.y + kLine}, {x + width, corner.y + kLine},
                                            look.palette.line);
        for (const std::string& text : group.columns) {
            draw_text_in({x, corner.y + kLine}, {x + column, corner.y + 2 * kLine}, {1, 0.5F}, style, text);
            x += column;
        }
    }
    const float y = corner.y + 2 * kLine;
    ImGui::GetWindowDrawList()->AddLine({corner.x, y}, {x, y}, look.palette.soft_ink);
    ImGui::Dummy({x - corner.x, 2 * kLine + 2});
}

void put_row(const Look& look, const NumberRow& row, float name_width, float column) {
    const ImVec2 corner = ImGui::GetCursorScreenPos();
    draw_text_in(corner, {corner.x + name_width, corner.y + kLine}, {0, 0.5F}, body(look),
                 shortened(body(look), row.name, name_width - 6));
    TextStyle style = small(look);
    style.color = look.palette.ink;
    float x = corner.x + name_width;
    for (const std::string& number : row.numbers) {
        draw_text_in({x, corner.y}, {x + column, corner.y + kLine}, {1, 0.5F}, style, number);
        x += column;
    }
    ImGui::Dummy({x - corner.x, kLine});
}

}  // namespace

void put_number_table(const Look& look, const std::string& first, float name_width,
                      const std::vector<ColumnGroup>& groups, int num_rows,
                      const std::function<NumberRow(int)>& row_of) {
    const float column = column_width(ImGui::GetContentRegionAvail().x, name_width, groups);
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, 0));
    put_header(look, first, name_width, groups, column);
    ImGuiListClipper clipper;
    clipper.Begin(num_rows, kLine);
    while (clipper.Step()) {
        for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i) put_row(look, row_of(i), name_width, column);
    }
    ImGui::PopStyleVar();
}

}  // namespace attn
