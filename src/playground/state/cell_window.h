// The part of a matrix that its picture shows: zooming in and out of it, moving it about. Pure arithmetic in whole
// cells; knows no points and no screen.
#pragma once

#include <optional>

#include "playground/state/shapes.h"
#include "playground/state/state.h"
#include "playground/text/notes.h"

namespace attn {

CellWindow whole_window(const Extent& extent);

// The part of a matrix of this extent that the view shows. All rows if the window begins beyond the last one; likewise
// for columns. A window chosen among 2,048 keys waits while a stage of 64 channels is shown.
CellWindow shown_window(const View& view, const Extent& extent);

// The window as the view keeps it: nothing when the window shows the whole matrix.
std::optional<CellWindow> chosen_window(const CellWindow& window, const Extent& extent);

// `factor` > 1 shows fewer cells, so many times larger; at least `fewest` of each, at most all there are. The place
// `row`, `column` (in cells from the matrix's corner, fractions count) stays where it is, as far as whole cells and the
// edges allow. Sizes are rounded: a factor near 1 may change nothing.
struct Anchor {
    double row = 0, column = 0;
};
CellWindow zoomed(const CellWindow& window, const Extent& extent, double factor, const Anchor& anchor,
                  const Extent& fewest);

// As many rows and columns further down and to the right as the edges allow.
CellWindow panned(const CellWindow& window, const Extent& extent, int rows, int columns);

// Moved as little as it takes to show the cell, which the extent contains.
CellWindow window_with(const CellWindow& window, const Extent& extent, int row, int column);

// Moves the window to where there are cells, with a note. Without cells there is none.
void clamp_window(std::optional<CellWindow>& window, const Extent& extent, Notes& notes);

}  // namespace attn
