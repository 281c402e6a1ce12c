// Fonts, with a text engine that draws no letters but keeps account of what it was asked for.
#include "ui/look/fonts.h"

#include <imgui_internal.h>

#include <catch_amalgamated.hpp>
#include <cmath>
#include <string>
#include <vector>

#include "ui/headless_imgui.h"
#include "ui/look/stand_ins.h"

using namespace attn;
using namespace attn::testing;

namespace {

struct Asked {
    std::string text;
    float pixel_size;
    bool is_bold;
};

// Every text is half its pixel size wide a byte; "EMOJI" is red, "" and "NOTHING" have no picture.
class FakeEngine {
public:
    RasterizeText engine() {
        return [this](std::string_view text, float pixel_size, bool is_bold) {
            asked.push_back({std::string(text), pixel_size, is_bold});
            TextBitmap bitmap;
            if (text == "\u00ADNOTHING") return bitmap;
            bitmap.width = static_cast<int>(pixel_size / 2) * static_cast<int>(text.size());
            bitmap.height = static_cast<int>(pixel_size);
            bitmap.left = 1;
            bitmap.top = pixel_size * 0.75F;
            bitmap.advance = static_cast<float>(bitmap.width) + 2;
            bitmap.is_colored = text == "😀";
            for (int k = 0; k < bitmap.width * bitmap.height; ++k)
                bitmap.rgba.insert(bitmap.rgba.end(), {200, 10, 20, 128});
            return bitmap;
        };
    }
    std::vector<Asked> asked;
};

std::string character(unsigned code) {
    char bytes[5];
    ImTextCharToUtf8(bytes, code);
    return bytes;
}

std::vector<unsigned> codes_of(const std::string& text) {
    std::vector<unsigned> codes;
    const char* at = text.c_str();
    while (*at != 0) {
        unsigned code = 0;
        at += ImTextCharFromUtf8(&code, at, nullptr);
        codes.push_back(code);
    }
    return codes;
}

bool is_stand_in(unsigned code) {
    return code >= StandIns::kFirst && code < StandIns::kFirst + StandIns::kCount;
}

}  // namespace

TEST_CASE("text of the built-in scripts is drawn by the built-in fonts", "[fonts]") {
    HeadlessImgui imgui;
    FakeEngine fake;
    const Fonts fonts = load_fonts(fake.engine());
    for (const std::string text :
         {"The artist painted", "façade naïve Æsop Œuvre ß", "Ελληνικά", "Привет, мир", "Việt Nam",
          "→ ÷ √ × − Σ ∞ · ≤ … “a” ‘b’ – —", "x₁² 10³", "", "  two  spaces ", "\u00A0"}) {
        CAPTURE(text);
        imgui.frame([&] {
            CHECK(drawable(text) == text);
            for (ImFont* font : {fonts.sans, fonts.sans_bold, fonts.mono}) {
                for (const unsigned code : codes_of(text)) CHECK(font->IsGlyphInFont(static_cast<ImWchar>(code)));
            }
        });
    }
    CHECK(fake.asked.empty());
}

TEST_CASE("a letter that a field drew before the fonts had it is drawn by the fonts from then on", "[fonts]") {
    HeadlessImgui imgui;
    FakeEngine fake;
    const Fonts fonts = load_fonts(fake.engine());
    const auto draw = [&] {
        fake.asked.clear();
        imgui.frame([&] {
            for (ImFont* font : {fonts.sans, fonts.sans_bold, fonts.mono}) font->CalcTextSizeA(20, FLT_MAX, 0, "é Ж");
        });
    };
    draw();  // as ImGui draws what stands in its field, letter by letter
    CHECK(fake.asked.size() == 6);
    CHECK(drawable("é") == "é");
    draw();
    CHECK(fake.asked.empty());
}

