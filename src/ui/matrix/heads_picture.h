// One frame of the heat maps, handed from part to part of draw_matrix: what it shows, where that is, and what is lit.
#pragma once

#include <imgui.h>

#include <optional>
#include <vector>

#include "playground/state/cell_window.h"
#include "ui/frame/frame.h"
#include "ui/matrix/heads_axes.h"
#include "ui/matrix/heads_grid.h"
#include "views/stage/shown_stage.h"

namespace attn {

struct HeadsPicture {
    UiFrame& frame;
    ShownStage stage;
    Axes axes = {};
    HeadsGrid grid = {};
    float title_height = 0;             // above each map's labels
    int first_head = 0;                 // of the maps in the grid: more than 0 when one head is enlarged
    ImVec2 origin = {};                 // screen: top left corner of the grid
    float scale = 1;                    // device pixels a point
    RowStat stat = RowStat::none;       // beside each row, if there is room
    float stat_width = 0;               // of that column
    bool is_table = false;              // numbers instead of colours
    bool can_zoom = false;              // a part of the maps can be enlarged
    CellWindow window = {};             // the cells that are shown of each map
    ImVec2 whole_map = {};              // size of a map that shows all its cells
    Extent fewest = {};                 // cells that zooming in leaves
    bool shows_values = true;           // false: a teacher hides the numbers
    std::optional<Cell> pinned = {};    // as in the state, if it lies in this stage
    std::optional<Cell> pointed = {};   // under the pointer in the last frame
    std::optional<int> lit_token = {};  // a token that is pointed at elsewhere

    Extent extent() const { return {.rows = stage.rows, .columns = stage.columns}; }
    bool is_zoomed() const { return window != whole_window(extent()); }
    int head_at(int index) const { return first_head + index; }
    const std::optional<Cell>& lit() const { return pointed ? pointed : pinned; }
    bool is_row_lit(int row) const { return lit() ? lit()->row == row : lit_token == row; }
    bool is_column_lit(int column) const {
        return lit() ? lit()->column == column : stage.has_keys() && lit_token == column;
    }

    // Screen: the top left corner of map `index`'s cells, on a whole device pixel.
    ImVec2 corner(int index) const;
    // How far the labels of a table's rows are moved to stay in sight, where its cells begin at `corner`.
    float label_shift(ImVec2 corner) const;
    // Screen: a cell of the map whose cells begin at `corner`; outside of it when the window does not show the cell.
    ImVec2 cell_min(ImVec2 corner, int row, int column) const;
    ImVec2 cell_max(ImVec2 corner, int row, int column) const;
    // The colour of a head; the accent in stages without heads.
    ImU32 color_of(int head) const;
    // What the heat map is drawn with.
    HeatmapStyle style() const;
};

// Draws map `index`: bands, colours or numbers, labels, frames. Not its title.
void draw_map(const HeadsPicture& picture, int index);

// Enlarges a head, or on a phone shows it in place of another; beyond the ends the first or the last.
void choose_head(UiFrame& frame, const ShownStage& stage, int head);

// The title above map `index` of the grid: a click enlarges the head.
void put_title(const HeadsPicture& picture, int index);

// The line above a single head: the way back, its title, and the way to its neighbours.
void put_single_bar(const HeadsPicture& picture, int head);

// The range of the colours, what hatching means, and further remarks on the stage: one line, or more if it is narrow.
void draw_legend(const HeadsPicture& picture);
float legend_height(const HeadsPicture& picture, float width);

// The map whose block (labels included) the point lies in, counted within the grid.
std::optional<int> map_at(const HeadsPicture& picture, ImVec2 point);

// What the pointer is over in the grid.
struct Pointed {
    std::optional<Cell> cell;
    std::optional<int> token;  // an axis label
};
Pointed what_is_at(const HeadsPicture& picture, ImVec2 point);

// A small readout beside the pointer: query, key or channel, and the number.
void draw_readout(const HeadsPicture& picture, const Cell& cell);

// Scrolls to the pinned cell if it has changed and is not wholly in sight.
void follow_pinned_cell(const HeadsPicture& picture);

// What the keys do there, while the grid has the focus.
void put_key_hint(const HeadsPicture& picture);

// Moves the pinned cell with the keys while the grid (the last ImGui item) has the focus.
void move_with_keys(const HeadsPicture& picture);

}  // namespace attn
