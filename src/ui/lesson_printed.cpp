#include "ui/lesson_printed.h"

#include <algorithm>

#include "core/check.h"
#include "ui/widgets.h"

namespace attn {
namespace {

constexpr float kNumberLine = 16;
constexpr float kMark = 15;  // a tick or a cross before the printed number
constexpr float kCellPadding = 5;
constexpr float kWidestLabel = 70;
constexpr float kRow = 2 * kNumberLine + 3;
constexpr float kHead = kNumberLine + 2;  // the column labels
constexpr float kSpacing = 2;

TextStyle number_style(const UiFrame& frame, ImU32 color) {
    return {frame.fonts.mono, kHeadingSize, color};
}
TextStyle label_style(const UiFrame& frame) {
    return {frame.fonts.sans, kHeadingSize, frame.palette.soft_ink};
}

float cell_width(const UiFrame& frame, const PrintedTable& table) {
    float widest = 0;
    const TextStyle style = number_style(frame, 0);
    for (const std::vector<PrintedCell>& row : table.rows) {
        for (const PrintedCell& cell : row) {
            widest = std::max(widest, text_size(style, printed_number(cell.printed, table.digits)).x);
            if (cell.exists) widest = std::max(widest, text_size(style, printed_number(cell.computed, table.digits)).x);
        }
    }
    return widest + kMark + 2 * kCellPadding;
}

float label_width(const UiFrame& frame, const PrintedTable& table) {
    float widest = 0;
    for (const std::string& label : table.row_labels) widest = std::max(widest, text_size(label_style(frame), label).x);
    return std::min(widest, kWidestLabel) + 8;
}

float table_width(const UiFrame& frame, const PrintedTable& table) {
    return label_width(frame, table) + cell_width(frame, table) * static_cast<float>(table.column_labels.size());
}

void draw_mark(ImVec2 middle, bool is_tick, ImU32 color) {
    constexpr float kHalf = 3.5F;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const auto at = [&](float x, float y) { return ImVec2(middle.x + x * kHalf, middle.y + y * kHalf); };
    if (is_tick) {
        list.AddLine(at(-1, 0.1F), at(-0.3F, 0.9F), color, 1.4F);
        list.AddLine(at(-0.3F, 0.9F), at(1, -0.9F), color, 1.4F);
    } else {
        list.AddLine(at(-0.9F, -0.9F), at(0.9F, 0.9F), color, 1.4F);
        list.AddLine(at(-0.9F, 0.9F), at(0.9F, -0.9F), color, 1.4F);
    }
}

// The printed number with its mark, struck out where it does not follow; under it what the method gives.
void draw_cell(const UiFrame& frame, const PrintedTable& table, const PrintedCell& cell, ImVec2 min, ImVec2 max) {
    const Palette& palette = frame.palette;
    if (!cell.follows) fill_box(min, max, mix(palette.panel, palette.warning, 0.12F), 3);
    const ImU32 color = cell.follows ? palette.ink : palette.warning;
    const std::string printed = printed_number(cell.printed, table.digits);
    const TextStyle style = number_style(frame, color);
    const ImVec2 size = text_size(style, printed);
    const float right = max.x - kCellPadding;
    const float top = min.y + 1;
    draw_text({right - size.x, top}, style, printed);
    const float middle = top + kHeadingSize / 2;
    if (!cell.follows) ImGui::GetWindowDrawList()->AddLine({right - size.x, middle}, {right, middle}, color);
    draw_mark({min.x + kCellPadding + 4, middle}, cell.follows, color);
    const std::string computed = cell.exists ? printed_number(cell.computed, table.digits) : "–";
    const TextStyle ours = number_style(frame, palette.soft_ink);
    draw_text({right - text_size(ours, computed).x, top + kNumberLine}, ours, computed);
}

void put_table(UiFrame& frame, const PrintedTable& table) {
    const float cell = cell_width(frame, table);
    const ImVec2 corner = ImGui::GetCursorScreenPos();
    const TextStyle label = label_style(frame);
    const float first = corner.x + label_width(frame, table);
    float x = first;
    for (const std::string& name : table.column_labels) {
        draw_text_in({x, corner.y}, {x + cell - kCellPadding, corner.y + kNumberLine}, {1, 0.5F}, label,
                     shortened(label, name, cell - kCellPadding));
        x += cell;
    }
    float y = corner.y + kHead;
    for (std::size_t i = 0; i < table.rows.size(); ++i, y += kRow) {
        ImGui::GetWindowDrawList()->AddLine({corner.x, y}, {corner.x + table_width(frame, table), y},
                                            frame.palette.line);
        draw_text({corner.x, y + 2}, label, shortened(label, table.row_labels[i], kWidestLabel));
        x = first;
        for (const PrintedCell& number : table.rows[i]) {
            draw_cell(frame, table, number, {x + 1, y + 1}, {x + cell - 1, y + kRow - 1});
            x += cell;
        }
    }
    ImGui::Dummy({table_width(frame, table), y - corner.y});
}

}  // namespace

float printed_tables_width(const UiFrame& frame, std::span<const PrintedTable> tables) {
    constexpr float kNarrowest = 260;  // so that the words above the tables need a line each
    float width = tables.empty() ? 0 : kNarrowest;
    for (const PrintedTable& table : tables) width = std::max(width, table_width(frame, table));
    return width;
}

float printed_tables_height(std::span<const PrintedTable> tables) {
    if (tables.empty()) return 0;
    float height = kSmallSize + kHeadingSize + 2 * kSpacing;
    for (const PrintedTable& table : tables) {
        height += 2 * kSpacing + 2 + kHeadingSize + kHead + kRow * static_cast<float>(table.rows.size()) + kSpacing;
    }
    return height;
}

void put_printed_tables(UiFrame& frame, std::span<const PrintedTable> tables, float width) {
    if (tables.empty()) return;
    const PrintedCount count = count_printed({tables.begin(), tables.end()});
    TextStyle sentence = bold(frame);
    sentence.size = kSmallSize;
    if (count.follow != count.all) sentence.color = frame.palette.warning;
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, kSpacing));
    ImGui::PushTextWrapPos(ImGui::GetCursorPosX() + width);
    put_wrapped_text(sentence, sentence_of(count));
    put_wrapped_text(label_style(frame), "above: as printed; below: what the method gives");
    for (const PrintedTable& table : tables) {
        ImGui::Dummy({1, 2});
        put_wrapped_text(label_style(frame), concat(table.title, " · ", table.source));
        put_table(frame, table);
    }
    ImGui::PopTextWrapPos();
    ImGui::PopStyleVar();
}

}  // namespace attn
