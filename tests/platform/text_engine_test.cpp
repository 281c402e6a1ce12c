// The desktop's text engine on scripts that need shaping, other fonts or colours. Needs fonts for Arabic, Chinese and
// emoji on this machine; needs no screen.
#include <catch_amalgamated.hpp>
#include <cmath>
#include <limits>
#include <string>

#include "platform/text_engine_desktop.h"

using namespace attn;

namespace {

// How many pixels are at least half opaque.
int num_inked(const TextBitmap& bitmap) {
    int count = 0;
    for (std::size_t i = 3; i < bitmap.rgba.size(); i += 4) count += bitmap.rgba[i] >= 128;
    return count;
}

// What must hold of every bitmap, whatever the text.
void check_sane(const TextBitmap& bitmap) {
    CHECK(bitmap.width >= 0);
    CHECK(bitmap.width <= kMaxTextBitmapWidth);
    CHECK(bitmap.rgba.size() == static_cast<std::size_t>(bitmap.width) * bitmap.height * 4);
    CHECK(std::isfinite(bitmap.left));
    CHECK(std::isfinite(bitmap.top));
    CHECK(std::isfinite(bitmap.advance));
}

std::string repeated(const std::string& piece, int times) {
    std::string text;
    for (int i = 0; i < times; ++i) text += piece;
    return text;
}

}  // namespace

TEST_CASE("text in any script gives ink of about its size", "[text-engine]") {
    const RasterizeText rasterize = start_pango();
    const auto [name, text] = GENERATE(table<std::string, std::string>({{"Latin", "Attention"},
                                                                        {"Arabic", "مرحبا"},
                                                                        {"Hebrew", "שלום"},
                                                                        {"Chinese", "注意力"},
                                                                        {"Devanagari", "नमस्ते"},
                                                                        {"combining marks", "e\u0301o\u0308"},
                                                                        {"emoji", "😀"}}));
    const int pixel_size = GENERATE(12, 16, 40);
    CAPTURE(name, pixel_size);
    const TextBitmap bitmap = rasterize(text, static_cast<float>(pixel_size), false);
    check_sane(bitmap);
    CHECK(num_inked(bitmap) > pixel_size / 2);
    // No script is drawn more than 2.5 em high or starts more than an em off the pen; most of it stands on the
    // baseline.
    CHECK(bitmap.height < 2.5 * pixel_size);
    CHECK(bitmap.width > 0.3 * pixel_size);
    CHECK(bitmap.top > 0);
    CHECK(std::abs(bitmap.left) < static_cast<float>(pixel_size));
    // Ink may reach over the advance by a slanted end or a mark, not by a whole letter.
    CHECK(std::abs(bitmap.advance - static_cast<float>(bitmap.width)) < static_cast<float>(pixel_size));
}

TEST_CASE("only colour fonts give a coloured bitmap", "[text-engine]") {
    const RasterizeText rasterize = start_pango();
    CHECK_FALSE(rasterize("Attention", 16, false).is_colored);
    CHECK_FALSE(rasterize("注意力", 16, false).is_colored);
    CHECK(rasterize("😀", 16, false).is_colored);
    CHECK(rasterize("👩‍👩‍👧", 16, false).is_colored);
}

TEST_CASE("text without colours is black with the shape in alpha", "[text-engine]") {
    const TextBitmap bitmap = start_pango()("Attention", 24, false);
    for (std::size_t i = 0; i < bitmap.rgba.size(); i += 4) {
        REQUIRE(bitmap.rgba[i] == 0);
        REQUIRE(bitmap.rgba[i + 1] == 0);
        REQUIRE(bitmap.rgba[i + 2] == 0);
    }
}

TEST_CASE("letters beside an emoji are grey, never black", "[text-engine]") {
    const TextBitmap bitmap = start_pango()("Hill😀", 32, false);
    REQUIRE(bitmap.is_colored);
    int num_grey = 0;
    for (int y = 0; y < bitmap.height; ++y) {
        for (int x = 0; x < bitmap.width / 5; ++x) {  // the H
            const std::uint8_t* pixel = &bitmap.rgba[(static_cast<std::size_t>(y) * bitmap.width + x) * 4];
            if (pixel[3] < 250) continue;
            CHECK(pixel[0] == pixel[1]);
            CHECK(pixel[0] > 90);
            CHECK(pixel[0] < 150);
            ++num_grey;
        }
    }
    CHECK(num_grey > 10);
}

