// Heat maps are drawn and read back: every cell must have the colour of its number.
#include "render/heatmap.h"

#include <algorithm>
#include <catch_amalgamated.hpp>
#include <cmath>
#include <limits>
#include <random>

#include "render/offscreen.h"
#include "render/shader_program.h"

using namespace attn;
using namespace attn::testing;

namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr Rgb kBackground = {1, 0, 1};  // no map has it
constexpr Rgb kHatch = {0, 1, 0};
constexpr Rgb kGround = {1, 1, 0};

// Rounding to 8 bits in the colour texture and in the framebuffer, and a look-up among 1024 colours.
constexpr double kColorTolerance = 1.01;

Matrix random_matrix(int rows, int columns, unsigned seed, float low, float high) {
    std::mt19937 generator(seed);
    Matrix values({static_cast<std::size_t>(rows), static_cast<std::size_t>(columns)});
    for (float& value : values) {
        value = low + (high - low) * static_cast<float>(generator() & 0xFFFFU) / 65535;
    }
    return values;
}

HeatmapStyle style_of(ColorMap map, bool is_dark, float scale = 1) {
    HeatmapStyle style;
    style.map = map;
    style.is_dark = is_dark;
    style.low = map == ColorMap::diverging ? -1.0F : 0.0F;
    style.hatch = kHatch;
    style.hidden = kGround;
    style.scale = scale;
    style.gap = scale;
    style.corner = 2 * scale;
    return style;
}

// Draws `values` with its top left corner at (x, y).
Picture draw(const Matrix& values, int width, int height, const PixelRect& rect, const HeatmapStyle& style) {
    OffscreenCanvas canvas(width, height, kBackground);
    Result<HeatmapRenderer> renderer = HeatmapRenderer::create();
    INFO(renderer.error());
    REQUIRE(renderer);
    renderer->set_matrix(0, 1, values);
    renderer->draw(0, rect, {0, 0, static_cast<float>(width), static_cast<float>(height)}, width, height, style);
    return canvas.read();
}

Rgb color_of(float value, const HeatmapStyle& style) {
    return map_color(style.map, style.is_dark, map_position(value, style.low, style.high));
}

bool is_one_of(const Pixel& pixel, std::initializer_list<Rgb> colors) {
    return std::any_of(colors.begin(), colors.end(), [&](Rgb color) { return distance(pixel, color) <= 1; });
}

}  // namespace

TEST_CASE("every cell has the colour of its number", "[heatmap][golden]") {
    const Api api = GENERATE(Api::desktop, Api::es);
    const OffscreenContext context(api);
    const bool is_dark = GENERATE(false, true);
    const ColorMap map = GENERATE(ColorMap::sequential, ColorMap::diverging);
    const int cell = GENERATE(1, 2, 5, 6, 27);
    const int rows = 9;
    const int columns = 13;
    const HeatmapStyle style = style_of(map, is_dark);
    const Matrix values = random_matrix(rows, columns, 7, style.low - 0.2F, style.high + 0.2F);
    const float x = 11;
    const float y = 17;
    const Picture picture = draw(
        values, 400, 300, {x, y, x + static_cast<float>(columns * cell), y + static_cast<float>(rows * cell)}, style);
    for (int i = 0; i < rows; ++i) {
        for (int j = 0; j < columns; ++j) {
            CAPTURE(cell, i, j, values(i, j));
            const Pixel centre =
                picture.at(static_cast<int>(x) + j * cell + cell / 2, static_cast<int>(y) + i * cell + cell / 2);
            CHECK(distance(centre, color_of(values(i, j), style)) <= kColorTolerance);
        }
    }
    CHECK(distance(picture.at(10, 20), kBackground) == 0);
    CHECK(distance(picture.at(11 + columns * cell, 20), kBackground) == 0);
    CHECK(distance(picture.at(20, 16), kBackground) == 0);
    CHECK(distance(picture.at(20, 17 + rows * cell), kBackground) == 0);
}

