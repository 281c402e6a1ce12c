// Measures the widest number of a table, then draws grounds, lines, names, numbers and marks.
#include "scene/kit/figure_grid.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/ground/check.h"
#include "playground/text/notes.h"

namespace attn {
namespace {

constexpr double kRow = 21;
constexpr double kIndent = 8;  // from a number to the edge of its cell
constexpr double kWidestLabel = 130;
constexpr double kHeader = 22;
constexpr std::string_view kWarning = " ≠ 1";

// The part [first, end) of `total`, `count` long.
std::pair<int, int> around(int total, int count, int center) {
    count = std::min(total, count);
    const int first = std::clamp(center - count / 2, 0, total - count);
    return {first, first + count};
}

// Where everything stands.
struct GridLayout {
    double left = 0;    // of the numbers
    double column = 0;  // width of one
    double width = 0;   // of all numbers
    double height = 0;
    double right_of(const GridPiece& piece, int c) const { return left + (c + 1 - piece.first_column) * column; }
    double top_of(const GridPiece& piece, int row) const { return kHeader + (row - piece.first_row) * kRow; }
};

struct GridDrawing {
    const FigureTask& task;
    const FigureGrid& grid;
    std::vector<GridCell> cells;  // row by row
    GridLayout layout = {};
    FigureBlock block = {};

