// Tries every number of maps side by side, and keeps the one with the largest cells.
#include "ui/matrix/heads_grid.h"

#include <algorithm>
#include <cmath>

#include "core/ground/check.h"

namespace attn {
namespace {

// The largest length not above `length` that is whole device pixels; lengths below one pixel stay.
float whole_pixels(float length, float scale) {
    const float pixels = length * scale;
    return pixels >= 1 ? std::floor(pixels + 1e-3F) / scale : length;
}

int rows_of_maps(int count, int per_row) {
    return (count + per_row - 1) / per_row;
}

// The cell when `per_row` maps stand side by side and all of them fit the room.
ImVec2 cell_in(const GridWish& wish, ImVec2 room, int per_row) {
    const auto across = static_cast<float>(per_row);
    const auto down = static_cast<float>(rows_of_maps(wish.count, per_row));
    const float width = (room.x - (across - 1) * wish.distance.x) / across - wish.left - wish.right;
    const float height = (room.y - (down - 1) * wish.distance.y) / down - wish.top;
    ImVec2 cell = {std::min(width / static_cast<float>(wish.columns), wish.largest.x),
                   std::min(height / static_cast<float>(wish.rows), wish.largest.y)};
    if (wish.is_square) cell.x = cell.y = std::min(cell.x, cell.y);
    return cell;
}

bool is_large_enough(const GridWish& wish, ImVec2 cell) {
    return cell.x >= wish.smallest.x && cell.y >= wish.smallest.y;
}

// Nothing fits as a whole: as many maps side by side as their smallest cells allow, the rest below.
ImVec2 scrolling_cell(const GridWish& wish, ImVec2 room, int& per_row) {
    const float narrowest = wish.left + wish.right + wish.scrolling.x * static_cast<float>(wish.columns);
    const int fitting = static_cast<int>((room.x + wish.distance.x) / (narrowest + wish.distance.x));
    per_row = std::clamp(fitting, 1, wish.count);
    // One row of maps may be as high as the room.
    const GridWish one_row = [&] {
        GridWish changed = wish;
        changed.count = per_row;
        return changed;
    }();
    const ImVec2 cell = cell_in(one_row, room, per_row);
    return {std::max(cell.x, wish.scrolling.x), std::max(cell.y, wish.scrolling.y)};
}

}  // namespace

void set_overhang(GridWish& wish, float width, float beside) {
    constexpr float kApart = 8;
    wish.right = std::max(beside, width + kApart - wish.left);
    wish.overhang = std::max(0.0F, width - wish.right);
}

HeadsGrid fit_grid(const GridWish& wish, ImVec2 room, float scale) {
    ATTN_CHECK(wish.count >= 1 && wish.rows >= 1 && wish.columns >= 1, "a grid of ", wish.count, " maps of (",
               wish.rows, ", ", wish.columns, ")");
    HeadsGrid grid;
    grid.wish = wish;
    room.x -= wish.overhang;
    ImVec2 best = {0, 0};
    for (int per_row = 1; per_row <= wish.count; ++per_row) {
        const ImVec2 cell = cell_in(wish, room, per_row);
        // Of equal cells the wider grid wins: reading goes from left to right.
        if (cell.x > 0 && cell.y > 0 && cell.x * cell.y >= best.x * best.y - 1e-3F) {
            best = cell;
            grid.per_row = per_row;
        }
    }
    const int num_rows = rows_of_maps(wish.count, grid.per_row);
    grid.per_row = (wish.count + num_rows - 1) / num_rows;  // four stand two by two, not three and one
    if (!is_large_enough(wish, best)) best = scrolling_cell(wish, room, grid.per_row);
    if (wish.is_square) best.x = best.y = std::min(best.x, best.y);

    grid.cell = {whole_pixels(best.x, scale), whole_pixels(best.y, scale)};
    const float pixel = 1 / scale;
    grid.map = {std::max(pixel, whole_pixels(grid.cell.x * static_cast<float>(wish.columns), scale)),
                std::max(pixel, whole_pixels(grid.cell.y * static_cast<float>(wish.rows), scale))};
    const ImVec2 block = {wish.left + grid.map.x + wish.right, wish.top + grid.map.y};
    const auto across = static_cast<float>(grid.per_row);
    const auto down = static_cast<float>(rows_of_maps(wish.count, grid.per_row));
    // Maps share the width equally, as long as that leaves the distance between them.
    grid.pitch = {std::max(block.x + wish.distance.x, (room.x + wish.distance.x) / across), block.y + wish.distance.y};
    grid.size = {grid.pitch.x * (across - 1) + block.x + wish.overhang, grid.pitch.y * (down - 1) + block.y};
    return grid;
}

ImVec2 HeadsGrid::corner(int index) const {
    const auto column = static_cast<float>(index % per_row);
    const auto row = static_cast<float>(index / per_row);
    return {column * pitch.x + wish.left, row * pitch.y + wish.top};
}

int HeadsGrid::first_between(float top) const {
    const int row = std::max(0, static_cast<int>(std::floor((top + wish.distance.y) / pitch.y)));
    return std::min(row * per_row, wish.count);
}

int HeadsGrid::last_between(float bottom) const {
    const int row = std::max(0, static_cast<int>(std::ceil(bottom / pitch.y)));
    return std::min(row * per_row, wish.count);
}

}  // namespace attn
