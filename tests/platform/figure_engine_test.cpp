// Figures as PNG files through Cairo: the pixels of shapes whose places are known. Needs no screen.
#include "platform/figure_engine_desktop.h"

#include <cairo.h>

#include <array>
#include <catch_amalgamated.hpp>
#include <cstring>
#include <string>

#include "platform/pixels_desktop.h"

using namespace attn;

namespace {

constexpr Rgb kRed = {1, 0, 0};
constexpr Rgb kGray = {0.5F, 0.5F, 0.5F};  // 127.5 of 255: rounded up, as on the web
constexpr Rgb kWhite = {1, 1, 1};

struct Reader {
    const std::string& bytes;
    std::size_t at = 0;
};

cairo_status_t read_some(void* reader, unsigned char* data, unsigned count) {
    Reader& file = *static_cast<Reader*>(reader);
    if (file.at + count > file.bytes.size()) return CAIRO_STATUS_READ_ERROR;
    std::memcpy(data, file.bytes.data() + file.at, count);
    file.at += count;
    return CAIRO_STATUS_SUCCESS;
}

// A PNG file read back.
class Picture {
public:
    explicit Picture(const Result<std::string>& png) {
        REQUIRE(png);
        Reader reader = {*png};
        surface_.reset(cairo_image_surface_create_from_png_stream(read_some, &reader));
        REQUIRE(cairo_surface_status(surface_.get()) == CAIRO_STATUS_SUCCESS);
    }
    int width() const { return cairo_image_surface_get_width(surface_.get()); }
    int height() const { return cairo_image_surface_get_height(surface_.get()); }
    bool has_alpha() const { return cairo_image_surface_get_format(surface_.get()) == CAIRO_FORMAT_ARGB32; }
    std::uint32_t at(int x, int y) const { return pixel_at(surface_.get(), x, y); }
    std::uint32_t color(int x, int y) const { return at(x, y) & 0xffffff; }

    // How many pixels of the box are not `color`.
    int num_other(int x0, int y0, int x1, int y1, std::uint32_t color_there) const {
        int count = 0;
        for (int y = y0; y < y1; ++y)
            for (int x = x0; x < x1; ++x) count += color(x, y) != color_there;
        return count;
    }

private:
    Surface surface_;
};

FigurePiece move(double x, double y) {
    return {.step = FigureStep::move, .to = {x, y}};
}
FigurePiece line(double x, double y) {
    return {.step = FigureStep::line, .to = {x, y}};
}
constexpr FigurePiece kClose = {.step = FigureStep::close};

Figure sheet(std::vector<FigureElement> elements, std::optional<Rgb> ground = kWhite) {
    return {.width = 100, .height = 60, .ground = ground, .elements = std::move(elements)};
}

FigureRect rect(double x, double y, double width, double height, FigureLook look) {
    return {.at = {x, y}, .width = width, .height = height, .look = std::move(look)};
}

}  // namespace

TEST_CASE("a figure becomes a PNG file of so many pixels a point", "[figure-engine]") {
    const auto [scale, width, height] =
        GENERATE(table<double, int, int>({{1, 100, 60}, {2, 200, 120}, {3, 300, 180}, {0.5, 50, 30}, {1.25, 125, 75}}));
    const Picture picture(png_of_figure(sheet({}), scale));
    CHECK(picture.width() == width);
    CHECK(picture.height() == height);
    CHECK_FALSE(picture.has_alpha());
}

TEST_CASE("areas have exactly their colours, to their edges", "[figure-engine]") {
    const int scale = GENERATE(1, 2, 3);
    const Picture picture(
        png_of_figure(sheet({rect(10, 10, 20, 20, {.fill = kRed}), rect(20, 10, 20, 20, {.fill = kGray})}), scale));
    CHECK(picture.color(10 * scale, 10 * scale) == 0xff0000);
    CHECK(picture.color(20 * scale - 1, 30 * scale - 1) == 0xff0000);
    CHECK(picture.color(20 * scale, 10 * scale) == 0x808080);  // later ones are on top
    CHECK(picture.color(40 * scale - 1, 20 * scale) == 0x808080);
    CHECK(picture.color(40 * scale, 20 * scale) == 0xffffff);
    CHECK(picture.color(10 * scale - 1, 20 * scale) == 0xffffff);
}