TEST_CASE("words that the fonts lack become one stand-in a group, the words around them stay", "[fonts]") {
    HeadlessImgui imgui;
    FakeEngine fake;
    load_fonts(fake.engine());
    imgui.frame([&] {
        const std::vector<unsigned> chinese = codes_of(drawable("你好"));
        REQUIRE(chinese.size() == 1);
        CHECK(is_stand_in(chinese[0]));
        CHECK(codes_of(drawable("你好")) == chinese);  // the same text, the same stand-in
        CHECK(codes_of(drawable("你 好")) != chinese);
        CHECK(codes_of(drawable("مرحبا بالعالم")).size() == 1);  // a phrase from right to left must stay whole
        CHECK(codes_of(drawable("👩‍👩‍👧‍👦")).size() == 1);
        CHECK(codes_of(drawable("e\u0301")).size() == 1);  // an accent that combines
        const std::string mixed = drawable(" see 你好  世界 there ");
        CHECK(mixed == " see " + drawable("你好  世界") + " there ");
        CHECK(fake.asked.empty());  // nothing was drawn yet
    });
}

TEST_CASE("marks around a word from right to left stay on the side where the sentence has them", "[fonts]") {
    HeadlessImgui imgui;
    FakeEngine fake;
    load_fonts(fake.engine());
    imgui.frame([&] {
        const std::string word = drawable("שלום");
        CHECK(drawable("queries of שלום: 0.5") == "queries of " + word + ": 0.5");
        CHECK(drawable("where “שלום” looks (שלום)") == "where “" + word + "” looks (" + word + ")");
        CHECK(drawable("a “שלום עולם”, b") == "a “" + drawable("שלום עולם") + "”, b");
        CHECK(codes_of(drawable("שלום, עולם!")).size() == 1);  // its own marks, in its own direction
        CHECK(codes_of(drawable("a .\u0301ש")).size() == 3);   // an accent stays with what it stands on
    });
}

TEST_CASE("a text from right to left has its words in that order, whatever they are written in", "[fonts]") {
    HeadlessImgui imgui;
    FakeEngine fake;
    const Fonts fonts = load_fonts(fake.engine());
    const auto pictures_of_text = [&](const std::string& text) {
        fake.asked.clear();
        imgui.frame([&] { fonts.sans->CalcTextSizeA(20, FLT_MAX, 0, drawable(text).c_str()); });
        std::vector<std::string> pictures;
        for (const Asked& asked : fake.asked) pictures.push_back(asked.text);
        return pictures;
    };
    // One picture: the platform orders what is in it.
    CHECK(pictures_of_text("שלום hello עולם") == std::vector<std::string>{"שלום hello עולם"});
    // Emoji keep their colours, and letters the text's: pictures of their own, from right to left.
    CHECK(pictures_of_text("שלום 👋 hello") == std::vector<std::string>{"\u200Fhello", "👋", "שלום"});
    CHECK(pictures_of_text("see 你好 🙂") == std::vector<std::string>{"你好", "🙂"});
    // The pieces of a long text: the first one is the rightmost.
    std::string text = "שלום";
    for (int k = 10; k < 30; ++k) text += " word" + std::to_string(k);
    const std::vector<std::string> pieces = pictures_of_text(text);
    REQUIRE(pieces.size() == 3);
    CHECK(pieces[2].starts_with("שלום"));
    CHECK(pieces[1].starts_with("\u200Fword"));
    CHECK(pieces[0].ends_with("word29"));
}

TEST_CASE("long text is drawn in pieces, none of it lost", "[fonts]") {
    HeadlessImgui imgui;
    FakeEngine fake;
    const Fonts fonts = load_fonts(fake.engine());
    std::string word;
    for (unsigned k = 0; k < 150; ++k) word += character(0x4E00 + k);
    std::string sentence;
    for (unsigned k = 0; k < 50; ++k)
        sentence += "दुनिया" + character(0x0915 + k % 32) + character(0x0915 + k / 32) + " ";
    for (const std::string& text : {word, sentence}) {
        fake.asked.clear();
        imgui.frame([&] {
            const std::string shown = drawable(text);
            for (const unsigned code : codes_of(shown)) CHECK((is_stand_in(code) || code == ' '));
            fonts.sans->CalcTextSizeA(20, FLT_MAX, 0, shown.c_str());
        });
        std::string drawn;
        for (const Asked& asked : fake.asked) {
            drawn += asked.text;
            CHECK(asked.text.size() <= 60 * 4);
        }
        std::erase(drawn, ' ');
        std::string expected = text;
        std::erase(expected, ' ');
        CHECK(drawn == expected);
    }
}

