#include "scene/pens/figure_json.h"

#include <catch_amalgamated.hpp>
#include <nlohmann/json.hpp>

namespace attn {
namespace {

TEST_CASE("JSON has every element, and leaves out what has its default", "[figure]") {
    std::vector<FigureElement> elements;
    FigureRect rect{.at = {1.0 / 3, -2}, .width = 10, .height = 20, .corner = 2, .tip = "not drawn"};
    rect.look.fill = Rgb{0, 0.5F, 1};
    elements.emplace_back(rect);
    elements.emplace_back(FigureText{
        .at = {1, 2}, .text = "x", .size = 9, .font = FigureFont::mono, .anchor = FigureAnchor::end, .turn = -55});
    CHECK(nlohmann::json::parse(elements_as_json(elements)) == nlohmann::json::parse(R"([
            {"kind": "rect", "x": 0.333, "y": -2, "width": 10, "height": 20, "corner": 2, "fill": "#0080ff"},
            {"kind": "text", "x": 1, "y": 2, "text": "x", "size": 9, "font": "mono", "anchor": "end", "ink": "#000000",
             "turn": -55}])"));
    CHECK(nlohmann::json::parse(elements_as_json({})) == nlohmann::json::array());
}

}  // namespace
}  // namespace attn
