// Cutting text to a width, with a text engine whose pictures are half the size wide a byte.
#include "ui/kit/text.h"

#include <catch_amalgamated.hpp>
#include <string>

#include "core/ground/check.h"
#include "ui/headless_imgui.h"
#include "ui/kit/heads_text.h"
#include "ui/look/fonts.h"

using namespace attn;
using namespace attn::testing;

TEST_CASE("shortened text is the longest beginning that fits with its ellipsis", "[text][property]") {
    HeadlessImgui imgui;
    int num_pictures = 0;
    const Fonts fonts = load_fonts([&](std::string_view text, float pixel_size, bool) {
        ++num_pictures;
        TextBitmap bitmap;
        bitmap.width = 1 + static_cast<int>(pixel_size / 2) * static_cast<int>(text.size());
        bitmap.height = 4;
        bitmap.advance = static_cast<float>(bitmap.width);
        bitmap.rgba.resize(static_cast<std::size_t>(bitmap.width) * bitmap.height * 4);
        return bitmap;
    });
    imgui.frame([&] {
        const TextStyle style = {fonts.sans, 18, 0};
        for (const std::string text :
             {"Donaudampfschifffahrtsgesellschaft", "naïveté", "a", "", "你好世界你好世界", "e\u0301e\u0301e\u0301"}) {
            for (const float width : {0.0F, 5.0F, 20.0F, 60.0F, 100.0F, 1000.0F}) {
                CAPTURE(text, width);
                const std::string cut = shortened(style, text, width);
                if (text_size(style, text).x <= width + 0.5F) {
                    CHECK(cut == text);
                    continue;
                }
                REQUIRE(cut.ends_with("…"));
                const std::string kept = cut.substr(0, cut.size() - std::string("…").size());
                CHECK(text.starts_with(kept));
                if (!kept.empty()) CHECK(text_size(style, cut).x <= width);
                // One character more would be too wide.
                std::size_t next = kept.size() + 1;
                while (next < text.size() && (static_cast<unsigned char>(text[next]) & 0xC0U) == 0x80U) ++next;
                if (next < text.size()) CHECK(text_size(style, concat(text.substr(0, next), "…")).x > width);
            }
        }
        num_pictures = 0;
        std::string endless;
        for (int k = 0; k < 20'000; ++k) endless += "好";
        CHECK(text_size(style, shortened(style, endless, 500)).x <= 500);
        CHECK(num_pictures < 40);
    });
}

TEST_CASE("a number does not break at its point, nor a name at the one before its method", "[text]") {
    HeadlessImgui imgui;
    const Fonts fonts = load_fonts([&](std::string_view text, float pixel_size, bool) {
        TextBitmap bitmap;
        bitmap.width = 1 + static_cast<int>(pixel_size / 2) * static_cast<int>(text.size());
        bitmap.height = 4;
        bitmap.advance = static_cast<float>(bitmap.width);
        bitmap.rgba.resize(static_cast<std::size_t>(bitmap.width) * bitmap.height * 4);
        return bitmap;
    });
    imgui.frame([&] {
        const TextStyle style = {fonts.sans, 18, 0};
        const float line = text_size(style, "a").y;
        const auto num_lines = [&](std::string_view text, std::string_view fits) {
            return wrapped_height(style, text, text_size(style, fits).x + 1) / line;
        };
        CHECK(num_lines("aaa 1.85 bbb", "aaa 1.") == 3);  // "aaa 1." and "85 bbb" would be two
        CHECK(num_lines("aaa k.T bbb", "aaa k.") == 3);
        CHECK(num_lines("aaa bbb ccc", "aaa bbb") == 2);
        CHECK(num_lines("aaa\nbbb ccc", "aaa bbb") == 2);
        CHECK(num_lines("aaaaaaaaaa", "aaaaa") == 2);  // a word wider than a line
        CHECK(num_lines("aaa", "aaa bbb") == 1);
        CHECK(num_lines("aaa  bb", "aaa") == 2);   // the second line does not begin with a blank,
        CHECK(num_lines("aaa  aaa", "aaa") == 2);  // which would leave no room for this
    });
}

TEST_CASE("where all numbers are small, a cell says how small as far as it has room", "[text][numbers]") {
    HeadlessImgui imgui;
    const Fonts fonts = load_fonts([](std::string_view, float, bool) { return TextBitmap(); });
    imgui.frame([&] {
        const TextStyle smallest = {fonts.sans, font_size(kSmallestNumber), 0};
        const auto width = [&](std::string_view text) { return text_size(smallest, text).x; };
        const auto number = [&](double value, float high, float room) {
            return number_in_cell(fonts.sans, value, high, room);
        };
        CHECK(number(0.00012, 0.004F, width("1.2e−4")) == "1.2e−4");
        CHECK(number(-0.00012, 0.004F, width("−1.2e−4")) == "−1.2e−4");
        CHECK(number(0.00012, 0.004F, width("1e−4")) == "1e−4");
        CHECK(number(0.00012, 0.004F, width("1e−4") - 1) == "<.01");
        CHECK(number(0.00012, 0.9F, 100) == "<.01");  // among larger ones it is as good as 0
        CHECK(number(0, 0.004F, 100) == "0");
    });
}