    GridCell& cell(int row, int c) {
        const GridPiece& piece = grid.piece;
        return cells[static_cast<std::size_t>(row - piece.first_row) * static_cast<std::size_t>(piece.columns()) +
                     static_cast<std::size_t>(c - piece.first_column)];
    }
    FigurePoint corner(int row, int c) const {
        return {layout.right_of(grid.piece, c) - layout.column, layout.top_of(grid.piece, row)};
    }
    bool contains(Place place) const {
        const GridPiece& piece = grid.piece;
        return place.row >= piece.first_row && place.row < piece.end_row && place.column >= piece.first_column &&
               place.column < piece.end_column;
    }
    bool has_lit() const { return grid.lit && contains(*grid.lit); }
};

void measure(GridDrawing& drawing) {
    const GridPiece& piece = drawing.grid.piece;
    GridLayout& layout = drawing.layout;
    for (int row = piece.first_row; row < piece.end_row && layout.left < kWidestLabel; ++row) {
        layout.left = std::max(layout.left,
                               text_width(one_line(drawing.grid.row_label(row)), kFigureBody, FigureFont::sans_bold));
    }
    layout.left = std::ceil(std::min(layout.left, kWidestLabel)) + 10;
    for (const GridCell& cell : drawing.cells) {
        layout.column = std::max(layout.column, text_width(cell.text, kFigureBody, FigureFont::sans_bold));
    }
    constexpr double kWidestName = 64;
    double name = 0;
    for (int c = piece.first_column; c < piece.end_column && name < kWidestName; ++c) {
        name = std::max(name, text_width(one_line(drawing.grid.column_label(c)), kFigureBody, FigureFont::sans_bold));
    }
    layout.column = std::ceil(std::max(layout.column, std::min(name, kWidestName))) + 2 * kIndent;
    layout.width = layout.column * piece.columns();
    layout.height = kRow * piece.rows();
    drawing.block.width = layout.left + layout.width + row_numbers_width(drawing.grid.row_numbers);
    drawing.block.height = kHeader + layout.height;
}

void draw_grounds(GridDrawing& drawing) {
    const GridPiece& piece = drawing.grid.piece;
    const GridLayout& layout = drawing.layout;
    const FigureColors& colors = drawing.task.colors;
    if (drawing.has_lit()) {
        const FigurePoint at = drawing.corner(drawing.grid.lit->row, drawing.grid.lit->column);
        draw_rect(drawing.block, {0, at.y}, layout.left + layout.width, kRow, colors.lit, 3);
        draw_rect(drawing.block, {at.x, 0}, layout.column, kHeader + layout.height, colors.lit, 3);
    }
    for (int row = piece.first_row; row < piece.end_row; ++row) {
        for (int c = piece.first_column; c < piece.end_column; ++c) {
            GridCell& cell = drawing.cell(row, c);
            if (!cell.is_filled && cell.tip.empty()) continue;
            const FigurePoint at = drawing.corner(row, c);
            FigureRect ground{.at = {at.x + 1, at.y + 1}, .width = layout.column - 2, .height = kRow - 2};
            ground.look.fill = colors.chip;
            // What has a tip but no ground: a rectangle that is not seen, for the pointer.
            if (!cell.is_filled) ground.look.opacity = 0;
            ground.tip = std::move(cell.tip);
            drawing.block.elements.emplace_back(std::move(ground));
        }
    }
}

void draw_lines(GridDrawing& drawing) {
    const GridPiece& piece = drawing.grid.piece;
    const GridLayout& layout = drawing.layout;
    const Rgb color = drawing.task.colors.line;
    const double right = layout.left + layout.width;
    const double bottom = kHeader + layout.height;
    for (int row = piece.first_row; row <= piece.end_row; ++row) {
        const double y = layout.top_of(piece, row);
        draw_line(drawing.block, {layout.left, y}, {right, y}, color);
    }
    for (int c = 0; drawing.grid.has_upright_lines && c <= piece.columns(); ++c) {
        const double x = layout.left + c * layout.column;
        draw_line(drawing.block, {x, kHeader}, {x, bottom}, color);
    }
    for (const ColumnBand& band : drawing.grid.column_bands) {
        const int first = std::max(band.first, piece.first_column);
        const int end = std::min(band.end, piece.end_column);
        if (first >= end) continue;
        const double left = drawing.corner(piece.first_row, first).x;
        draw_rect(drawing.block, {left, kHeader - 4}, (end - first) * layout.column, 3, band.color);
        if (first > piece.first_column) draw_line(drawing.block, {left, kHeader}, {left, bottom}, band.color, 1.5);
    }
    for (const ColumnBand& band : drawing.grid.row_bands) {
        const int first = std::max(band.first, piece.first_row);
        const int end = std::min(band.end, piece.end_row);
        if (first >= end) continue;
        const double top = layout.top_of(piece, first);
        draw_rect(drawing.block, {layout.left - 4, top}, 3, (end - first) * kRow, band.color);
        if (first > piece.first_row) draw_line(drawing.block, {layout.left, top}, {right, top}, band.color, 1.5);
    }
}

void draw_names(GridDrawing& drawing) {
    const GridPiece& piece = drawing.grid.piece;
    const GridLayout& layout = drawing.layout;
    const auto put = [&](const std::string& label, bool is_lit, double x, double middle, double room) {
        const TextLook look = {.ink = drawing.task.colors.ink,
                               .font = is_lit ? FigureFont::sans_bold : FigureFont::sans,
                               .anchor = FigureAnchor::end};
        draw_text_at_middle(drawing.block, x, middle, shortened_text(one_line(label), room, look.size, look.font),
                            look);
    };
    for (int row = piece.first_row; row < piece.end_row; ++row) {
        const bool is_lit = drawing.has_lit() && drawing.grid.lit->row == row;
        put(drawing.grid.row_label(row), is_lit, layout.left - 8, layout.top_of(piece, row) + kRow / 2,
            layout.left - 8);
    }
    for (int c = piece.first_column; c < piece.end_column; ++c) {
        const bool is_lit = drawing.has_lit() && drawing.grid.lit->column == c;
        put(drawing.grid.column_label(c), is_lit, layout.right_of(piece, c) - kIndent, kHeader / 2 - 2,
            layout.column - kIndent);
    }
}

void draw_numbers(GridDrawing& drawing) {
    const GridPiece& piece = drawing.grid.piece;
    const FigureColors& colors = drawing.task.colors;
    for (int row = piece.first_row; row < piece.end_row; ++row) {
        const double middle = drawing.layout.top_of(piece, row) + kRow / 2;
        for (int c = piece.first_column; c < piece.end_column; ++c) {
            const GridCell& cell = drawing.cell(row, c);
            draw_text_at_middle(drawing.block, drawing.layout.right_of(piece, c) - kIndent, middle, cell.text,
                                {.ink = cell.is_soft ? colors.soft_ink : colors.ink,
                                 .font = cell.is_bold ? FigureFont::sans_bold : FigureFont::sans,
                                 .anchor = FigureAnchor::end});
        }
    }
}

void draw_marks(GridDrawing& drawing) {
    const GridPiece& piece = drawing.grid.piece;
    const FigureColors& colors = drawing.task.colors;
    FigurePath changes;
    for (int row = piece.first_row; row < piece.end_row; ++row) {
        for (int c = piece.first_column; c < piece.end_column; ++c) {
            const GridCell& cell = drawing.cell(row, c);
            const FigurePoint at = drawing.corner(row, c);
            if (cell.is_marked) draw_circle(drawing.block, {at.x + 5.5, at.y + 5.5}, 2.5, {.fill = colors.accent});
            if (!cell.is_changed) continue;
            constexpr double kMark = 6;
            const double right = at.x + drawing.layout.column;
            changes.pieces.push_back({.step = FigureStep::move, .to = {right - kMark, at.y}});
            changes.pieces.push_back({.step = FigureStep::line, .to = {right, at.y}});
            changes.pieces.push_back({.step = FigureStep::line, .to = {right, at.y + kMark}});
            changes.pieces.push_back({.step = FigureStep::close});
        }
    }
    changes.look.fill = colors.ink;
    if (!changes.pieces.empty()) drawing.block.elements.emplace_back(std::move(changes));
}

void draw_veil(GridDrawing& drawing) {
    if (drawing.grid.select.empty()) return;
    constexpr double kShare = 0.68;  // what is under it can still be made out
    const GridPiece& piece = drawing.grid.piece;
    for (int row = piece.first_row; row < piece.end_row; ++row) {
        if (drawing.grid.select.contains(row)) continue;
        FigureRect veil{.at = {drawing.layout.left, drawing.layout.top_of(piece, row)},
                        .width = drawing.layout.width,
                        .height = kRow};
        veil.look.fill = drawing.task.colors.paper;
        veil.look.opacity = kShare;
        drawing.block.elements.emplace_back(std::move(veil));
    }
}

void draw_boxes(GridDrawing& drawing) {
    const FigureColors& colors = drawing.task.colors;
    for (const Place& target : drawing.grid.targets) {
        if (!drawing.contains(target)) continue;
        const FigurePoint at = drawing.corner(target.row, target.column);
        draw_frame(drawing.block, at, drawing.layout.column, kRow, colors.paper, 3, 4);
        draw_frame(drawing.block, at, drawing.layout.column, kRow, drawing.grid.target_color, 2, 4, {5, 4});
    }
    if (!drawing.grid.framed || !drawing.contains(*drawing.grid.framed)) return;
    const FigurePoint at = drawing.corner(drawing.grid.framed->row, drawing.grid.framed->column);
    draw_frame(drawing.block, at, drawing.layout.column, kRow, drawing.grid.frame_color, drawing.grid.frame_width, 4);
}

void draw_row_numbers(GridDrawing& drawing) {
    if (!drawing.grid.row_numbers) return;
    const RowNumbers& numbers = *drawing.grid.row_numbers;
    const FigureColors& colors = drawing.task.colors;
    const bool has_warnings =
        std::any_of(numbers.is_warned.begin(), numbers.is_warned.end(), [](bool is_warned) { return is_warned; });
    const double warning = has_warnings ? text_width(kWarning, kFigureSmall, FigureFont::sans_bold) : 0;
    const double right = drawing.block.width - warning;
    TextLook look = {.ink = colors.soft_ink, .size = kFigureSmall, .anchor = FigureAnchor::end};
    draw_text_at_middle(drawing.block, right, kHeader / 2 - 2, numbers.heading, look);
    for (std::size_t k = 0; k < numbers.numbers.size(); ++k) {
        const double middle = kHeader + (static_cast<double>(k) + 0.5) * kRow;
        look.ink = numbers.is_warned[k] ? colors.warning : colors.ink;
        draw_text_at_middle(drawing.block, right, middle, numbers.numbers[k], look);
        if (!numbers.is_warned[k]) continue;
        draw_text_at_middle(drawing.block, right, middle, kWarning,
                            {.ink = look.ink, .size = look.size, .font = FigureFont::sans_bold});
    }
}

std::string part_in_words(std::string_view name, int first, int end, int total) {
    return concat(name, " ", with_thousands(first), " to ", with_thousands(end - 1), " of ", with_thousands(total));
}

}  // namespace

GridPiece fit_piece(int rows, int columns, int num_tables, Place center) {
    constexpr int kMostCells = 20000;
    ATTN_CHECK(rows > 0 && columns > 0 && num_tables > 0, "a table of (", rows, ", ", columns, ")");
    // As nearly square as the matrix allows.
    const int budget = std::max(1, kMostCells / num_tables);
    const int side = std::max(1, static_cast<int>(std::sqrt(budget)));
    const int most_columns = std::min(columns, std::max(side, budget / rows));
    const int most_rows = std::min(rows, std::max(1, budget / most_columns));
    const auto [first_row, end_row] = around(rows, most_rows, center.row);
    const auto [first_column, end_column] = around(columns, most_columns, center.column);
    return {.first_row = first_row, .end_row = end_row, .first_column = first_column, .end_column = end_column};
}

std::string piece_in_words(const GridPiece& piece, int rows, int columns) {
    std::string text;
    if (piece.rows() < rows) text = part_in_words("rows", piece.first_row, piece.end_row, rows);
    if (piece.columns() < columns) {
        text +=
            concat(text.empty() ? "" : ", ", part_in_words("columns", piece.first_column, piece.end_column, columns));
    }
    return text.empty() ? text : concat("Here are ", text, ".");
}

FigureBlock grid_block(const FigureTask& task, const FigureGrid& grid) {
    GridDrawing drawing{.task = task, .grid = grid, .cells = {}};
    drawing.cells.reserve(static_cast<std::size_t>(grid.piece.rows()) * static_cast<std::size_t>(grid.piece.columns()));
    for (int row = grid.piece.first_row; row < grid.piece.end_row; ++row) {
        for (int c = grid.piece.first_column; c < grid.piece.end_column; ++c) {
            drawing.cells.push_back(grid.cell(row, c));
        }
    }
    measure(drawing);
    draw_grounds(drawing);
    draw_lines(drawing);
    draw_names(drawing);
    draw_numbers(drawing);
    draw_veil(drawing);
    draw_row_numbers(drawing);
    draw_marks(drawing);
    draw_boxes(drawing);
    return std::move(drawing.block);
}

}  // namespace attn
