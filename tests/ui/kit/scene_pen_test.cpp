// The screen's pen: shapes stand where the scene has them, and a scene is laid out only when it must be.
#include "ui/kit/scene_pen.h"

#include <catch_amalgamated.hpp>
#include <cmath>

#include "ui/headless_imgui.h"

using namespace attn;
using namespace attn::testing;

namespace {

constexpr ImVec2 kCorner = {100, 50};

struct PenDrawing {
    ImVec2 min = {1e9F, 1e9F}, max = {-1e9F, -1e9F};  // of all corners, from kCorner on
    int num_corners = 0;
    std::string tip;
};

PenDrawing drawn_by_pen(const FigureBlock& scene, ImVec2 pointer = {-1, -1}, ImVec2 at = kCorner) {
    PenDrawing drawing;
    HeadlessImgui imgui;
    const Fonts fonts = load_fonts({});
    ImGui::GetIO().AddMousePosEvent(pointer.x, pointer.y);
    imgui.frame([&] {
        ImGui::SetNextWindowPos({0, 0});
        ImGui::SetNextWindowSize({800, 600});
        ImGui::Begin("scene", nullptr, ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoBackground);
        ImGui::GetWindowDrawList()->Flags = 0;  // no edges that fade over a pixel
        const int before = ImGui::GetWindowDrawList()->VtxBuffer.Size;
        drawing.tip = std::string(draw_shapes(fonts, scene, at));
        const ImVector<ImDrawVert>& corners = ImGui::GetWindowDrawList()->VtxBuffer;
        drawing.num_corners = corners.Size - before;
        for (int k = before; k < corners.Size; ++k) {
            drawing.min = {std::min(drawing.min.x, corners[k].pos.x - kCorner.x),
                           std::min(drawing.min.y, corners[k].pos.y - kCorner.y)};
            drawing.max = {std::max(drawing.max.x, corners[k].pos.x - kCorner.x),
                           std::max(drawing.max.y, corners[k].pos.y - kCorner.y)};
        }
        ImGui::End();
    });
    return drawing;
}

void check_bounds(const PenDrawing& drawing, ImVec2 min, ImVec2 max) {
    CHECK(std::abs(drawing.min.x - min.x) < 0.6F);
    CHECK(std::abs(drawing.min.y - min.y) < 0.6F);
    CHECK(std::abs(drawing.max.x - max.x) < 0.6F);
    CHECK(std::abs(drawing.max.y - max.y) < 0.6F);
}

FigurePath path_of(std::vector<FigurePiece> pieces, FigureLook look) {
    return {.pieces = std::move(pieces), .look = std::move(look)};
}

TEST_CASE("shapes stand on the screen where the scene has them", "[scene-pen]") {
    const Rgb ink = {0.5F, 0.5F, 0.5F};
    SECTION("a rectangle") {
        FigureBlock scene;
        draw_rect(scene, {10, 20}, 30, 5, ink);
        check_bounds(drawn_by_pen(scene), {10, 20}, {40, 25});
    }
    SECTION("a disc") {
        FigureBlock scene;
        draw_circle(scene, {40, 40}, 10, {.fill = ink});
        check_bounds(drawn_by_pen(scene), {30, 30}, {50, 50});
    }
    SECTION("a block that was put on another one") {
        FigureBlock inner;
        draw_rect(inner, {1, 2}, 3, 4, ink);
        FigureBlock scene;
        place_block(scene, std::move(inner), {100, 200});
        check_bounds(drawn_by_pen(scene), {101, 202}, {104, 206});
    }
    SECTION("a closed path") {
        FigureBlock scene;
        scene.elements.emplace_back(path_of({{.step = FigureStep::move, .to = {0, 10}},
                                             {.step = FigureStep::line, .to = {10, 0}},
                                             {.step = FigureStep::line, .to = {20, 10}},
                                             {.step = FigureStep::close}},
                                            {.fill = ink}));
        check_bounds(drawn_by_pen(scene), {0, 0}, {20, 10});
    }
    SECTION("two boxes and a curve in one path") {
        FigureBlock scene;
        scene.elements.emplace_back(path_of({{.step = FigureStep::box, .to = {0, 0}, .a = {5, 5}},
                                             {.step = FigureStep::box, .to = {10, 0}, .a = {15, 5}},
                                             {.step = FigureStep::move, .to = {20, 20}},
                                             {.step = FigureStep::curve, .to = {40, 20}, .a = {20, 40}, .b = {40, 40}}},
                                            {.line = ink, .line_width = 1}));
        check_bounds(drawn_by_pen(scene), {-0.5F, -0.5F}, {40.5F, 35});
    }
}

TEST_CASE("dashes leave gaps, and the last one ends with its line", "[scene-pen]") {
    FigureBlock scene;
    draw_line(scene, {0, 10}, {50, 10}, {}, 1, {4, 4});
    const PenDrawing drawing = drawn_by_pen(scene);
    CHECK(drawing.num_corners == 7 * 4);  // from 0, 8, ... 48
    check_bounds(drawing, {0, 9.5F}, {50, 10.5F});
}

TEST_CASE("text stands at its anchor, and turns around it", "[scene-pen]") {
    const auto text = [](FigureAnchor anchor, double turn) {
        FigureBlock scene;
        scene.elements.emplace_back(
            FigureText{.at = {200, 200}, .text = "HHHHHHHH", .size = 20, .anchor = anchor, .turn = turn});
        return drawn_by_pen(scene);
    };
    const PenDrawing start = text(FigureAnchor::start, 0);
    const float width = start.max.x - start.min.x;
    CHECK(width > 80);
    CHECK(std::abs(start.min.x - 200) < 4);
    CHECK(std::abs(start.max.y - 200) < 2);  // on the baseline
    CHECK(std::abs(text(FigureAnchor::end, 0).max.x - 200) < 4);
    CHECK(std::abs(text(FigureAnchor::middle, 0).min.x - (200 - width / 2)) < 4);
    const PenDrawing down = text(FigureAnchor::start, 90);
    CHECK(std::abs(down.max.y - (200 + width)) < 4);
    CHECK(std::abs(down.min.x - 200) < 2);
}

TEST_CASE("what is out of sight is not drawn", "[scene-pen]") {
    FigureBlock scene;
    draw_rect(scene, {0, 0}, 30, 5, {});
    draw_text(scene, {0, 40}, "text", {.ink = {}});
    CHECK(drawn_by_pen(scene).num_corners > 0);
    CHECK(drawn_by_pen(scene, {-1, -1}, {0, 900}).num_corners == 0);
}

TEST_CASE("the pointer is told the tip of the topmost shape, and small ones are easy to hit", "[scene-pen]") {
    FigureBlock scene;
    scene.elements.emplace_back(FigureRect{.at = {0, 0}, .width = 100, .height = 100, .look = {}, .tip = "large"});
    scene.elements.emplace_back(FigureRect{.at = {50, 50}, .width = 2, .height = 2, .look = {}, .tip = "small"});
    const auto tip_at = [&](float x, float y) { return drawn_by_pen(scene, {kCorner.x + x, kCorner.y + y}).tip; };
    CHECK(tip_at(20, 20) == "large");
    CHECK(tip_at(51, 51) == "small");
    CHECK(tip_at(54, 48) == "small");
    CHECK(tip_at(120, 20).empty());
}

TEST_CASE("a scene is laid out again when its key or its colours change, and only then", "[scene-pen]") {
    HeadlessImgui imgui;
    const Fonts fonts = load_fonts({});
    int num_layouts = 0;
    KeptScene<int> kept;
    const auto show = [&](int key, bool is_dark) {
        imgui.frame([&] {
            kept.at(fonts, is_dark, key, [&](const SceneStyle& style) {
                CHECK(style.colors.is_dark == is_dark);
                CHECK(style.width("ii", 12) < style.width("WW", 12));
                ++num_layouts;
                return FigureBlock();
            });
        });
        return num_layouts;
    };
    CHECK(show(1, false) == 1);
    CHECK(show(1, false) == 1);
    CHECK(show(2, false) == 2);
    CHECK(show(2, true) == 3);
    CHECK(show(2, true) == 3);
}

}  // namespace
