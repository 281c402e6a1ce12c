// Blocks put together: what lies where, and on top of what.
#include <catch_amalgamated.hpp>

#include "scene/kit/figure_parts.h"

namespace attn {
namespace {

std::string names_of(const std::vector<FigureElement>& elements) {
    std::string names;
    for (const FigureElement& element : elements) names += std::get<FigureText>(element).text;
    return names;
}

FigureBlock letter(std::string_view name, double size) {
    FigureBlock block{.width = size, .height = size};
    draw_text(block, {1, 2}, name, {.ink = {}});
    return block;
}

TEST_CASE("blocks on blocks lie where the sum of their places says, in the order they came", "[figure]") {
    FigureBlock inner = letter("a", 10);
    place_block(inner, letter("b", 10), {20, 0});
    draw_text(inner, {5, 5}, "c", {.ink = {}});

    FigureBlock outer = letter("d", 10);
    place_block(outer, std::move(inner), {100, 200});
    draw_text(outer, {0, 0}, "e", {.ink = {}});
    CHECK(outer.width == 130);
    CHECK(outer.height == 210);

    const std::vector<FigureElement> elements = elements_of(std::move(outer));
    CHECK(names_of(elements) == "dabce");
    const auto at = [&](std::size_t k) { return std::get<FigureText>(elements[k]).at; };
    CHECK(at(0) == FigurePoint{1, 2});
    CHECK(at(1) == FigurePoint{101, 202});
    CHECK(at(2) == FigurePoint{121, 202});
    CHECK(at(3) == FigurePoint{105, 205});
    CHECK(at(4) == FigurePoint{0, 0});
}

TEST_CASE("rectangles and every point of a path move with their block", "[figure]") {
    FigureBlock block;
    draw_rect(block, {1, 2}, 3, 4, {});
    FigurePath path;
    path.pieces = {{.step = FigureStep::move, .to = {1, 1}},
                   {.step = FigureStep::curve, .to = {2, 2}, .a = {3, 3}, .b = {4, 4}},
                   {.step = FigureStep::box, .to = {5, 5}, .a = {6, 6}}};
    block.elements.emplace_back(std::move(path));
    FigureBlock sheet;
    place_block(sheet, std::move(block), {10, 20});

    const std::vector<FigureElement> elements = elements_of(std::move(sheet));
    REQUIRE(elements.size() == 2);
    const auto& rect = std::get<FigureRect>(elements[0]);
    CHECK(rect.at == FigurePoint{11, 22});
    CHECK(rect.width == 3);
    const auto& pieces = std::get<FigurePath>(elements[1]).pieces;
    CHECK(pieces[1].to == FigurePoint{12, 22});
    CHECK(pieces[1].a == FigurePoint{13, 23});
    CHECK(pieces[1].b == FigurePoint{14, 24});
    CHECK(pieces[2].to == FigurePoint{15, 25});
    CHECK(pieces[2].a == FigurePoint{16, 26});
}

TEST_CASE("a block is empty until something was drawn or put on it", "[figure]") {
    FigureBlock block;
    CHECK(block.empty());
    place_block(block, {}, {7, 7});
    CHECK(block.empty());
    place_block(block, letter("a", 10), {});
    CHECK_FALSE(block.empty());
    CHECK(elements_of({}).empty());
}

}  // namespace
}  // namespace attn
