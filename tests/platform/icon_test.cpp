// The icon has its four cells at every size the window system may ask for.
#include "platform/icon_desktop.h"

#include <catch_amalgamated.hpp>
#include <cstdint>

using namespace attn;

namespace {

// 0xRRGGBBAA at a point given in 1/32 of the size.
std::uint32_t color_at(const std::vector<std::uint8_t>& rgba, int size, double x, double y) {
    const std::size_t i =
        (static_cast<std::size_t>(y * size / 32) * size + static_cast<std::size_t>(x * size / 32)) * 4;
    return static_cast<std::uint32_t>(rgba[i]) << 24 | rgba[i + 1] << 16 | rgba[i + 2] << 8 | rgba[i + 3];
}

}  // namespace

TEST_CASE("the icon shows its cells at every size", "[icon]") {
    const int size = GENERATE(16, 32, 48, 128, 256);
    const std::vector<std::uint8_t> rgba = draw_icon(size);
    REQUIRE(rgba.size() == static_cast<std::size_t>(size) * size * 4);
    CHECK(color_at(rgba, size, 10, 10) == 0x0072b2ff);
    CHECK(color_at(rgba, size, 22, 10) == 0xffffffff);  // hidden: only an outline
    CHECK(color_at(rgba, size, 10, 22) == 0x80b8d8ff);
    CHECK(color_at(rgba, size, 22, 22) == 0xd55e00ff);
    CHECK((color_at(rgba, size, 0, 0) & 0xff) < 0x80);  // round corners
}