TEST_CASE("an emoji of several code points is one picture", "[text-engine]") {
    const RasterizeText rasterize = start_pango();
    const TextBitmap one = rasterize("😀", 32, false);
    const TextBitmap family = rasterize("👩‍👩‍👧", 32, false);
    CHECK(static_cast<float>(family.width) < 1.5F * static_cast<float>(one.width));
}

TEST_CASE("Arabic letters are joined: a word is narrower than its letters one by one", "[text-engine]") {
    const RasterizeText rasterize = start_pango();
    float apart = 0;
    for (const char* letter : {"س", "ب", "ب"}) apart += rasterize(letter, 40, false).advance;
    CHECK(rasterize("سبب", 40, false).advance < apart - 10);
}

TEST_CASE("right-to-left text starts at the right", "[text-engine]") {
    const RasterizeText rasterize = start_pango();
    // The lamed is the tallest letter; it is the second letter, so it stands in the right half.
    const TextBitmap bitmap = rasterize("שלוווווו", 40, false);
    REQUIRE(bitmap.height > 0);
    int left = 0, right = 0;
    for (int x = 0; x < bitmap.width; ++x) {
        const bool is_inked = bitmap.rgba[(static_cast<std::size_t>(1) * bitmap.width + x) * 4 + 3] > 64;
        (x < bitmap.width / 2 ? left : right) += is_inked;
    }
    CHECK(right > 0);
    CHECK(left == 0);
}

TEST_CASE("bold text has more ink", "[text-engine]") {
    const RasterizeText rasterize = start_pango();
    CHECK(num_inked(rasterize("Attention", 32, true)) > num_inked(rasterize("Attention", 32, false)));
}

TEST_CASE("twice the size is twice the advance", "[text-engine][property]") {
    const RasterizeText rasterize = start_pango();
    // Unhinted metrics scale; Pango rounds each glyph to 1/1024 pixel.
    CHECK(rasterize("Attention", 40, false).advance ==
          Catch::Approx(2 * rasterize("Attention", 20, false).advance).margin(0.1));
}

TEST_CASE("an empty string gives an empty bitmap", "[text-engine][bad-input]") {
    const TextBitmap bitmap = start_pango()("", 16, false);
    CHECK(bitmap.width == 0);
    CHECK(bitmap.height == 0);
    CHECK(bitmap.advance == 0);
    CHECK(bitmap.rgba.empty());
}

TEST_CASE("spaces move the pen and draw nothing", "[text-engine]") {
    const TextBitmap bitmap = start_pango()("  ", 16, false);
    CHECK(bitmap.width == 0);
    CHECK(bitmap.advance > 4);
}

TEST_CASE("10,000 characters are cut to the largest bitmap, with an ellipsis", "[text-engine][bad-input]") {
    const RasterizeText rasterize = start_pango();
    const TextBitmap latin = rasterize(repeated("attention ", 1000), 16, false);
    check_sane(latin);
    CHECK(latin.width > kMaxTextBitmapWidth * 3 / 4);
    check_sane(rasterize(repeated("注", 10000), 16, false));
    check_sane(rasterize(repeated("\u0301", 10000), 16, false));  // marks on nothing
    check_sane(rasterize(repeated("😀", 10000), 100, false));
}

TEST_CASE("sizes that no screen has give an empty bitmap", "[text-engine][bad-input]") {
    const float pixel_size = GENERATE(0.0F, -1.0F, 1e9F, std::numeric_limits<float>::infinity(),
                                      -std::numeric_limits<float>::infinity(), std::numeric_limits<float>::quiet_NaN());
    const TextBitmap bitmap = start_pango()("text", pixel_size, false);
    CHECK(bitmap.width == 0);
    CHECK(bitmap.rgba.empty());
}

TEST_CASE("what stands after a line break is drawn too", "[text-engine]") {
    const RasterizeText rasterize = start_pango();
    CHECK(rasterize("a\nb", 16, false).advance > rasterize("a", 16, false).advance + 8);
}

TEST_CASE("bytes that are no text, control characters and line breaks stay on one line", "[text-engine][bad-input]") {
    const RasterizeText rasterize = start_pango();
    for (const std::string& text : {std::string("\xff\xfe\x80"), std::string("a\0b", 3), std::string("a\nb\r\nc\td"),
                                    std::string("\x01\x02"), std::string("a\u2029b")}) {
        const TextBitmap bitmap = rasterize(text, 16, false);
        check_sane(bitmap);
        CHECK(bitmap.height < 2.5 * 16);
    }
}
