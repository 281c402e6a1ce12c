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

bool can_fold(const PrintedCount& count) {
    return count.all - count.follow > kMostStruck || count.all > kMostPrinted;
}

bool is_folded(const PanelMemory& memory, const PrintedCount& count) {
    return can_fold(count) && !memory.shows_struck;
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

void put_table(Display& display, const PrintedTable& table) {
    const float cell = cell_width(display, table);
    const ImVec2 corner = ImGui::GetCursorScreenPos();
    const TextStyle label = label_style(display);
    const float first = corner.x + label_width(display, table);
    float x = first;
    for (const std::string& name : table.column_labels) {
        draw_text_in({x, corner.y}, {x + cell - kCellPadding, corner.y + kNumberLine}, {1, 0.5F}, label,
                     shortened(label, name, cell - kCellPadding));
        x += cell;
    }
    const float height = row_height(table);
    const bool has_computed = !says_all_once(table);
    float y = corner.y + kHead;
    for (std::size_t i = 0; i < table.rows.size(); ++i, y += height) {
        ImGui::GetWindowDrawList()->AddLine({corner.x, y}, {corner.x + table_width(display, table), y},
                                            display.palette.line);
        draw_text({corner.x, y + 2}, label, shortened(label, table.row_labels[i], kWidestLabel));
        x = first;
        for (const PrintedCell& number : table.rows[i]) {
            draw_cell(display, table, number, {x + 1, y + 1}, {x + cell - 1, y + height - 1}, has_computed);
            x += cell;
        }
    }
    ImGui::Dummy({table_width(display, table), y - corner.y});
}

float table_height(const PrintedTable& table) {
    return kHeadingSize + kSpacing + kHead + row_height(table) * static_cast<float>(table.rows.size());
}

}  // namespace

PrintedLayout layout_printed(const Display& display, std::span<const PrintedTable> tables, float width) {
    PrintedLayout layout;
    if (tables.empty()) return layout;
    const PrintedCount count_here = count_of(tables);
    const float button_height = can_fold(count_here) ? control_height(display) + kSpacing : 0;
    if (is_folded(display.memory, count_here)) {
        layout.width = layout.table_width = kNarrowest;
        layout.height = kSmallSize + kSpacing + button_height;
        return layout;
    }
    float tallest = 0;
    for (const PrintedTable& table : tables) {
        layout.table_width = std::max(layout.table_width, table_width(display, table));
        tallest = std::max(tallest, table_height(table));
    }
    const float fitting = std::max(1.0F, std::floor((width + kBetween) / (layout.table_width + kBetween)));
    layout.per_line = std::min(tables.size(), static_cast<std::size_t>(fitting));
    const auto count = static_cast<float>(layout.per_line);
    layout.width = std::max(kNarrowest, count * layout.table_width + (count - 1) * kBetween);
    const std::size_t lines = (tables.size() + layout.per_line - 1) / layout.per_line;
    const float explanation = count_here.follow == count_here.all ? 0 : kHeadingSize + kSpacing;
    layout.height =
        kSmallSize + kSpacing + explanation + button_height + static_cast<float>(lines) * (tallest + kAbove);
    return layout;
}

void put_printed_tables(Display& display, std::span<const PrintedTable> tables, const PrintedLayout& layout) {
    const PrintedCount count = count_of(tables);
    bool& is_open = display.memory.shows_struck;
    TextStyle sentence = bold(display);
    sentence.size = kSmallSize;
    if (count.follow != count.all) sentence.color = display.palette.warning;
    ImGui::BeginGroup();  // so that each line begins below the one before
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, kSpacing));
    put_text(sentence, sentence_of(count));
    if (can_fold(count)) {
        if (button(display, "printed=fold", is_open ? "Hide them" : "Show them", ButtonKind::quiet)) is_open = !is_open;
        call_last_item(display, is_open ? "Hide the printed numbers" : "Show the printed numbers");
    }
    if (is_folded(display.memory, count)) {
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
            const std::string title = concat(tables[i].title, " · ", tables[i].source);
            put_text(
                label_style(display),
                shortened(label_style(display), title,
                          std::max(layout.table_width, layout.width / static_cast<float>(layout.per_line) - kBetween)));
            ImGui::SetCursorScreenPos({x, corner.y + kHeadingSize + kSpacing});
            put_table(display, tables[i]);
            below = std::max(below, corner.y + table_height(tables[i]));
        }
        corner.y = below;
    }
    ImGui::PopStyleVar();
    ImGui::EndGroup();
}

}  // namespace attn
