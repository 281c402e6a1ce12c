#include "scene/kit/figure_map.h"

#include <catch_amalgamated.hpp>
#include <cmath>

namespace attn {
namespace {

TEST_CASE("maps of any size have cells that are drawn, and not too many of them", "[figure][property]") {
    const auto [rows, columns, num_maps] = GENERATE(table<int, int, int>({{1, 1, 1},
                                                                          {11, 11, 2},
                                                                          {24, 24, 12},
                                                                          {40, 40, 12},
                                                                          {300, 300, 1},
                                                                          {300, 300, 12},
                                                                          {2048, 2048, 1},
                                                                          {2048, 2048, 16},
                                                                          {11, 1024, 1},
                                                                          {11, 11, 1024},
                                                                          {2048, 1, 1024}}));
    const bool is_square = GENERATE(true, false);
    const MapGrid grid = fit_map(rows, columns, num_maps, is_square);
    INFO(rows << " x " << columns << ", " << num_maps << " maps: cells of " << grid.cell_width << " x "
              << grid.cell_height << ", " << grid.group << " as one");
    if (is_square) CHECK(grid.cell_width == grid.cell_height);
    const auto drawn = [&](int count) { return (count + grid.group - 1) / grid.group; };
    CHECK(static_cast<double>(drawn(rows)) * drawn(columns) * num_maps <= 200000);
    // Neighbours that touch begin on whole points. A group of cells adds up to them within rounding.
    for (const double side : {grid.cell_width * grid.group, grid.cell_height * grid.group}) {
        CHECK(side >= 2 - 1e-9);
        CHECK(std::abs(side - std::round(side)) < 1e-9);
    }
    if (grid.has_gaps) CHECK(grid.group == 1);
    CHECK(reduction_in_words(grid).empty() == (grid.group == 1));
}

TEST_CASE("numbers fit the cells of up to 24 tokens", "[figure]") {
    CHECK(fit_map(24, 24, 2, true).cell_width >= 19);
    CHECK(fit_map(24, 24, 2, true).has_gaps);
    CHECK(fit_map(25, 25, 2, true).cell_width >= 19);
    CHECK(fit_map(100, 100, 1, true).cell_width < 19);
}

TEST_CASE("long labels are slanted over keys and level over channels; single letters stand upright", "[figure]") {
    const MapGrid grid = fit_map(3, 3, 1, true);
    const std::vector<std::string> words = {"portrait", "of", "woman"};
    const std::vector<std::string> letters = {"a", "b", "c"};
    const MapAxes slanted = measure_axes(words, words, grid, true);
    CHECK(slanted.are_columns_slanted);
    CHECK(slanted.right > 0);
    CHECK(slanted.row_step == 1);
    CHECK_FALSE(measure_axes(words, letters, grid, true).are_columns_slanted);
    const MapAxes level = measure_axes(words, words, grid, false);
    CHECK_FALSE(level.are_columns_slanted);
    CHECK(level.column_step > 1);  // or they would run into one another
    CHECK(level.top < slanted.top);
    const MapAxes long_ones =
        measure_axes({std::string(500, 'm')}, {std::string(500, 'm')}, fit_map(1, 1, 1, true), true);
    CHECK(long_ones.left < 130);
    CHECK(long_ones.top < 130);
}

TEST_CASE("blocks in a grid keep their distance and none is lost", "[figure]") {
    const int count = GENERATE(1, 2, 3, 4, 7, 12, 96);
    std::vector<FigureBlock> blocks;
    for (int k = 0; k < count; ++k) {
        FigureBlock block{.width = 100, .height = 100};
        draw_rect(block, {0, 0}, 100, 100, {});
        blocks.push_back(std::move(block));
    }
    FigureBlock grid = grid_of_blocks(std::move(blocks), {20, 20});
    const double width = grid.width;
    const double height = grid.height;
    const std::vector<FigureElement> elements = elements_of(std::move(grid));
    REQUIRE(static_cast<int>(elements.size()) == count);
    for (std::size_t a = 0; a < elements.size(); ++a) {
        const auto& one = std::get<FigureRect>(elements[a]);
        CHECK(one.at.x + one.width <= width);
        CHECK(one.at.y + one.height <= height);
        for (std::size_t b = a + 1; b < elements.size(); ++b) {
            const auto& other = std::get<FigureRect>(elements[b]);
            const bool is_beside = std::abs(one.at.x - other.at.x) >= 120;
            const bool is_below = std::abs(one.at.y - other.at.y) >= 120;
            CHECK((is_beside || is_below));
        }
    }
    if (count == 3) CHECK(height == 100);  // A, B and A - B are read in a row
}

}  // namespace
}  // namespace attn