TEST_CASE("gaps are whole pixels through which the page is seen", "[heatmap]") {
    const OffscreenContext context;
    const int scale = GENERATE(1, 2, 3);
    const int cell = 10 * scale;
    const auto side = static_cast<float>(3 * cell);
    HeatmapStyle style = style_of(ColorMap::sequential, false, static_cast<float>(scale));
    style.corner = 0;
    Matrix values = random_matrix(3, 3, 3, 0, 1);
    const Picture picture = draw(values, 200, 200, {0, 0, side, side}, style);
    const int before = scale / 2;  // of the gap; the rest comes after the cell
    for (int p = 0; p < cell; ++p) {
        const bool is_gap = p < before || p >= cell - (scale - before);
        CAPTURE(scale, p);
        const Pixel pixel = picture.at(cell + p, cell + cell / 2);
        CHECK(distance(pixel, is_gap ? kBackground : color_of(values(1, 1), style)) <= kColorTolerance);
    }
}

TEST_CASE("small cells have no gap", "[heatmap]") {
    const OffscreenContext context;
    const HeatmapStyle style = style_of(ColorMap::sequential, false);
    const Matrix values = random_matrix(4, 4, 3, 0, 1);
    const Picture picture = draw(values, 100, 100, {0, 0, 20, 20}, style);
    for (int y = 0; y < 20; ++y) {
        for (int x = 0; x < 20; ++x)
            CHECK(distance(picture.at(x, y), color_of(values(y / 5, x / 5), style)) <= kColorTolerance);
    }
}

TEST_CASE("corners are rounded", "[heatmap]") {
    const OffscreenContext context;
    HeatmapStyle style = style_of(ColorMap::sequential, false);
    style.gap = 1;
    style.corner = 6;
    const Matrix values = random_matrix(1, 1, 3, 1, 1);
    const Picture picture = draw(values, 50, 50, {0, 0, 40, 40}, style);
    CHECK(distance(picture.at(0, 0), kBackground) == 0);
    CHECK(distance(picture.at(38, 0), kBackground) == 0);
    CHECK(distance(picture.at(0, 20), color_of(1, style)) <= kColorTolerance);
    CHECK(distance(picture.at(20, 0), color_of(1, style)) <= kColorTolerance);
}

TEST_CASE("hidden cells are hatched, cells that are not numbers are nets, infinity is the last colour",
          "[heatmap][bad-input]") {
    const OffscreenContext context(GENERATE(Api::desktop, Api::es));
    const int scale = GENERATE(1, 2);
    const HeatmapStyle style = style_of(ColorMap::sequential, true, static_cast<float>(scale));
    const int cell = 30 * scale;
    Matrix values({1, 4});
    values(0, 0) = -kInfinity;
    values(0, 1) = std::numeric_limits<float>::quiet_NaN();
    values(0, 2) = kInfinity;
    values(0, 3) = -3.4e38F;
    const Picture picture =
        draw(values, 300, 100, {0, 0, static_cast<float>(4 * cell), static_cast<float>(cell)}, style);
    int num_hatch = 0;
    int num_ground = 0;
    int num_inside = 0;
    int num_net = 0;
    for (int y = 4 * scale; y < cell - 4 * scale; ++y) {  // away from the corners
        for (int x = 4 * scale; x < cell - 4 * scale; ++x) {
            const Pixel pixel = picture.at(x, y);
            CHECK(pixel[2] == 0);  // a mixture of green and yellow, and of nothing else
            CHECK(pixel[1] == 255);
            num_hatch += is_one_of(pixel, {kHatch}) ? 1 : 0;
            num_ground += is_one_of(pixel, {kGround}) ? 1 : 0;
            ++num_inside;
            const Pixel net = picture.at(cell + x, y);
            CHECK(net[2] == 0);
            CHECK(net[1] == 255);
            num_net += is_one_of(net, {kHatch}) ? 1 : 0;
        }
    }
    // One point of line in six along a row, the rest ground; a quarter of each at least is crisp at any scale.
    CHECK(num_hatch > num_inside / 24);
    CHECK(num_ground > num_inside / 4);
    CHECK(num_net > 3 * num_hatch / 2);  // lines both ways
    CHECK(num_net < num_inside);
    CHECK(num_hatch + num_ground < num_inside);  // the edges of the lines are smooth
    CHECK(distance(picture.at(2 * cell + cell / 2, cell / 2), color_of(1, style)) <= kColorTolerance);
    CHECK(distance(picture.at(3 * cell + cell / 2, cell / 2), color_of(0, style)) <= kColorTolerance);
}