TEST_CASE("crisp neighbours show no seam, wherever they meet", "[figure-engine]") {
    const double scale = GENERATE(1, 1.25, 2, 3);
    std::vector<FigureElement> strip;
    for (int k = 0; k < 30; ++k) {
        strip.emplace_back(rect(10 + k * 2.3, 10.4, 2.3, 20.2, {.fill = kRed, .is_crisp = true}));
    }
    const Picture picture(png_of_figure(sheet(std::move(strip)), scale));
    const auto inside = [&](double points) { return static_cast<int>(points * scale); };
    CHECK(picture.num_other(inside(11), inside(12), inside(78), inside(29), 0xff0000) == 0);
    // Nothing but the two colours anywhere: no edge is smoothed.
    int num_mixed = 0;
    for (int y = 0; y < picture.height(); ++y) {
        for (int x = 0; x < picture.width(); ++x) {
            num_mixed += picture.color(x, y) != 0xff0000 && picture.color(x, y) != 0xffffff;
        }
    }
    CHECK(num_mixed == 0);
}

TEST_CASE("without a ground a figure is transparent where nothing is drawn", "[figure-engine]") {
    const Picture picture(png_of_figure(
        sheet({rect(10, 10, 20, 20, {.fill = kRed}), rect(40, 10, 20, 20, {.fill = kRed, .opacity = 0.5})}, {}), 2));
    CHECK(picture.has_alpha());
    CHECK(picture.at(0, 0) == 0);
    CHECK(picture.at(40, 40) == 0xffff0000);
    CHECK(picture.at(100, 40) >> 24 == 128);
}

TEST_CASE("outlines lie on the edge, corners are round, dashes have gaps", "[figure-engine]") {
    const FigureLook outline = {.line = kRed, .line_width = 2};
    FigureRect round = rect(10, 10, 30, 30, {.fill = kRed});
    round.corner = 10;
    FigurePath dashed = {.pieces = {move(50, 50), line(90, 50)}, .look = outline};
    dashed.look.dashes = {10, 10};
    const Picture picture(png_of_figure(sheet({round, rect(50, 10, 30, 30, outline), dashed}), 1));
    CHECK(picture.color(11, 11) == 0xffffff);
    CHECK(picture.color(25, 11) == 0xff0000);
    CHECK(picture.color(49, 20) == 0xff0000);
    CHECK(picture.color(50, 20) == 0xff0000);
    CHECK(picture.color(52, 20) == 0xffffff);
    CHECK(picture.color(55, 50) == 0xff0000);
    CHECK(picture.color(65, 50) == 0xffffff);
    CHECK(picture.color(75, 50) == 0xff0000);
}

TEST_CASE("paths are filled, straight or curved", "[figure-engine]") {
    const FigurePath triangle = {.pieces = {move(10, 10), line(50, 10), line(10, 50), kClose}, .look = {.fill = kRed}};
    // A quarter of a disc around (60, 50), 30 points in radius; 0.5523 of it puts the control points.
    const double k = 30 * 0.5523;
    const FigurePath disc = {
        .pieces = {move(60, 50),
                   line(60, 20),
                   {.step = FigureStep::curve, .to = {90, 50}, .a = {60 + k, 20}, .b = {90, 50 - k}},
                   kClose},
        .look = {.fill = kGray}};
    const FigurePath boxes = {.pieces = {{.step = FigureStep::box, .to = {2, 51}, .a = {8, 58}},
                                         {.step = FigureStep::box, .to = {20, 51}, .a = {26, 55}}},
                              .look = {.fill = kRed}};
    const Picture picture(png_of_figure(sheet({triangle, disc, boxes}), 1));
    CHECK(picture.color(7, 57) == 0xff0000);
    CHECK(picture.color(14, 53) == 0xffffff);
    CHECK(picture.color(25, 54) == 0xff0000);
    CHECK(picture.color(25, 56) == 0xffffff);
    CHECK(picture.color(20, 20) == 0xff0000);
    CHECK(picture.color(40, 40) == 0xffffff);
    CHECK(picture.color(79, 31) == 0x808080);  // 27 points from the centre
    CHECK(picture.color(84, 26) == 0xffffff);  // 34
}

