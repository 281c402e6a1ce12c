// Heat maps of long texts: drawn from levels, in parts, uploaded in bands, and nothing uploaded while nothing changes.
#include <algorithm>
#include <catch_amalgamated.hpp>
#include <cmath>
#include <limits>
#include <vector>

#include "render/heatmap.h"
#include "render/offscreen.h"

using namespace attn;
using namespace attn::testing;

namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr Rgb kBackground = {1, 0, 1};  // no map has it
constexpr int kLong = 2048;

// Rounding to 8 bits in the colour texture and in the framebuffer, and a look-up among 1024 colours.
constexpr double kColorTolerance = 1.01;

Matrix square(int side, float value) {
    return Matrix({static_cast<std::size_t>(side), static_cast<std::size_t>(side)}, value);
}

HeatmapStyle plain_style() {
    HeatmapStyle style;
    style.hatch = {0, 1, 0};
    style.hidden = {1, 1, 0};
    return style;
}

Rgb color_of(float value) {
    return map_color(ColorMap::sequential, false, value);
}

struct Drawn {
    Drawn(const Matrix& values, int canvas_size) : size(canvas_size), canvas(size, size, kBackground) {
        Result<HeatmapRenderer> made = HeatmapRenderer::create();
        REQUIRE(made);
        renderer.emplace(std::move(*made));
        renderer->set_matrix(0, 1, values);
    }
    Picture draw(float side, const std::optional<HeatmapPart>& part = {}) {
        glDisable(GL_SCISSOR_TEST);
        glClear(GL_COLOR_BUFFER_BIT);
        renderer->draw(0, {0, 0, side, side}, {0, 0, side, side}, size, size, plain_style(), part);
        return canvas.read();
    }

    int size;
    OffscreenCanvas canvas;
    std::optional<HeatmapRenderer> renderer;
};

}  // namespace

// Those with a side of more than 2,048 are tiles of a texture.
TEST_CASE("one bright cell among 2,048 by 2,048 and more is seen at 100 pixels", "[heatmap][property]") {
    const OffscreenContext context(GENERATE(Api::desktop, Api::es));
    const auto [rows, columns, row, column] = GENERATE(table<int, int, int, int>({{2048, 2048, 0, 0},
                                                                                  {2048, 2048, 2047, 2047},
                                                                                  {2048, 2048, 2047, 0},
                                                                                  {2048, 2048, 1023, 1024},
                                                                                  {2048, 2048, 617, 1999},
                                                                                  {40, 8192, 39, 8191},
                                                                                  {40, 4099, 3, 2047},
                                                                                  {40, 4099, 3, 2048},
                                                                                  {8192, 128, 6143, 127},
                                                                                  {2049, 2049, 2048, 2048},
                                                                                  {3000, 5000, 2100, 4100}}));
    const int side = GENERATE(100, 97, 33, 300);
    Matrix values({static_cast<std::size_t>(rows), static_cast<std::size_t>(columns)}, 0);
    values(row, column) = 1;
    Drawn drawn(values, 300);
    const Picture picture = drawn.draw(static_cast<float>(side));
    int num_bright = 0;
    for (int y = 0; y < side; ++y) {
        for (int x = 0; x < side; ++x) {
            if (distance(picture.at(x, y), color_of(1)) > kColorTolerance) continue;
            ++num_bright;
            // In its place, or in a pixel beside it.
            CHECK(std::abs(x + 0.5 - (column + 0.5) * side / columns) <= std::max(1.0, 0.5 * side / columns));
            CHECK(std::abs(y + 0.5 - (row + 0.5) * side / rows) <= std::max(1.0, 0.5 * side / rows));
        }
    }
    CAPTURE(rows, columns, row, column, side, num_bright);
    CHECK(num_bright >= 1);
    CHECK(num_bright <= (side / rows + 2) * (side / columns + 2));
}

