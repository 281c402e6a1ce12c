// The part of a matrix that is shown: zooming keeps the place under the pointer, nothing leaves the matrix.
#include "playground/state/cell_window.h"

#include <catch_amalgamated.hpp>
#include <cmath>
#include <random>

using namespace attn;

namespace {

constexpr Extent kLong = {.rows = 2048, .columns = 2048};
constexpr Extent kFewest = {.rows = 8, .columns = 8};

CellWindow window(int first_row, int last_row, int first_column, int last_column) {
    return {.first_row = first_row, .last_row = last_row, .first_column = first_column, .last_column = last_column};
}

View view_with(std::optional<CellWindow> window) {
    View view;
    view.window = window;
    return view;
}

bool lies_in(const CellWindow& window, const Extent& extent) {
    return window.first_row >= 0 && window.first_row <= window.last_row && window.last_row < extent.rows &&
           window.first_column >= 0 && window.first_column <= window.last_column && window.last_column < extent.columns;
}

}  // namespace

TEST_CASE("a window shows what the stage has of it, all where it has nothing", "[window]") {
    CHECK(shown_window(view_with({}), {.rows = 3, .columns = 5}) == window(0, 2, 0, 4));
    CHECK(shown_window(view_with(window(1, 9, 2, 3)), {.rows = 3, .columns = 5}) == window(1, 2, 2, 3));
    CHECK(shown_window(view_with(window(7, 9, 100, 200)), {.rows = 9, .columns = 64}) == window(7, 8, 0, 63));
    CHECK_FALSE(chosen_window(window(0, 2, 0, 4), {.rows = 3, .columns = 5}));
    CHECK(chosen_window(window(0, 2, 0, 3), {.rows = 3, .columns = 5}) == window(0, 2, 0, 3));
}

TEST_CASE("zooming keeps the place under the pointer where it is", "[window][property]") {
    std::mt19937 generator(5);
    const auto below = [&](int n) { return static_cast<int>(generator() % static_cast<unsigned>(n)); };
    for (int round = 0; round < 2000; ++round) {
        const Extent extent = {.rows = 1 + below(2048), .columns = 1 + below(2048)};
        CellWindow now = whole_window(extent);
        for (int step = 0; step < 6; ++step) {
            const double factor = std::exp2((below(400) - 200) / 100.0);
            const Anchor anchor = {.row = now.first_row + now.num_rows() * (below(1000) / 1000.0),
                                   .column = now.first_column + now.num_columns() * (below(1000) / 1000.0)};
            const CellWindow next = zoomed(now, extent, factor, anchor, kFewest);
            CAPTURE(extent.rows, extent.columns, factor, anchor.row, now.first_row, now.last_row, next.first_row,
                    next.last_row);
            REQUIRE(lies_in(next, extent));
            if (factor > 1) {
                CHECK(next.num_rows() <= now.num_rows());
                CHECK((next.num_rows() >= 8 || next.num_rows() == now.num_rows()));
            }
            if (factor < 1) CHECK(next.num_rows() >= now.num_rows());
            const double wanted = std::clamp(now.num_rows() / factor, std::min(8.0, now.num_rows() * 1.0),
                                             static_cast<double>(extent.rows));
            CHECK(std::abs(next.num_rows() - wanted) <= 0.5001);
            const double before = (anchor.row - now.first_row) / now.num_rows();
            const double after = (anchor.row - next.first_row) / next.num_rows();
            const bool is_at_edge = next.first_row == 0 || next.last_row == extent.rows - 1;
            // The window begins on a whole cell: half a cell of rounding.
            if (!is_at_edge) CHECK(std::abs(after - before) * next.num_rows() <= 0.5001);
            now = next;
        }
    }
}

TEST_CASE("zooming in and out again ends at the whole", "[window]") {
    CellWindow now = whole_window(kLong);
    const Anchor anchor = {.row = 1999.3, .column = 7.5};
    for (int step = 0; step < 60; ++step) now = zoomed(now, kLong, 1.25, anchor, kFewest);
    CHECK(now.num_rows() == 8);
    CHECK(now.num_columns() == 8);
    CHECK(now.contains(1999, 7));
    for (int step = 0; step < 60; ++step) now = zoomed(now, kLong, 0.8, anchor, kFewest);
    CHECK(now == whole_window(kLong));
    CHECK(zoomed(now, kLong, 1, anchor, kFewest) == now);
}

TEST_CASE("a small matrix is not zoomed into, and a small window of a link stays as it is", "[window]") {
    const Extent small = {.rows = 5, .columns = 3};
    CHECK(zoomed(whole_window(small), small, 2, {}, kFewest) == whole_window(small));
    CHECK(zoomed(window(1, 2, 1, 1), small, 2, {}, kFewest) == window(1, 2, 1, 1));
}

TEST_CASE("a window moves up to the edges and keeps its size", "[window]") {
    const CellWindow now = window(10, 19, 100, 119);
    CHECK(panned(now, kLong, 5, -7) == window(15, 24, 93, 112));
    CHECK(panned(now, kLong, -5000, 5000) == window(0, 9, 2028, 2047));
    CHECK(window_with(now, kLong, 12, 110) == now);
    CHECK(window_with(now, kLong, 9, 120) == window(9, 18, 101, 120));
    CHECK(window_with(now, kLong, 2047, 0) == window(2038, 2047, 0, 19));
}

TEST_CASE("a window outside is moved inside, with a note", "[window][bad-input]") {
    Notes notes;
    std::optional<CellWindow> asked = window(2, 3, 1, 1);
    clamp_window(asked, {.rows = 4, .columns = 2}, notes);
    CHECK(asked == window(2, 3, 1, 1));
    CHECK(notes.empty());
    asked = window(9, 2, -5, 1'000'000'000);
    clamp_window(asked, {.rows = 4, .columns = 2}, notes);
    CHECK(asked == window(2, 3, 0, 1));
    REQUIRE(notes.size() == 1);
    CHECK(notes[0] == "the picture is zoomed to rows 2 to 3, columns 0 to 1: there are 4 rows and 2 columns");
    clamp_window(asked, {.rows = 0, .columns = 0}, notes);
    CHECK_FALSE(asked);
    CHECK(notes.size() == 2);
}
