// One matrix as a picture for any panel: colours, labels, and numbers if they fit. Knows no stages and no heads;
// draw_matrix has its own maps.
#pragma once

#include <imgui.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "core/ground/tensor.h"
#include "scene/kit/colormap.h"
#include "scene/kit/place.h"
#include "ui/frame/frame.h"

namespace attn {

// What the first and the last colour stand for.
struct ColorRange {
    ColorMap map = ColorMap::diverging;
    float low = -1;
    float high = 1;
};

// Plus and minus the largest absolute value of the finite numbers; plus and minus 1 where all are zero.
ColorRange diverging_range(float largest);
// The largest absolute value of the finite numbers.
float largest_number(const Matrix& values);

struct MatrixMap {
    const Matrix& values;                 // not empty; -inf marks a hidden cell
    ColorRange range = {};                //
    int slot = 0;                         // of the renderer
    std::uint64_t version = 0;            // names the numbers in that slot
    ImVec2 corner = {};                   // screen: of the cells, on a whole device pixel
    ImVec2 size = {};                     // of all cells
    bool shows_values = true;             // where they fit
    Flags blank = {};                     // (rows, columns): "?" instead of the number, which is NaN; size 0: none is
    std::optional<Place> lit = {};        // its row and column stand on the lit ground
    std::optional<Place> pinned = {};     // framed
    std::function<ImU32(int)> band = {};  // colour of the line above a column; none without
    std::function<std::string(int)> row_label = {}, column_label = {};
    float left = 0;  // room for the rows' labels
    float top = 0;   // room for the columns' labels

    int num_rows() const { return length(values, 0); }
    int num_columns() const { return length(values, 1); }
    ImVec2 cell() const {
        return {size.x / static_cast<float>(num_columns()), size.y / static_cast<float>(num_rows())};
    }
    ImVec2 cell_min(int row, int column) const;
    ImVec2 cell_max(int row, int column) const { return cell_min(row + 1, column + 1); }
    std::optional<Place> place_at(ImVec2 point) const;
};

// Numbers from a version of their own: no other panel's. `count` says which of this panel's.
std::uint64_t own_version(std::uint64_t count);

void draw_matrix_map(const UiFrame& frame, const MatrixMap& map);

// The width that labels need at the map's text size, at most `limit`.
float label_width(const Display& display, int count, const std::function<std::string(int)>& label, float limit);
inline constexpr float kMapLabelSize = 15;

// The place on the nearest whole device pixel.
ImVec2 on_pixel(ImVec2 point);

}  // namespace attn
