// Where the maps of the heads stand: how many side by side, how large a cell. Pure arithmetic, in points from the
// grid's top left corner; knows no ImGui window and no numbers.
#pragma once

#include <imgui.h>

namespace attn {

// What is to be placed.
struct GridWish {
    int count = 1;              // maps
    int rows = 1, columns = 1;  // cells of each
    bool is_square = true;      // cells as wide as high; else as wide as there is room for
    ImVec2 smallest;            // cell; when all maps fit only with smaller ones, the grid scrolls
    ImVec2 scrolling;           // cell; the smallest when it scrolls anyway
    ImVec2 largest;             // cell
    float left = 0;             // of each map: room for the rows' labels
    float top = 0;              // title and columns' labels
    float right = 0;            // numbers beside the rows
    float overhang = 0;  // extra room for the last map of a row: slanted labels of the others hang over a free corner
    ImVec2 distance;     // between one map with its labels and the next
};

// Gives slanted labels that hang over the last column by `width` their room: the free corner above the next map's rows,
// and beside the last map of a row. `left` is set; `beside` is needed next to the cells.
void set_overhang(GridWish& wish, float width, float beside);

struct HeadsGrid {
    GridWish wish;
    int per_row = 1;  // maps side by side
    ImVec2 cell;      // whole device pixels, except where a cell is smaller than one
    ImVec2 map;       // all cells of one map
    ImVec2 pitch;     // from one map to the next
    ImVec2 size;      // of everything

    // Top left corner of map `index`'s cells.
    ImVec2 corner(int index) const;
    // The maps that lie, wholly or in part, between `top` and `bottom`: first and one past the last.
    int first_between(float top) const;
    int last_between(float bottom) const;
};

// Places the maps with the largest cells that the room allows; if these would be smaller than wished, the grid is
// higher than the room (or wider, if not even one map fits). `scale`: device pixels a point.
HeadsGrid fit_grid(const GridWish& wish, ImVec2 room, float scale);

}  // namespace attn
