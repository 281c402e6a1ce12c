// Draws cells one by one, or joined where there are too many of them.
#include "scene/kit/figure_cells.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>

#include "playground/text/format.h"

namespace attn {
namespace {

constexpr double kSmallestPrinted = 19;  // a smaller cell has no room for two legible digits
constexpr double kSmallestMarked = 6;
constexpr double kGap = 1;  // after each cell, so that its first edge is on a whole point
constexpr double kCorner = 2;

bool is_hidden(float value) {
    return value == -std::numeric_limits<float>::infinity();
}

bool is_blank_at(const FigureMap& map, int row, int column) {
    return map.blank.size() > 0 && map.blank(row, column) != 0;
}

Rgb color_of(const FigureTask& task, const FigureMap& map, float value) {
    if (is_hidden(value) || std::isnan(value)) return task.colors.hidden;
    return map_color(map.map, task.colors.is_dark, map_position(value, map.range.low, map.range.high));
}

FigurePiece box_piece(double left, double top, double right, double bottom) {
    return {.step = FigureStep::box, .to = {left, top}, .a = {right, bottom}};
}

// A rectangle for each cell. Small hidden cells, which have nothing to tell, are one path.
void draw_single_cells(FigureBlock& block, const FigureTask& task, const FigureMap& map) {
    const MapGrid& grid = map.grid;
    std::vector<FigureBox> hatched;
    FigurePath small_hidden;
    const bool is_small = std::min(grid.cell_width, grid.cell_height) < kSmallestPrinted;
    for (int row = 0; row < grid.rows; ++row) {
        for (int column = 0; column < grid.columns; ++column) {
            const double left = map.axes.left + grid.left_of(column);
            const double top = map.axes.top + grid.top_of(row);
            const double width = grid.cell_width - kGap;
            const double height = grid.cell_height - kGap;
            const bool is_blank = is_blank_at(map, row, column);
            const float value = map.values(row, column);
            if (is_hidden(value)) hatched.push_back({left, top, left + width, top + height});
            if (is_hidden(value) && is_small) {
                small_hidden.pieces.push_back(box_piece(left, top, left + width, top + height));
                continue;
            }
            FigureRect cell{.at = {left, top}, .width = width, .height = height, .corner = kCorner};
            cell.look.fill = is_blank ? task.colors.panel : color_of(task, map, value);
            if (!is_blank && map.tip && task.options.has_tips) cell.tip = map.tip(row, column);
            block.elements.emplace_back(std::move(cell));
            if (is_blank) {
                draw_frame(block, {left + 0.5, top + 0.5}, width - 1, height - 1, task.colors.line, 1, kCorner);
            }
        }
    }
    small_hidden.look.fill = task.colors.hidden;
    if (!small_hidden.pieces.empty()) block.elements.emplace_back(std::move(small_hidden));
    draw_hatching(block, hatched, task.colors.hatch);
}

// What a drawn cell stands on: a colour of the map, counted from the low end, or one of the others.
constexpr int kColors = 256;
enum : int { kHiddenGround = kColors, kNoNumber, kBlankGround, kNumGrounds };

int ground_of(const FigureMap& map, float value, bool is_blank) {
    if (std::isnan(value)) return kNoNumber;
    if (is_hidden(value)) return is_blank ? kBlankGround : kHiddenGround;
    const float place = map_position(value, map.range.low, map.range.high) * (kColors - 1);
    return static_cast<int>(static_cast<double>(place) + 0.5);  // rounds exactly; std::lround takes three times as long
}

Rgb ground_color(const FigureTask& task, const FigureMap& map, int ground) {
    if (ground < kColors) {
        return map_color(map.map, task.colors.is_dark, static_cast<float>(ground) / (kColors - 1));
    }
    return ground == kBlankGround ? task.colors.panel : task.colors.hidden;
}

// Neighbours of one colour are one rectangle, all rectangles of one colour one path.
void draw_joined_cells(FigureBlock& block, const FigureTask& task, const FigureMap& map) {
    const MapGrid& grid = map.grid;
    ReducedMatrix own;
    if (!map.reduced) {
        own = empty_reduction(grid);
        reduce_rows(grid, map.values, map.blank, 0, own);
    }
    const ReducedMatrix& reduced = map.reduced ? *map.reduced : own;
    const auto edge_of = [&](int place, int length) { return std::min(length, place * grid.group); };
    std::array<std::vector<FigurePiece>, kNumGrounds> paths;
    std::vector<FigureBox> hatched;
    for (int row = 0; row < length(reduced.values, 0); ++row) {
        const double top = map.axes.top + grid.top_of(edge_of(row, grid.rows));
        const double bottom = map.axes.top + grid.top_of(edge_of(row + 1, grid.rows));
        const int num_columns = length(reduced.values, 1);
        const std::span<const float> values = row_of(reduced.values, row);
        const std::span<const std::uint8_t> blank = row_of(reduced.blank, row);
        const auto ground_at = [&](int column) {
            const auto c = static_cast<std::size_t>(column);
            return ground_of(map, values[c], blank[c] != 0);
        };
        int ground = ground_at(0);
        int first = 0;
        for (int column = 1; first < num_columns; ++column) {
            const bool is_end = column == num_columns;
            const int next = is_end ? kNumGrounds : ground_at(column);
            if (next == ground) continue;
            const double left = map.axes.left + grid.left_of(edge_of(first, grid.columns));
            const double right = map.axes.left + grid.left_of(edge_of(column, grid.columns));
            paths[static_cast<std::size_t>(ground)].push_back(box_piece(left, top, right, bottom));
            if (ground == kHiddenGround) hatched.push_back({left, top, right, bottom});
            ground = next;
            first = column;
        }
    }
    for (int ground = 0; ground < kNumGrounds; ++ground) {
        FigurePath path{.pieces = std::move(paths[static_cast<std::size_t>(ground)])};
        if (path.pieces.empty()) continue;
        path.look.fill = ground_color(task, map, ground);
        path.look.is_crisp = true;
        block.elements.emplace_back(std::move(path));
    }
    draw_hatching(block, hatched, task.colors.hatch);
}

void add_triangle(std::vector<FigurePiece>& pieces, double right, double top, double side) {
    pieces.push_back({.step = FigureStep::move, .to = {right - side, top}});
    pieces.push_back({.step = FigureStep::line, .to = {right, top}});
    pieces.push_back({.step = FigureStep::line, .to = {right, top + side}});
    pieces.push_back({.step = FigureStep::close});
}

}  // namespace

ReducedMatrix empty_reduction(const MapGrid& grid) {
    const int rows = (grid.rows + grid.group - 1) / grid.group;
    const int columns = (grid.columns + grid.group - 1) / grid.group;
    ReducedMatrix reduced = {.values = zeros<Matrix>(rows, columns), .blank = zeros<Flags>(rows, columns)};
    reduced.values.fill(-std::numeric_limits<float>::infinity());
    return reduced;
}

void reduce_rows(const MapGrid& grid, const Matrix& rows, const Flags& blank, int first, ReducedMatrix& reduced) {
    const int num_columns = length(rows, 1);
    for (int i = 0; i < length(rows, 0); ++i) {
        const std::span<const float> row = row_of(rows, i);
        const std::span<float> largest = row_of(reduced.values, (first + i) / grid.group);
        const std::span<std::uint8_t> has_blank = row_of(reduced.blank, (first + i) / grid.group);
        for (int begin = 0, k = 0; begin < num_columns; begin += grid.group, ++k) {
            float found = largest[static_cast<std::size_t>(k)];
            for (int j = begin; j < std::min(num_columns, begin + grid.group); ++j) {
                const float value = row[static_cast<std::size_t>(j)];
                if (blank.size() > 0 && blank(i, j) != 0) {
                    has_blank[static_cast<std::size_t>(k)] = 1;
                } else if (is_hidden(value) || std::isnan(found)) {
                    continue;
                } else if (is_hidden(found) || !(std::abs(value) <= std::abs(found))) {
                    found = value;
                }
            }
            largest[static_cast<std::size_t>(k)] = found;
        }
    }
}

void draw_cells(FigureBlock& block, const FigureTask& task, const FigureMap& map) {
    if (map.grid.has_gaps) {
        draw_single_cells(block, task, map);
    } else {
        draw_joined_cells(block, task, map);
    }
}

void draw_cell_numbers(FigureBlock& block, const FigureTask& task, const FigureMap& map) {
    const MapGrid& grid = map.grid;
    const bool has_room = std::min(grid.cell_width, grid.cell_height) >= kSmallestPrinted && grid.has_gaps;
    if (!has_room) return;
    const double widest = map.map == ColorMap::diverging ? 2.4 : 1.9;  // em: "−.44", ".44"
    const double em = std::clamp(std::min(grid.cell_height * 0.42, (grid.cell_width - 4) / widest), 8.5, 12.0);
    const InkScale inks(map.map, task.colors.is_dark);
    // Ink by ink, so that a file names each of them once.
    struct Number {
        double x, y, size;
        std::string text;
    };
    enum class Ink { page, blank, dark, light };
    std::map<Ink, std::pair<Rgb, std::vector<Number>>> by_ink;
    for (int row = 0; row < grid.rows; ++row) {
        for (int column = 0; column < grid.columns; ++column) {
            const bool is_blank = is_blank_at(map, row, column);
            const float value = map.values(row, column);
            if (!is_blank && (!map.prints_values || is_hidden(value))) continue;  // the hatching says it
            const bool is_on_page = is_blank || std::isnan(value);
            Rgb ink = is_blank ? task.colors.soft_ink : task.colors.ink;
            if (!is_on_page) ink = inks.at(map_position(value, map.range.low, map.range.high));
            const std::string text = is_blank ? "?" : cell_number(static_cast<double>(value));
            const double width = text_width(text, em);
            const double room = grid.cell_width - 3;
            const double size = width > room ? std::floor(em * room / width * 4) / 4 : em;
            Ink key = is_blank ? Ink::blank : Ink::page;
            if (!is_on_page) key = ink.r < 0.5F ? Ink::dark : Ink::light;
            auto& list = by_ink[key];
            list.first = ink;
            list.second.push_back({map.axes.left + grid.left_of(column) + grid.cell_width / 2,
                                   map.axes.top + grid.top_of(row) + grid.cell_height / 2, size, text});
        }
    }
    for (const auto& [key, list] : by_ink) {
        for (const Number& number : list.second) {
            draw_text_at_middle(block, number.x, number.y, number.text,
                                {.ink = list.first, .size = number.size, .anchor = FigureAnchor::middle});
        }
    }
}

void draw_change_marks(FigureBlock& block, const FigureTask& task, const FigureMap& map) {
    const MapGrid& grid = map.grid;
    const double side = std::min(grid.cell_width, grid.cell_height);
    if (map.changed.size() == 0 || side < kSmallestMarked || !grid.has_gaps) return;
    // Ink on paper: seen on every colour of the maps, light and dark.
    const double size = std::clamp(side * 0.3, 2.5, 9.0);
    const double edge = size + std::clamp(side * 0.1, 1.0, 2.5);
    FigurePath paper;
    FigurePath ink;
    for (int row = 0; row < grid.rows; ++row) {
        for (int column = 0; column < grid.columns; ++column) {
            if (map.changed(row, column) == 0) continue;
            const double right = map.axes.left + grid.left_of(column + 1) - kGap;
            const double top = map.axes.top + grid.top_of(row);
            add_triangle(paper.pieces, right, top, edge);
            add_triangle(ink.pieces, right, top, size);
        }
    }
    if (ink.pieces.empty()) return;
    paper.look.fill = task.colors.paper;
    ink.look.fill = task.colors.ink;
    block.elements.emplace_back(std::move(paper));
    block.elements.emplace_back(std::move(ink));
}

}  // namespace attn