TEST_CASE("control characters and broken text become visible signs", "[fonts][bad-input]") {
    HeadlessImgui imgui;
    FakeEngine fake;
    load_fonts(fake.engine());
    imgui.frame([&] {
        CHECK(drawable("a\nb") == drawable("a␊b"));
        CHECK(drawable("\t") == drawable("␉"));
        CHECK(drawable("\x7f") == drawable("␡"));
        CHECK(drawable(std::string("a\0b", 3)) == drawable("a␀b"));
        CHECK(drawable("\xff") == drawable("�"));
        CHECK(drawable("\xe4\xbd") == drawable("�"));
        CHECK(drawable("\xc2\x85") == drawable("�"));
    });
}

TEST_CASE("the platform draws a stand-in at the size and weight it is shown in, in device pixels", "[fonts]") {
    const float scale = GENERATE(1.0F, 2.0F);
    HeadlessImgui imgui({1280, 800}, scale);
    FakeEngine fake;
    const Fonts fonts = load_fonts(fake.engine());
    imgui.frame([&] {
        const std::string text = drawable("你好");  // 6 bytes
        const ImVec2 size = fonts.sans->CalcTextSizeA(26, FLT_MAX, 0, text.c_str());
        REQUIRE(fake.asked.size() == 1);
        CHECK(fake.asked[0].text == "你好");
        CHECK(fake.asked[0].pixel_size == Catch::Approx(26 / 1.3 * scale));
        CHECK_FALSE(fake.asked[0].is_bold);
        const float width = std::floor(fake.asked[0].pixel_size / 2) * 6;  // device pixels, as the fake engine says
        CHECK(size.x == Catch::Approx((width + 2) / scale));

        const ImFontBaked* baked = fonts.sans->GetFontBaked(26);
        const ImFontGlyph* glyph = fonts.sans->GetFontBaked(26)->FindGlyph(static_cast<ImWchar>(codes_of(text)[0]));
        CHECK(fake.asked.size() == 1);  // once drawn, it is kept
        CHECK(glyph->X0 == Catch::Approx(1 / scale));
        CHECK((glyph->X1 - glyph->X0) * scale == Catch::Approx(width));
        CHECK((glyph->Y1 - glyph->Y0) * scale == Catch::Approx(std::floor(fake.asked[0].pixel_size)));
        CHECK(glyph->Y0 == Catch::Approx(std::round(baked->Ascent) - 0.75F * fake.asked[0].pixel_size / scale));

        fonts.sans_bold->CalcTextSizeA(26, FLT_MAX, 0, text.c_str());
        REQUIRE(fake.asked.size() == 2);
        CHECK(fake.asked[1].is_bold);
    });
}

TEST_CASE("emoji keep their colours, other pictures take the ink's", "[fonts]") {
    HeadlessImgui imgui;
    FakeEngine fake;
    const Fonts fonts = load_fonts(fake.engine());
    imgui.frame([&] {
        const auto first_pixel = [&](const char* text) {
            const unsigned code = codes_of(drawable(text))[0];
            const ImFontGlyph glyph = *fonts.sans->GetFontBaked(20)->FindGlyph(static_cast<ImWchar>(code));
            ImTextureData* atlas = ImGui::GetIO().Fonts->TexData;
            const auto* pixel = static_cast<const std::uint8_t*>(
                atlas->GetPixelsAt(static_cast<int>(std::lround(glyph.U0 * static_cast<float>(atlas->Width))),
                                   static_cast<int>(std::lround(glyph.V0 * static_cast<float>(atlas->Height)))));
            return std::pair(glyph.Colored == 1, std::vector<int>(pixel, pixel + 4));
        };
        CHECK(first_pixel("😀") == std::pair(true, std::vector<int>{200, 10, 20, 128}));
        CHECK(first_pixel("好") == std::pair(false, std::vector<int>{255, 255, 255, 128}));
    });
}

TEST_CASE("a single character typed into a field is drawn by the platform, too", "[fonts]") {
    HeadlessImgui imgui;
    FakeEngine fake;
    const Fonts fonts = load_fonts(fake.engine());
    imgui.frame([&] {
        fonts.sans->CalcTextSizeA(20, FLT_MAX, 0, "ab好😀");
        REQUIRE(fake.asked.size() == 2);
        CHECK(fake.asked[0].text == "好");
        CHECK(fake.asked[1].text == "😀");
    });
}

