#include "scene/pens/figure_svg.h"

#include <nlohmann/json.hpp>

#include "scene/pens/figure_json.h"
#include "scene/xml_reader.h"

namespace attn {
namespace {

using test::all_named;
using test::read_xml;
using test::XmlElement;

Figure small_figure() {
    Figure figure;
    figure.width = 100;
    figure.height = 50.126;
    figure.ground = Rgb{1, 0, 0};
    figure.title = "A <b> & \"c\"";
    FigureRect rect{.at = {1.0 / 3, -2}, .width = 10, .height = 20, .corner = 2};
    rect.look.fill = Rgb{0, 0.5F, 1};
    rect.tip = "head 1 · a → b: 0.1234";
    figure.elements.emplace_back(rect);
    return figure;
}

TEST_CASE("a rectangle is written with rounded numbers, its colour and its tip", "[svg]") {
    const auto root = read_xml(figure_as_svg(small_figure()));
    CHECK(root->name == "svg");
    CHECK(root->own("xmlns") == "http://www.w3.org/2000/svg");
    CHECK(root->own("version") == "1.1");
    CHECK(root->own("viewBox") == "0 0 100 50.13");
    CHECK(root->title() == "A <b> & \"c\"");
    const auto rects = all_named(*root, "rect");
    REQUIRE(rects.size() == 2);
    CHECK(rects[0]->own("fill") == "#ff0000");
    CHECK(rects[1]->own("x") == "0.33");
    CHECK(rects[1]->own("y") == "-2");
    CHECK(rects[1]->own("rx") == "2");
    CHECK(rects[1]->own("fill") == "#0080ff");
    CHECK(rects[1]->title() == "head 1 · a → b: 0.1234");
}

TEST_CASE("a transparent figure has no ground", "[svg]") {
    Figure figure = small_figure();
    figure.ground.reset();
    CHECK(all_named(*read_xml(figure_as_svg(figure)), "rect").size() == 1);
}

TEST_CASE("any text becomes valid XML", "[svg][bad-input]") {
    const auto [text, written] = GENERATE(table<std::string, std::string>({
        {"<script>alert(1)</script>", "<script>alert(1)</script>"},
        {"a & b ]]> \"c\" 'd'", "a & b ]]> \"c\" 'd'"},
        {std::string("nul \0 bell \a esc \x1b end", 22), "nul \xEF\xBF\xBD bell \xEF\xBF\xBD esc \xEF\xBF\xBD end"},
        {"tab\tline\nreturn\r", "tab line return "},
        {"C1 \xC2\x9B next \xC2\x85", "C1 \xEF\xBF\xBD next  "},
        {"no characters \xEF\xBF\xBE \xEF\xBF\xBF \xEF\xB7\x90", "no characters   "},
        {"broken \xC3", "broken \xEF\xBF\xBD"},
        {"العربية 注意 👩‍👩‍👧‍👦", "العربية 注意 👩‍👩‍👧‍👦"},
        {"turned \u202e \u2067 apart \u2068a\u2069", "turned <U+202e> <U+2067> apart \u2068a\u2069"},
        {"two  blanks", "two  blanks"},
    }));
    Figure figure;
    figure.width = figure.height = 10;
    figure.title = figure.description = text;
    figure.elements.emplace_back(FigureText{.at = {1, 2}, .text = text});
    FigureRect rect{.width = 1, .height = 1};
    rect.tip = text;
    figure.elements.emplace_back(rect);
    const auto root = read_xml(figure_as_svg(figure));
    const auto texts = all_named(*root, "text");
    REQUIRE(texts.size() == 1);
    CHECK(texts[0]->text == written);
    CHECK((texts[0]->own("xml:space") == "preserve") ==
          (written.find("  ") != std::string::npos || written.back() == ' '));
    CHECK(root->title() == written);
    CHECK(all_named(*root, "rect")[0]->title() == written);
    CHECK(all_named(*root, "script").empty());
    CHECK(nlohmann::json::parse(elements_as_json(figure.elements))[0]["text"] == written);
}

TEST_CASE("elements with the same attributes share a group, and none changes another's look", "[svg]") {
    Figure figure = small_figure();
    figure.elements.clear();
    for (const double size : {12.0, 12.0, 9.0, 12.0}) {
        figure.elements.emplace_back(FigureText{.text = "x", .size = size, .ink = {0, 0, 0}});
    }
    const auto root = read_xml(figure_as_svg(figure));
    CHECK(all_named(*root, "g").size() == 1);
    const auto texts = all_named(*root, "text");
    REQUIRE(texts.size() == 4);
    CHECK(texts[0]->inherited("font-size") == "12");
    CHECK(texts[1]->inherited("font-size") == "12");
    CHECK(texts[2]->inherited("font-size") == "9");
    CHECK(texts[3]->inherited("font-size") == "12");
}

TEST_CASE("paths are written in absolute commands", "[svg]") {
    FigurePath path;
    path.pieces = {{.step = FigureStep::move, .to = {1, 2}},
                   {.step = FigureStep::line, .to = {5, 2}},
                   {.step = FigureStep::line, .to = {5, -1.5}},
                   {.step = FigureStep::line, .to = {7, 3}},
                   {.step = FigureStep::curve, .to = {9, 9}, .a = {1, 1}, .b = {2, 0.125}},
                   {.step = FigureStep::close},
                   {.step = FigureStep::box, .to = {-1, 2}, .a = {3.5, 4}}};
    path.look.line = Rgb{0, 0, 0};
    path.look.line_width = 1.5;
    path.look.dashes = {4, 3};
    path.look.opacity = 0.5;
    Figure figure = small_figure();
    figure.elements = {path};
    const auto root = read_xml(figure_as_svg(figure));
    const XmlElement& written = *all_named(*root, "path").at(0);
    CHECK(written.own("d") == "M1 2H5V-1.5L7 3C1 1 2 0.13 9 9ZM-1 2H3.5V4H-1Z");
    CHECK(written.inherited("fill") == "none");
    CHECK(written.inherited("stroke") == "#000000");
    CHECK(written.inherited("stroke-width") == "1.5");
    CHECK(written.inherited("stroke-dasharray") == "4 3");
    CHECK(written.inherited("stroke-opacity") == "0.5");
}

TEST_CASE("an anchor is an end of the line on the page, also where words run from right to left", "[svg]") {
    const auto [text, anchor, written] = GENERATE(table<std::string, FigureAnchor, std::string>({
        {"left", FigureAnchor::start, ""},
        {"right", FigureAnchor::end, "end"},
        {"“שלום", FigureAnchor::start, "end"},
        {"العربية", FigureAnchor::end, ""},
        {"العربية", FigureAnchor::middle, "middle"},
        {"abc العربية", FigureAnchor::start, ""},
    }));
    Figure figure = small_figure();
    figure.elements = {FigureText{.text = text, .anchor = anchor}};
    const auto root = read_xml(figure_as_svg(figure));
    CHECK(all_named(*root, "text").at(0)->inherited("text-anchor") == written);
}

}  // namespace
}  // namespace attn
