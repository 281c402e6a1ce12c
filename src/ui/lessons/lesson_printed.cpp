// Lays out and draws the tables of printed numbers; folds those with many numbers, or many wrong ones.
#include "ui/lessons/lesson_printed.h"

#include <algorithm>
#include <cmath>

#include "core/ground/check.h"
#include "ui/kit/widgets.h"

namespace attn {
namespace {

constexpr float kNumberLine = 16;
constexpr float kMark = 15;  // a tick or a cross before the printed number
constexpr float kCellPadding = 5;
constexpr float kWidestLabel = 70;
constexpr float kHead = kNumberLine + 2;  // the column labels
constexpr float kSpacing = 2;
constexpr float kAbove = 4;        // a line of tables
constexpr float kBetween = 18;     // two tables side by side
constexpr float kNarrowest = 260;  // so narrow that the words above the tables need one line each

// Nobody reads more wrong numbers than this one by one; the sentence that counts them is enough. Two tables of 3 x 3,
// all struck out, are a wall already.
constexpr int kMostStruck = 17;
// Nor more than this of which each stands in the picture, too; and the picture needs the room.
constexpr int kMostPrinted = 35;

// Those that a visitor changed are no longer the matter.
bool can_fold(const Shown& shown, const PrintedCount& count) {
    return count.all - count.follow > kMostStruck || count.all > kMostPrinted ||
           (count.follow < count.all && has_other_numbers(shown.state));
}

bool is_folded(const Display& display, const PrintedCount& count) {
    return can_fold(display, count) && !display.memory.shows_struck;
}

// Red where the lecture's numbers do not follow from its own.
TextStyle sentence_style(const Shown& shown, const Look& look, const PrintedCount& count) {
    TextStyle style = bold(look);
    style.size = kSmallSize;
    if (count.follow == count.all) return style;
    style.color = has_other_numbers(shown.state) ? look.palette.soft_ink : look.palette.warning;
    return style;
}

// Whether the computed numbers equal the printed ones; then the table shows them once.
bool says_all_once(const PrintedTable& table) {
    return std::all_of(table.rows.begin(), table.rows.end(), [](const std::vector<PrintedCell>& row) {
        return std::all_of(row.begin(), row.end(), [](const PrintedCell& cell) { return cell.follows; });
    });
}

float row_height(const PrintedTable& table) {
    return (says_all_once(table) ? 1 : 2) * kNumberLine + 3;
}

PrintedCount count_of(std::span<const PrintedTable> tables) {
    return count_printed({tables.begin(), tables.end()});
}

TextStyle number_style(const Look& look, ImU32 color) {
    return {look.fonts.mono, kHeadingSize, color};
}
TextStyle label_style(const Look& look) {
    return {look.fonts.sans, kHeadingSize, look.palette.soft_ink};
}

float cell_width(const Look& look, const PrintedTable& table) {
    float widest = 0;
    const TextStyle style = number_style(look, 0);
    for (const std::vector<PrintedCell>& row : table.rows) {
        for (const PrintedCell& cell : row) {
            widest = std::max(widest, text_size(style, printed_number(cell.printed, table.digits)).x);
            if (cell.exists) widest = std::max(widest, text_size(style, printed_number(cell.computed, table.digits)).x);
        }
    }
    return widest + kMark + 2 * kCellPadding;
}

float label_width(const Display& display, const PrintedTable& table) {
    float widest = 0;
    for (const std::string& label : table.row_labels)
        widest = std::max(widest, text_size(label_style(display), label).x);
    return std::min(widest, kWidestLabel) + 8;
}

float table_width(const Display& display, const PrintedTable& table) {
    return label_width(display, table) + cell_width(display, table) * static_cast<float>(table.column_labels.size());
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

// The printed number with its mark, struck out if it does not follow; below it the computed number, unless the whole
// table agrees.
void draw_cell(const Look& look, const PrintedTable& table, const PrintedCell& cell, ImVec2 min, ImVec2 max,
               bool has_computed) {
    const Palette& palette = look.palette;
    if (!cell.follows) fill_box(min, max, mix(palette.panel, palette.warning, 0.12F), 3);
    const ImU32 color = cell.follows ? palette.ink : palette.warning;
    const std::string printed = printed_number(cell.printed, table.digits);
    const TextStyle style = number_style(look, color);
    const ImVec2 size = text_size(style, printed);
    const float right = max.x - kCellPadding;
    const float top = min.y + 1;
    draw_text({right - size.x, top}, style, printed);
    const float middle = top + kHeadingSize / 2;
    if (!cell.follows) ImGui::GetWindowDrawList()->AddLine({right - size.x, middle}, {right, middle}, color);
    draw_mark({min.x + kCellPadding + 4, middle}, cell.follows, color);
    if (!has_computed) return;
    const std::string computed = cell.exists ? printed_number(cell.computed, table.digits) : "–";
    const TextStyle ours = number_style(look, palette.soft_ink);
    draw_text({right - text_size(ours, computed).x, top + kNumberLine}, ours, computed);
}

// How many columns stand side by side in `width`; the others follow below, under labels of their own.
std::size_t columns_side_by_side(const Display& display, const PrintedTable& table, float width) {
    const float fitting = std::floor((width - label_width(display, table)) / cell_width(display, table) + 0.01F);
    return std::clamp(static_cast<std::size_t>(std::max(fitting, 1.0F)), std::size_t{1}, table.column_labels.size());
}

float part_height(const PrintedTable& table) {
    return kHead + row_height(table) * static_cast<float>(table.rows.size());
}

// The columns [first, last) with the labels of all rows.
void draw_part(Display& display, const PrintedTable& table, ImVec2 corner, std::size_t first, std::size_t last) {
    const float cell = cell_width(display, table);
    const TextStyle label = label_style(display);
    const float left = corner.x + label_width(display, table);
    const auto x_of = [&](std::size_t column) { return left + cell * static_cast<float>(column - first); };
    for (std::size_t c = first; c < last; ++c) {
        draw_text_in({x_of(c), corner.y}, {x_of(c) + cell - kCellPadding, corner.y + kNumberLine}, {1, 0.5F}, label,
                     shortened(label, table.column_labels[c], cell - kCellPadding));
    }
    const float height = row_height(table);
    const bool has_computed = !says_all_once(table);
    float y = corner.y + kHead;
    for (std::size_t i = 0; i < table.rows.size(); ++i, y += height) {
        ImGui::GetWindowDrawList()->AddLine({corner.x, y}, {x_of(last), y}, display.palette.line);
        draw_text({corner.x, y + 2}, label, shortened(label, table.row_labels[i], kWidestLabel));
        for (std::size_t c = first; c < last; ++c) {
            draw_cell(display, table, table.rows[i][c], {x_of(c) + 1, y + 1}, {x_of(c) + cell - 1, y + height - 1},
                      has_computed);
        }
    }
}

void put_table(Display& display, const PrintedTable& table, float width) {
    const ImVec2 corner = ImGui::GetCursorScreenPos();
    const std::size_t side_by_side = columns_side_by_side(display, table, width);
    float y = corner.y;
    for (std::size_t first = 0; first < table.column_labels.size(); first += side_by_side, y += part_height(table)) {
        draw_part(display, table, {corner.x, y}, first, std::min(first + side_by_side, table.column_labels.size()));
    }
    ImGui::Dummy({std::min(width, table_width(display, table)), y - corner.y});
}

float table_height(const Display& display, const PrintedTable& table, float width) {
    const std::size_t side_by_side = columns_side_by_side(display, table, width);
    const std::size_t parts = (table.column_labels.size() + side_by_side - 1) / side_by_side;
    return kHeadingSize + kSpacing + part_height(table) * static_cast<float>(parts);
}

}  // namespace

PrintedLayout layout_printed(const Display& display, std::span<const PrintedTable> tables, float width) {
    PrintedLayout layout;
    if (tables.empty()) return layout;
    width = std::max(width, 1.0F);
    layout.is_cut = width < kNarrowest;
    const PrintedCount count_here = count_of(tables);
    const auto sentence_height = [&] {
        const std::string words = sentence_of(count_here, has_other_numbers(display.state));
        return wrapped_height(sentence_style(display, display, count_here), words, layout.width);
    };
    const float button_height = can_fold(display, count_here) ? control_height(display) + 4 + kSpacing : 0;
    if (is_folded(display, count_here)) {
        layout.width = layout.table_width = std::min(kNarrowest, width);
        layout.height = sentence_height() + kSpacing + button_height;
        return layout;
    }
    float widest = 0, tallest = 0;
    for (const PrintedTable& table : tables) widest = std::max(widest, table_width(display, table));
    layout.is_cut = layout.is_cut || widest > width;
    layout.table_width = std::min(widest, width);
    for (const PrintedTable& table : tables)
        tallest = std::max(tallest, table_height(display, table, layout.table_width));
    const float fitting = std::max(1.0F, std::floor((width + kBetween) / (layout.table_width + kBetween)));
    layout.per_line = std::min(tables.size(), static_cast<std::size_t>(fitting));
    const auto count = static_cast<float>(layout.per_line);
    layout.width = std::max(std::min(kNarrowest, width), count * layout.table_width + (count - 1) * kBetween);
    const std::size_t lines = (tables.size() + layout.per_line - 1) / layout.per_line;
    const float explanation = count_here.follow == count_here.all ? 0 : kHeadingSize + kSpacing;
    layout.height =
        sentence_height() + kSpacing + explanation + button_height + static_cast<float>(lines) * (tallest + kAbove);
    return layout;
}

void put_printed_tables(Display& display, std::span<const PrintedTable> tables, const PrintedLayout& layout) {
    const PrintedCount count = count_of(tables);
    bool& is_open = display.memory.shows_struck;
    ImGui::BeginGroup();  // so that each line begins below the one before
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, kSpacing));
    ImGui::PushTextWrapPos(ImGui::GetCursorPosX() + layout.width);
    put_wrapped_text(sentence_style(display, display, count), sentence_of(count, has_other_numbers(display.state)));
    ImGui::PopTextWrapPos();
    if (can_fold(display, count)) {
        if (button(display, "printed=fold", is_open ? "Hide them" : "Show them", ButtonKind::quiet)) is_open = !is_open;
        call_last_item(display, is_open ? "Hide the printed numbers" : "Show the printed numbers");
    }
    if (is_folded(display, count)) {
        ImGui::PopStyleVar();
        ImGui::EndGroup();
        return;
    }
    if (count.follow != count.all) put_text(label_style(display), "above: as printed; below: what the method gives");
    ImVec2 corner = ImGui::GetCursorScreenPos();
    for (std::size_t first = 0; first < tables.size(); first += layout.per_line) {
        corner.y += kAbove;
        float below = corner.y;
        for (std::size_t i = first; i < std::min(first + layout.per_line, tables.size()); ++i) {
            const float x = corner.x + static_cast<float>(i - first) * (layout.table_width + kBetween);
            ImGui::SetCursorScreenPos({x, corner.y});
            put_text(
                label_style(display),
                shortened(label_style(display), tables[i].title,
                          std::max(layout.table_width, layout.width / static_cast<float>(layout.per_line) - kBetween)));
            ImGui::SetCursorScreenPos({x, corner.y + kHeadingSize + kSpacing});
            put_table(display, tables[i], layout.table_width);
            below = std::max(below, corner.y + table_height(display, tables[i], layout.table_width));
        }
        corner.y = below;
    }
    ImGui::PopStyleVar();
    ImGui::EndGroup();
}

}  // namespace attn