TEST_CASE("from levels a hidden half stays hidden, its edge moves half a pixel at most", "[heatmap]") {
    const OffscreenContext context;
    Matrix values = square(2000, 0.5F);
    for (int i = 0; i < 2000; ++i) {
        for (int j = i + 1; j < 2000; ++j) values(i, j) = -kInfinity;
    }
    values(3, 1500) = std::numeric_limits<float>::quiet_NaN();
    const int side = 125;  // a pixel covers 16 cells: three levels up
    Drawn drawn(values, side);
    const Picture picture = drawn.draw(static_cast<float>(side));
    for (int y = 0; y < side; ++y) {
        for (int x = 0; x < side; ++x) {
            CAPTURE(x, y);
            const bool is_visible = distance(picture.at(x, y), color_of(0.5F)) <= kColorTolerance;
            if (x <= y) CHECK(is_visible);
            if (x > y + 1) CHECK_FALSE(is_visible);
        }
    }
    CHECK(distance(picture.at(1500 / 16, 0), {0, 1, 0}) <= 1);  // the colour of the lines, whole, among hatched cells
}

TEST_CASE("a part fills the rectangle, cell by cell", "[heatmap][reference]") {
    const OffscreenContext context(GENERATE(Api::desktop, Api::es));
    const int side = GENERATE(kLong, kLong + 900);  // one tile, four
    const HeatmapPart part = GENERATE(HeatmapPart{.first_row = 1990, .first_column = 3, .rows = 58, .columns = 58},
                                      HeatmapPart{.first_row = 777, .first_column = 2047, .rows = 40, .columns = 1},
                                      HeatmapPart{.first_row = 0, .first_column = 100, .rows = 120, .columns = 240},
                                      HeatmapPart{.first_row = 2000, .first_column = 2030, .rows = 120, .columns = 60});
    if (part.first_row + part.rows > side) return;
    Matrix values = square(side, 0);
    for (int i = 0; i < side; ++i) {
        for (int j = 0; j < side; ++j) values(i, j) = static_cast<float>((i * 37 + j * 101) % 256) / 255;
    }
    Drawn drawn(values, 240);
    const Picture picture = drawn.draw(240, part);
    int num_wrong = 0;
    for (int i = 0; i < part.rows; ++i) {
        for (int j = 0; j < part.columns; ++j) {
            const int x = static_cast<int>((j + 0.5) * 240 / part.columns);
            const int y = static_cast<int>((i + 0.5) * 240 / part.rows);
            const float value = values(part.first_row + i, part.first_column + j);
            num_wrong += distance(picture.at(x, y), color_of(value)) <= kColorTolerance ? 0 : 1;
        }
    }
    CHECK(num_wrong == 0);
}

TEST_CASE("bands of rows make the same picture as the whole at once", "[heatmap]") {
    const OffscreenContext context;
    const int side = GENERATE(90, 1001, 2101);
    Matrix values = square(side, 0);
    for (int i = 0; i < side; ++i) {
        for (int j = 0; j < side; ++j) values(i, j) = static_cast<float>((i * 7 + j * 13) % 101) / 100;
    }
    const Picture whole = Drawn(values, 70).draw(70);
    Drawn drawn(square(side, 0.5F), 70);
    HeatmapRenderer& renderer = *drawn.renderer;
    renderer.begin_matrix(0, 2, side, side);
    CHECK_FALSE(renderer.holds(0, 2));
    CHECK_FALSE(renderer.holds(0, 1));
    for (int first = 0; first < side; first += 5 * HeatmapRenderer::kBandRows) {
        CHECK(renderer.num_rows_held(0, 2) == first);
        CHECK_FALSE(renderer.holds(0, 2));
        const int rows = std::min(5 * HeatmapRenderer::kBandRows, side - first);
        Matrix band({static_cast<std::size_t>(rows), static_cast<std::size_t>(side)});
        for (int i = 0; i < rows; ++i) {
            for (int j = 0; j < side; ++j) band(i, j) = values(first + i, j);
        }
        renderer.add_rows(0, band);
    }
    CHECK(renderer.holds(0, 2));
    CHECK(drawn.draw(70).rgba == whole.rgba);
}