TEST_CASE("text without a picture shows the sign for a missing character", "[fonts][bad-input]") {
    HeadlessImgui imgui;
    FakeEngine fake;
    const Fonts fonts = load_fonts([](std::string_view, float, bool) { return TextBitmap{}; });
    imgui.frame([&] {
        const std::string text = drawable("你好");
        const ImFontGlyph* glyph = fonts.sans->GetFontBaked(20)->FindGlyph(static_cast<ImWchar>(codes_of(text)[0]));
        CHECK(glyph->Codepoint == 0xFFFD);
    });
}

TEST_CASE("a huge picture is cut to what the atlas holds", "[fonts][bad-input]") {
    HeadlessImgui imgui;
    const Fonts fonts = load_fonts([](std::string_view, float, bool) {
        TextBitmap bitmap;
        bitmap.width = 10'000;
        bitmap.height = 1'000;
        bitmap.advance = 10'000;
        bitmap.rgba.resize(static_cast<std::size_t>(bitmap.width) * bitmap.height * 4);
        return bitmap;
    });
    imgui.frame([&] {
        const unsigned code = codes_of(drawable("你好"))[0];
        const ImFontGlyph* glyph = fonts.sans->GetFontBaked(20)->FindGlyph(static_cast<ImWchar>(code));
        CHECK(glyph->Codepoint == code);
        CHECK(glyph->X1 - glyph->X0 == 2048);
    });
}

TEST_CASE("the least recently used stand-in makes room and its old picture is not drawn again", "[fonts][property]") {
    HeadlessImgui imgui;
    FakeEngine fake;
    const Fonts fonts = load_fonts(fake.engine());
    unsigned first = 0;
    imgui.frame([&] {
        const std::string text = drawable("你0");
        first = codes_of(text)[0];
        fonts.sans->CalcTextSizeA(20, FLT_MAX, 0, text.c_str());
    });
    imgui.frame([&] {
        for (int k = 1; k < StandIns::kCount; ++k)
            REQUIRE(is_stand_in(codes_of(drawable("你" + std::to_string(k)))[0]));
    });
    imgui.frame([&] {
        fake.asked.clear();
        const std::string text = drawable("好好好好");
        CHECK(codes_of(text)[0] == first);
        const ImVec2 size = fonts.sans->CalcTextSizeA(20, FLT_MAX, 0, text.c_str());
        REQUIRE(fake.asked.size() == 1);
        CHECK(fake.asked[0].text == "好好好好");
        CHECK(size.x == Catch::Approx(std::floor(fake.asked[0].pixel_size / 2) * 12 + 2));
        for (int k = 2; k <= StandIns::kCount; ++k) drawable("好" + std::to_string(k));  // the rest
        CHECK(drawable("one too many 你") == "one too many " + character(0xFFFD));       // in one frame
    });
    imgui.frame([&] { CHECK(is_stand_in(codes_of(drawable("你"))[0])); });
}

TEST_CASE("a font size is a line's height, 1.3 em", "[fonts]") {
    HeadlessImgui imgui;
    FakeEngine fake;
    const Fonts fonts = load_fonts(fake.engine());
    imgui.frame([&] {
        for (ImFont* font : {fonts.sans, fonts.sans_bold, fonts.mono}) {
            // The em quad of IBM Plex Sans and Mono is 1000 units; an em dash is 1 em in Sans, any digit 0.6 em in all.
            const float digit = font->GetFontBaked(130)->FindGlyph('0')->AdvanceX;
            CHECK(digit == Catch::Approx(60));
            for (ImWchar c = '1'; c <= '9'; ++c) CHECK(font->GetFontBaked(130)->FindGlyph(c)->AdvanceX == digit);
        }
    });
}

TEST_CASE("stand-ins remember what they stand for", "[fonts]") {
    StandIns stand_ins;
    const auto one = stand_ins.give("one", 1);
    const auto two = stand_ins.give("two", 1);
    REQUIRE(one);
    REQUIRE(two);
    CHECK(one->character != two->character);
    CHECK(stand_ins.meaning(one->character) == "one");
    CHECK(stand_ins.meaning(two->character) == "two");
    CHECK_FALSE(stand_ins.meaning('a'));
    CHECK_FALSE(stand_ins.meaning(two->character + 1));
    CHECK(stand_ins.give("one", 2)->character == one->character);
}
