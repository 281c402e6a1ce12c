// Rows and columns share one arithmetic, that of a span of whole cells on one axis.
#include "playground/state/cell_window.h"

#include <algorithm>
#include <cmath>

#include "core/ground/check.h"

namespace attn {
namespace {

// Both included; 0 <= first <= last.
struct Span {
    int first = 0, last = 0;

    int size() const { return last - first + 1; }
    bool operator==(const Span&) const = default;
};

Span rows_of(const CellWindow& window) {
    return {window.first_row, window.last_row};
}

Span columns_of(const CellWindow& window) {
    return {window.first_column, window.last_column};
}

CellWindow window_of(Span rows, Span columns) {
    return {.first_row = rows.first, .last_row = rows.last, .first_column = columns.first, .last_column = columns.last};
}

Span all_of(int count) {
    return {0, count - 1};
}

// `size` cells from `first` on, moved between the edges. size <= count.
Span between_edges(int first, int size, int count) {
    const int legal = std::clamp(first, 0, count - size);
    return {legal, legal + size - 1};
}

Span shown(Span span, int count) {
    return span.first >= count ? all_of(count) : Span{span.first, std::min(span.last, count - 1)};
}

Span zoomed(Span span, int count, double factor, double anchor, int fewest) {
    const double wanted = std::clamp(span.size() / factor, 1.0, static_cast<double>(count));
    int size = static_cast<int>(std::lround(wanted));
    // A window that is smaller than it should be (a link may say so) is not made larger by zooming in.
    size = std::clamp(size, std::min({fewest, span.size(), count}), count);
    const double share = static_cast<double>(size) / span.size();
    return between_edges(static_cast<int>(std::lround(anchor - (anchor - span.first) * share)), size, count);
}

Span with(Span span, int count, int cell) {
    const int first = cell < span.first ? cell : cell > span.last ? cell - span.size() + 1 : span.first;
    return between_edges(first, span.size(), count);
}

Span legal(Span span, int count) {
    const auto [least, most] = std::minmax(span.first, span.last);
    return {std::clamp(least, 0, count - 1), std::clamp(most, 0, count - 1)};
}

}  // namespace

CellWindow whole_window(const Extent& extent) {
    return window_of(all_of(extent.rows), all_of(extent.columns));
}

CellWindow shown_window(const View& view, const Extent& extent) {
    if (!view.window) return whole_window(extent);
    return window_of(shown(rows_of(*view.window), extent.rows), shown(columns_of(*view.window), extent.columns));
}

std::optional<CellWindow> chosen_window(const CellWindow& window, const Extent& extent) {
    return window == whole_window(extent) ? std::nullopt : std::optional(window);
}

CellWindow zoomed(const CellWindow& window, const Extent& extent, double factor, const Anchor& anchor,
                  const Extent& fewest) {
    ATTN_CHECK(factor > 0, "zoom by ", factor);
    return window_of(zoomed(rows_of(window), extent.rows, factor, anchor.row, fewest.rows),
                     zoomed(columns_of(window), extent.columns, factor, anchor.column, fewest.columns));
}

CellWindow panned(const CellWindow& window, const Extent& extent, int rows, int columns) {
    return window_of(between_edges(window.first_row + rows, window.num_rows(), extent.rows),
                     between_edges(window.first_column + columns, window.num_columns(), extent.columns));
}

CellWindow window_with(const CellWindow& window, const Extent& extent, int row, int column) {
    ATTN_CHECK(extent.contains(row, column), "cell (", row, ", ", column, ") of (", extent.rows, ", ", extent.columns,
               ")");
    return window_of(with(rows_of(window), extent.rows, row), with(columns_of(window), extent.columns, column));
}

void clamp_window(std::optional<CellWindow>& window, const Extent& extent, Notes& notes) {
    if (!window) return;
    if (extent.rows == 0 || extent.columns == 0) {
        window.reset();
        notes.push_back("the whole picture is shown: the sentence has no tokens");
        return;
    }
    const CellWindow asked = *window;
    const Span rows = legal(rows_of(asked), extent.rows);
    const Span columns = legal(columns_of(asked), extent.columns);
    window = window_of(rows, columns);
    if (*window == asked) return;
    notes.push_back(concat("the picture is zoomed to rows ", rows.first, " to ", rows.last, ", columns ", columns.first,
                           " to ", columns.last, ": there are ", counted(extent.rows, "row"), " and ",
                           counted(extent.columns, "column")));
}

}  // namespace attn