TEST_CASE("when the numbers change, only the bands that differ are uploaded", "[heatmap]") {
    const OffscreenContext context;
    constexpr int kSide = 500;  // filled up to 512: 32 bands
    constexpr std::int64_t kBandBytes = (512 * 16 + 256 * 8 + 128 * 4 + 64 * 2 + 32) * 4;
    Matrix values = square(kSide, 0);
    for (int i = 0; i < kSide; ++i) {
        for (int j = 0; j < kSide; ++j) values(i, j) = j > i ? -kInfinity : static_cast<float>((i + j) % 7) / 10;
    }
    Drawn drawn(values, 100);
    using Rows = std::vector<int>;
    const auto [changed, bands] = GENERATE(table<Rows, int>(
        {{Rows{}, 0}, {Rows{0}, 1}, {Rows{499}, 1}, {Rows{15, 16}, 2}, {Rows{0, 17, 40, 41, 498}, 4}, {Rows{250}, 1}}));
    for (const int row : changed) values(row, 0) = 0.9F;
    const RenderCounts before = drawn.renderer->counts();
    drawn.renderer->set_matrix(0, 2, values);
    CHECK(drawn.renderer->counts().uploaded_bytes - before.uploaded_bytes == bands * kBandBytes);
    CHECK(drawn.draw(100).rgba == Drawn(values, 100).draw(100).rgba);
}

TEST_CASE("a word more that earlier ones do not see changes the last band alone", "[heatmap]") {
    const OffscreenContext context;
    const auto causal = [](int side) {
        Matrix values = square(side, 0.5F);
        for (int i = 0; i < side; ++i) {
            for (int j = i + 1; j < side; ++j) values(i, j) = -kInfinity;
        }
        return values;
    };
    const int side = GENERATE(129, 500, 511, 512);
    Drawn drawn(causal(side), 100);
    const RenderCounts before = drawn.renderer->counts();
    drawn.renderer->set_matrix(0, 2, causal(side + 1));
    const bool has_grown = side % HeatmapRenderer::kBandRows == 0;  // then all of it is new
    const int width = (side + 16) / 16 * 16;
    const std::int64_t level_0 = 4 * width * (has_grown ? width : 16);
    CHECK(drawn.renderer->counts().uploaded_bytes - before.uploaded_bytes == level_0 * 341 / 256);
    CHECK(drawn.draw(100).rgba == Drawn(causal(side + 1), 100).draw(100).rgba);
}

TEST_CASE("while nothing changes nothing is uploaded, and each map is one draw call", "[heatmap]") {
    const OffscreenContext context;
    constexpr int kHeads = 16;
    Drawn drawn(square(300, 0.5F), 200);
    HeatmapRenderer& renderer = *drawn.renderer;
    for (int head = 0; head < kHeads; ++head) renderer.set_matrix(head, 7, square(300, 0.25F));
    const RenderCounts before = renderer.counts();
    CHECK(before.uploads == kHeads + 1);
    // 300 is filled up to 304; the levels add a quarter, a sixteenth, ...
    CHECK(before.uploaded_bytes == (kHeads + 1) * (304 * 304 + 152 * 152 + 76 * 76 + 38 * 38 + 19 * 19) * 4);
    constexpr int kFrames = 60;
    for (int frame = 0; frame < kFrames; ++frame) {
        for (int head = 0; head < kHeads; ++head) {
            renderer.set_matrix(head, 7, square(1, 0));  // what it holds already is not even looked at
            const HeatmapPart part = {.first_row = frame, .first_column = 2 * frame, .rows = 100, .columns = 100};
            renderer.draw(head, {0, 0, 200, 200}, {0, 0, 200, 200}, 200, 200, plain_style(), part);
        }
    }
    CHECK(renderer.counts().uploads == before.uploads);
    CHECK(renderer.counts().uploaded_bytes == before.uploaded_bytes);
    CHECK(renderer.counts().draws == before.draws + kFrames * kHeads);
}
