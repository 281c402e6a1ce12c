// The layout of view=stacked, for paper and for the screen: the heads one by one, the large matrices, the difference.
// The caller draws the cells of each matrix.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "playground/link/blanks.h"
#include "scene/kit/figure_map.h"
#include "views/stacked/stacked_heads.h"

namespace attn {

struct StackedLayout {
    double width = 1000;
    double highest = 420;             // of a matrix
    double smallest = 0.5;            // side of a cell
    std::optional<FigurePoint> cell;  // width and height of the largest cell; nothing: as in maps

    bool operator==(const StackedLayout&) const = default;
};

inline constexpr double kStackedBand = 5;  // room above the cells for the line in the head's colour

// Cells of one matrix, under that room: a block of the grid's size and kStackedBand.
using DrawStackedCells = std::function<FigureBlock(const HeadBlock&, const MapGrid&)>;

// Its places are those of the cells of each matrix: of the single heads, of all heads, of the difference.
FigureBlock stacked_scene(const SceneStyle& style, const StackedPicture& picture, const Sizes& sizes,
                          const StackedLayout& layout, const DrawStackedCells& draw_cells);

// Which numbers of the matrix are blank: (rows, columns); size 0 if none are.
Flags stacked_blanks(const Blanks& blanks, const HeadBlock& block);

// Which heads are left out, a sentence each.
std::vector<std::string> stacked_omissions(const StackedPicture& picture, const Sizes& sizes);
// Which cells are drawn as one, a sentence for each shape.
std::vector<std::string> stacked_reductions(const StackedPicture& picture, const StackedLayout& layout);

}  // namespace attn