TEST_CASE("a text stands at its anchor, turned around it", "[figure-engine]") {
    const std::string word = GENERATE("Attention", "注意力", "انتباه", "w_query");
    const FigureFont font = GENERATE(FigureFont::sans, FigureFont::sans_bold, FigureFont::mono);
    const auto drawn = [&](FigureAnchor anchor, double turn) {
        return Picture(png_of_figure(
            sheet({FigureText{.at = {50, 30}, .text = word, .size = 10, .font = font, .anchor = anchor, .turn = turn}}),
            2));
    };
    CAPTURE(word);
    const auto num_dark = [](const Picture& picture, int x0, int y0, int x1, int y1) {
        return picture.num_other(x0, y0, x1, y1, 0xffffff);
    };
    const Picture start = drawn(FigureAnchor::start, 0);
    CHECK(num_dark(start, 100, 40, 200, 66) > 40);
    CHECK(num_dark(start, 0, 0, 96, 120) == 0);
    const Picture end = drawn(FigureAnchor::end, 0);
    CHECK(num_dark(end, 0, 40, 100, 66) > 40);
    CHECK(num_dark(end, 104, 0, 200, 120) == 0);
    const Picture middle = drawn(FigureAnchor::middle, 0);
    CHECK(num_dark(middle, 0, 40, 100, 66) > 20);
    CHECK(num_dark(middle, 100, 40, 200, 66) > 20);
    const Picture down = drawn(FigureAnchor::start, 90);  // clockwise: it goes down, its letters to the right
    CHECK(num_dark(down, 90, 60, 122, 120) > 30);
    CHECK(num_dark(down, 0, 0, 200, 56) == 0);
}

TEST_CASE("the built-in typefaces are used, each one of its own", "[figure-engine]") {
    // Their advances at 100 points an em differ from each other's and from any other font's on this machine.
    const auto width_of = [](FigureFont font) {
        const Figure figure = {
            .width = 1000,
            .height = 200,
            .ground = kWhite,
            .elements = {FigureText{.at = {0, 150}, .text = "illumination", .size = 100, .font = font}}};
        const Picture picture(png_of_figure(figure, 1));
        int right = 0;
        for (int x = 0; x < picture.width(); ++x)
            if (picture.num_other(x, 0, x + 1, 200, 0xffffff) > 0) right = x;
        return right;
    };
    // IBM Plex Mono's characters are 0.6 em wide; the right stem of the last n ends some 6 points before its advance.
    CHECK(std::abs(width_of(FigureFont::mono) - (720 - 6)) <= 6);
    const int sans = width_of(FigureFont::sans);
    const int bold = width_of(FigureFont::sans_bold);
    CHECK(bold > sans + 5);
}

TEST_CASE("broken text is drawn, and a picture beyond all measure is refused in a sentence", "[figure-engine]") {
    const Picture broken(
        png_of_figure(sheet({FigureText{.at = {10, 30}, .text = std::string("\xff\xfe a\0b\n", 7), .size = 10}}), 1));
    CHECK(broken.num_other(0, 0, 100, 60, 0xffffff) > 10);
    const Result<std::string> huge = png_of_figure({.width = 1e6, .height = 10}, 8);
    REQUIRE_FALSE(huge);
    CHECK(huge.error().starts_with("A picture of 8000000 × 80 pixels cannot be drawn"));
}