TEST_CASE("a cell that is no number has a colour that no number has, at any size", "[heatmap][bad-input]") {
    const OffscreenContext context;
    const int cell = GENERATE(1, 2, 3, 5);
    const HeatmapStyle style = style_of(ColorMap::sequential, false);
    Matrix values = random_matrix(6, 6, 3, 0, 1);
    values(2, 4) = std::numeric_limits<float>::quiet_NaN();
    const auto side = static_cast<float>(6 * cell);
    const Picture picture = draw(values, 100, 100, {0, 0, side, side}, style);
    CHECK(is_one_of(picture.at(4 * cell + cell / 2, 2 * cell + cell / 2), {kHatch}));
    CHECK_FALSE(is_one_of(picture.at(3 * cell + cell / 2, 2 * cell + cell / 2), {kHatch}));
}

TEST_CASE("a pixel over several cells shows the largest of them in absolute value", "[heatmap][reference]") {
    const OffscreenContext context;
    const auto [rows, columns, width, height] = GENERATE(
        table<int, int, int, int>({{97, 61, 40, 30}, {2048, 3, 30, 100}, {1000, 1000, 70, 301}, {5, 300, 299, 25}}));
    HeatmapStyle style = style_of(ColorMap::diverging, false);
    Matrix values = random_matrix(rows, columns, 11, -1, 1);
    for (int i = 0; i < rows; ++i) {  // as a causal mask hides them
        for (int j = i + 1; j < columns; ++j) values(i, j) = -kInfinity;
    }
    const Picture picture =
        draw(values, 320, 320, {0, 0, static_cast<float>(width), static_cast<float>(height)}, style);
    // First and one past the last cell under a pixel: those that overlap [pixel, pixel + 1), or the one that owns it.
    const auto cells_under = [](int pixel, int length, int count) {
        const double size = static_cast<double>(length) / count;
        if (size < 1) {
            const int first = pixel * count / length;
            const int last = ((pixel + 1) * count + length - 1) / length;
            return std::pair(first, std::min(last, count));
        }
        int owner = 0;
        while (std::floor((owner + 1) * size + 0.5) <= pixel) ++owner;
        return std::pair(owner, owner + 1);
    };
    for (int y = 0; y < height; ++y) {
        const auto [first_row, last_row] = cells_under(y, height, rows);
        for (int x = 0; x < width; ++x) {
            const auto [first_column, last_column] = cells_under(x, width, columns);
            float largest = -kInfinity;
            for (int i = first_row; i < last_row; ++i) {
                for (int j = first_column; j < last_column; ++j) {
                    const float value = values(i, j);
                    if (value == -kInfinity) continue;
                    if (largest == -kInfinity || std::abs(value) > std::abs(largest)) largest = value;
                }
            }
            CAPTURE(rows, columns, x, y, largest);
            const Pixel pixel = picture.at(x, y);
            if (largest == -kInfinity) {
                CHECK(pixel[2] == 0);  // hatch or ground
            } else {
                CHECK(distance(pixel, color_of(largest, style)) <= kColorTolerance);
            }
        }
    }
}

