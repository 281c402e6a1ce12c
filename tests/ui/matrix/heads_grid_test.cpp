// The grid's arithmetic: it uses the room, keeps to whole pixels, and nothing overlaps.
#include "ui/matrix/heads_grid.h"

#include <catch_amalgamated.hpp>
#include <cmath>

using namespace attn;

namespace {

// As draw_matrix wishes for (T, T) stages.
GridWish square_wish(int count, int num_tokens) {
    GridWish wish;
    wish.count = count;
    wish.rows = wish.columns = num_tokens;
    const auto cells = static_cast<float>(num_tokens);
    wish.smallest = {std::min(12.0F, 160 / cells), std::min(12.0F, 160 / cells)};
    wish.scrolling = {std::min(20.0F, 240 / cells), std::min(20.0F, 240 / cells)};
    wish.largest = {44, 44};
    wish.left = 60;
    wish.top = 90;
    wish.right = 40;
    wish.distance = {6, 20};
    return wish;
}

bool is_whole(float length, float scale) {
    return std::abs(length * scale - std::round(length * scale)) < 1e-2F;  // of a device pixel
}

}  // namespace

TEST_CASE("two heads stand side by side when the room is wide, one below the other when it is high", "[heads][grid]") {
    const GridWish wish = square_wish(2, 11);
    CHECK(fit_grid(wish, {800, 450}, 1).per_row == 2);
    CHECK(fit_grid(wish, {400, 900}, 1).per_row == 1);
}

TEST_CASE("the chosen columns give the largest cells that fit", "[heads][grid][reference]") {
    for (const int count : {1, 2, 3, 4, 6, 8, 12}) {
        for (const int num_tokens : {1, 3, 11, 30}) {
            for (const ImVec2 room : {ImVec2(800, 450), ImVec2(1500, 900), ImVec2(400, 1200), ImVec2(2400, 1400)}) {
                const GridWish wish = square_wish(count, num_tokens);
                // The largest whole number of pixels for any number of columns.
                float largest = 0;
                for (int per_row = 1; per_row <= count; ++per_row) {
                    const auto across = static_cast<float>(per_row);
                    const float down = std::ceil(static_cast<float>(count) / across);
                    for (float cell = 1; cell <= wish.largest.x; ++cell) {
                        const float map = cell * static_cast<float>(num_tokens);
                        const float width = across * (100 + map) + (across - 1) * 6;
                        const float height = down * (90 + map) + (down - 1) * 20;
                        if (width <= room.x && height <= room.y) largest = std::max(largest, cell);
                    }
                }
                const HeadsGrid grid = fit_grid(wish, room, 1);
                CAPTURE(count, num_tokens, room.x, room.y, grid.per_row);
                const bool fits = grid.size.x <= room.x && grid.size.y <= room.y;
                if (fits)
                    CHECK(grid.cell.x == largest);
                else
                    CHECK(largest < wish.smallest.x);  // then it scrolls
            }
        }
    }
}

TEST_CASE("cells and maps are whole device pixels, maps do not overlap, and all lie inside the grid",
          "[heads][grid][property]") {
    const float scale = GENERATE(1.0F, 1.25F, 2.0F, 3.0F);
    const bool is_square = GENERATE(true, false);
    for (const int count : {1, 2, 5, 16, 1024}) {
        for (const auto& [rows, columns] :
             {std::pair(1, 1), {11, 11}, {11, 2}, {7, 64}, {300, 300}, {2048, 2048}, {2048, 1}}) {
            for (const ImVec2 room : {ImVec2(800, 450), ImVec2(336, 260), ImVec2(2500, 1300), ImVec2(80, 80)}) {
                GridWish wish = square_wish(count, rows);
                wish.columns = columns;
                wish.is_square = is_square && rows == columns;
                const HeadsGrid grid = fit_grid(wish, room, scale);
                CAPTURE(scale, count, rows, columns, room.x, room.y, grid.per_row);
                if (grid.cell.x * scale >= 1) CHECK(is_whole(grid.cell.x, scale));
                if (grid.cell.y * scale >= 1) CHECK(is_whole(grid.cell.y, scale));
                CHECK(is_whole(grid.map.x, scale));
                CHECK(is_whole(grid.map.y, scale));
                CHECK(grid.map.x > 0);
                CHECK(grid.map.y > 0);
                CHECK(grid.cell.x <= wish.largest.x + 1e-3F);
                if (wish.is_square) CHECK(grid.cell.x == grid.cell.y);
                CHECK(grid.pitch.x + 1e-3F >= wish.left + grid.map.x + wish.right + wish.distance.x);
                CHECK(grid.pitch.y + 1e-3F >= wish.top + grid.map.y + wish.distance.y);
                for (int index = 0; index < count; index += std::max(1, count / 7)) {
                    const ImVec2 corner = grid.corner(index);
                    CHECK(corner.x >= wish.left);
                    CHECK(corner.y >= wish.top);
                    CHECK(corner.x + grid.map.x <= grid.size.x + 1e-2F);
                    CHECK(corner.y + grid.map.y <= grid.size.y + 1e-1F);
                    // found again by what is in sight
                    CHECK(grid.first_between(corner.y) <= index);
                    CHECK(grid.last_between(corner.y + 1) > index);
                }
                CHECK(grid.last_between(grid.size.y + 1e4F) == count);
                CHECK(grid.first_between(-1e4F) == 0);
            }
        }
    }
}

TEST_CASE("rows of maps are as long as each other", "[heads][grid]") {
    CHECK(fit_grid(square_wish(4, 11), {714, 450}, 1).per_row == 2);
    for (const ImVec2 room : {ImVec2(714, 450), ImVec2(1344, 800), ImVec2(500, 700)}) {
        for (int count = 1; count <= 12; ++count) {
            const HeadsGrid grid = fit_grid(square_wish(count, 5), room, 1);
            if (grid.size.y > room.y) continue;  // it scrolls
            const int num_rows = (count + grid.per_row - 1) / grid.per_row;
            CAPTURE(count, room.x, grid.per_row);
            CHECK(grid.per_row - (count - (num_rows - 1) * grid.per_row) < num_rows);
        }
    }
}

TEST_CASE("of a thousand heads only those in sight are named", "[heads][grid]") {
    const HeadsGrid grid = fit_grid(square_wish(1024, 11), {800, 450}, 2);
    CHECK(grid.size.y > 10'000);
    const int first = grid.first_between(20'000);
    const int last = grid.last_between(20'450);
    CHECK(first > 0);
    CHECK(last < 1024);
    CHECK(last - first <= 4 * grid.per_row);
    for (int index = first; index < last; ++index) {
        CHECK(grid.corner(index).y + grid.map.y > 20'000 - grid.wish.distance.y);
        CHECK(grid.corner(index).y - grid.wish.top < 20'450);
    }
}