TEST_CASE("nothing is drawn outside the clip", "[heatmap]") {
    const OffscreenContext context;
    OffscreenCanvas canvas(60, 60, kBackground);
    Result<HeatmapRenderer> renderer = HeatmapRenderer::create();
    REQUIRE(renderer);
    renderer->set_matrix(3, 1, random_matrix(2, 2, 1, 0, 1));
    const PixelRect clip = {10, 15, 33, 44};
    renderer->draw(3, {0, 0, 60, 60}, clip, 60, 60, style_of(ColorMap::sequential, false));
    renderer->draw(3, {0, 0, 60, 60}, {50, 50, 40, 60}, 60, 60, style_of(ColorMap::sequential, false));  // empty
    const Picture picture = canvas.read();
    for (int y = 0; y < 60; ++y) {
        for (int x = 0; x < 60; ++x) {
            const bool is_inside = x >= 10 && x < 33 && y >= 15 && y < 44;
            const bool is_gap = x == 29 || y == 29;
            CAPTURE(x, y);
            if (!is_inside) CHECK(distance(picture.at(x, y), kBackground) == 0);
            if (is_inside && !is_gap) CHECK(distance(picture.at(x, y), kBackground) > 2);
        }
    }
}

TEST_CASE("a slot keeps its content until another version comes", "[heatmap]") {
    const OffscreenContext context;
    OffscreenCanvas canvas(20, 20, kBackground);
    Result<HeatmapRenderer> renderer = HeatmapRenderer::create();
    REQUIRE(renderer);
    const HeatmapStyle style = style_of(ColorMap::sequential, false);
    const auto shown = [&](int slot) {
        renderer->draw(slot, {0, 0, 20, 20}, {0, 0, 20, 20}, 20, 20, style);
        return canvas.read().at(10, 10);
    };
    CHECK_FALSE(renderer->holds(0, 5));
    renderer->set_matrix(0, 5, Matrix({{0.25F}}));
    CHECK(renderer->holds(0, 5));
    renderer->set_matrix(0, 5, Matrix({{0.75F}}));  // a lie about the version is not even looked at
    CHECK(distance(shown(0), color_of(0.25F, style)) <= kColorTolerance);
    renderer->set_matrix(0, 6, Matrix({{0.75F, 0.75F}}));
    CHECK_FALSE(renderer->holds(0, 5));
    CHECK(distance(shown(0), color_of(0.75F, style)) <= kColorTolerance);

    renderer->set_matrix(-1, 1, Matrix({{1.0F}}));
    renderer->set_matrix(7, 1, Matrix({{1.0F}}));
    renderer->keep_slots(7, 9);
    CHECK_FALSE(renderer->holds(0, 6));
    CHECK(renderer->holds(7, 1));
    CHECK(renderer->holds(-1, 1));
}

TEST_CASE("a new context gets the same picture from a new renderer", "[heatmap]") {
    const Matrix values = random_matrix(5, 5, 9, 0, 1);
    const HeatmapStyle style = style_of(ColorMap::sequential, true);
    const auto picture = [&] {
        const OffscreenContext context;
        return draw(values, 64, 64, {3, 3, 53, 53}, style);
    };
    const Picture before = picture();
    const Picture after = picture();
    CHECK(before.rgba == after.rgba);
}

TEST_CASE("without a GL context or with a broken shader the error is a sentence", "[heatmap][bad-input]") {
    const Result<HeatmapRenderer> nothing = HeatmapRenderer::create();
    REQUIRE_FALSE(nothing);
    CHECK(nothing.error() == "There is no OpenGL context to draw with.");

    const OffscreenContext context;
    const std::string good = "void main() { gl_Position = vec4(0.0); }";
    const Result<unsigned> broken = build_program(good, "void main() { nonsense }");
    REQUIRE_FALSE(broken);
    CHECK(broken.error().starts_with("A shader does not compile here: "));
    CHECK(broken.error().find("syntax error") != std::string::npos);  // Mesa's own words
    const Result<unsigned> unfit = build_program("out vec3 v_place; void main() { v_place = vec3(0.0); }",
                                                 "in vec2 v_place; out vec4 o; void main() { o = v_place.xyxy; }");
    REQUIRE_FALSE(unfit);
    CHECK(unfit.error().starts_with("The shaders cannot be linked here: "));
    CHECK(glGetError() == GL_NO_ERROR);
}
