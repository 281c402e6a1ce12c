// Scenes as the screen lays them out: at any width, with a ruler that is not the paper's, nothing sticks out, no text
// lies on another, and the places are where the screen will put its fields.
#include <catch_amalgamated.hpp>
#include <cmath>
#include <map>

#include "core/ground/check.h"
#include "playground/link/state_url.h"
#include "views/cost/cost_scene.h"
#include "views/dots/dots_scene.h"
#include "views/learn/curve_scene.h"
#include "views/learn/next_words_scene.h"
#include "views/learn/strip_scene.h"
#include "views/lines/lines_scene.h"
#include "views/softmax/softmax_scene.h"
#include "views/split/split_scene.h"
#include "views/stacked/stacked_scene.h"
#include "views/vectors/vectors_scene.h"

namespace attn {
namespace {

// Every letter is 0.6 em wide: wider than the paper's.
class WideRuler final : public TextRuler {
    double width(std::string_view text, double size, FigureFont) const override {
        double letters = 0;
        for (const char byte : text) letters += (static_cast<unsigned char>(byte) & 0xC0U) != 0x80U ? 1 : 0;
        return letters * size * 0.6;
    }
};

FigureBox box_of(const FigureText& text, const TextRuler& ruler) {
    const double width = ruler.width(text.text, text.size, text.font);
    const double share = text.anchor == FigureAnchor::start ? 0 : text.anchor == FigureAnchor::end ? 1 : 0.5;
    const double left = text.at.x - share * width;
    return {left, text.at.y - 0.7 * text.size, left + width, text.at.y};
}

bool overlap(const FigureBox& a, const FigureBox& b) {
    constexpr double kTouching = 0.5;
    return std::min(a.right, b.right) - std::max(a.left, b.left) > kTouching &&
           std::min(a.bottom, b.bottom) - std::max(a.top, b.top) > kTouching;
}

void check_texts(const FigureBlock& scene, double width, const TextRuler& ruler) {
    std::vector<FigureBox> boxes;
    for (const FigureElement& element : elements_of(scene)) {
        const auto* text = std::get_if<FigureText>(&element);
        if (text == nullptr) continue;
        CAPTURE(text->text);
        const FigureBox box = box_of(*text, ruler);
        CHECK(box.left > -0.5);
        CHECK(box.right < width + 0.5);
        CHECK(box.top > -0.5);
        CHECK(box.bottom < scene.height + 0.5);
        for (const FigureBox& other : boxes) CHECK_FALSE(overlap(box, other));
        boxes.push_back(box);
    }
    CHECK(boxes.size() > 10);
}

const WideRuler kRuler;

SceneStyle wide_style() {
    return {.colors = figure_colors(false),
            .ruler = &kRuler,
            .heading = 13,
            .body = 13,
            .small = 11.5,
            .mono = 11.5,
            .tick = 9,
            .line_em = 1.3};
}

TEST_CASE("the cost fits any width, with its layouts beside or under each other", "[scenes]") {
    const double width = GENERATE(300.0, 420.0, 700.0, 1200.0);
    CAPTURE(width);
    const std::string link = GENERATE("heads=4&d_out=8", "text=one&heads=1&out=0", "init=none");
    const PlaygroundState state = read_link(link).state;
    Evaluator evaluator;
    evaluator.update(state);
    const FigureBlock scene = cost_scene(wide_style(), cost_of(state.inputs, evaluator.shown().sizes), width);
    check_texts(scene, width, kRuler);
}

TEST_CASE("a softmax fits any width, with a place for every number and its field", "[scenes]") {
    const SoftmaxLayout layout =
        GENERATE(SoftmaxLayout{.width = 320, .row = 40, .number = 72, .is_stacked = true, .prints_numbers = false},
                 SoftmaxLayout{.width = 700, .row = 30, .prints_numbers = false}, SoftmaxLayout{.width = 1000});
    const View view = read_link("view=softmax&gain=4&vector=1,-2,3.5,0").state.view;
    const int lit = GENERATE(0, 3);
    const FigureBlock scene = softmax_scene(wide_style(), view, layout, lit);
    check_texts(scene, layout.width, kRuler);
    REQUIRE(scene.places.size() == 2 * view.vector.size());
    for (std::size_t i = 0; i < view.vector.size(); ++i) {
        const ScenePlace& row = scene.places[2 * i];
        const ScenePlace& field = scene.places[2 * i + 1];
        CHECK(row.name == concat("softmax=", i));
        CHECK(field.name == concat("x=", i));
        CHECK(field.box.right - field.box.left == layout.number);
        CHECK(field.box.left > row.box.left);
        CHECK(field.box.right < row.box.right);
        CHECK(field.box.top >= row.box.top);
        CHECK(field.box.bottom <= row.box.bottom);
        if (i > 0) CHECK(row.box.top >= scene.places[2 * i - 2].box.bottom);
        for (const FigureElement& element : elements_of(scene)) {
            const auto* text = std::get_if<FigureText>(&element);
            if (text == nullptr || layout.prints_numbers) continue;
            CHECK_FALSE(overlap(box_of(*text, kRuler), field.box));
        }
    }
}

TEST_CASE("stacked heads leave room for every matrix, in the order of their numbers", "[scenes]") {
    const StackedLayout layout =
        GENERATE(StackedLayout{}, StackedLayout{.width = 320, .highest = 260, .cell = FigurePoint{40, 22}},
                 StackedLayout{.width = 900, .highest = 260, .smallest = 0, .cell = FigurePoint{40, 22}});
    const std::string link = GENERATE("heads=4&d_out=8", "text=one&heads=1&d_out=1", "heads=2&d_out=64");
    CAPTURE(layout.width, link);
    const PlaygroundState state = read_link(link).state;
    Evaluator evaluator;
    evaluator.update(state);
    const Sizes& sizes = evaluator.shown().sizes;
    const StackedPicture picture = stacked_picture(evaluator.shown());
    std::vector<const HeadBlock*> drawn;
    const FigureBlock scene =
        stacked_scene(wide_style(), picture, sizes, layout, [](const HeadBlock&, const MapGrid& grid) {
            FigureBlock cells;
            cells.width = grid.width();
            cells.height = kStackedBand + grid.height();
            return cells;
        });
    for (const auto& blocks : picture.singles) {
        for (const HeadBlock& block : blocks) drawn.push_back(&block);
    }
    for (const HeadBlock& block : picture.whole) drawn.push_back(&block);
    drawn.push_back(&picture.difference);
    REQUIRE(scene.places.size() == drawn.size());
    for (std::size_t k = 0; k < drawn.size(); ++k) {
        const ScenePlace& place = scene.places[k];
        CHECK(place.name == drawn[k]->name);
        const double cell_width = (place.box.right - place.box.left) / length(drawn[k]->values, 1);
        const double cell_height = (place.box.bottom - place.box.top) / length(drawn[k]->values, 0);
        CHECK(cell_width >= layout.smallest);
        CHECK(cell_width <= (layout.cell ? layout.cell->x : 40) + 1e-9);
        CHECK(cell_height <= (layout.cell ? layout.cell->y : 40) + 1e-9);
        CHECK(place.box.bottom - place.box.top <= layout.highest + 0.5);
        CHECK(place.box.bottom <= scene.height);
        for (std::size_t other = 0; other < k; ++other) CHECK_FALSE(overlap(place.box, scene.places[other].box));
    }
}

TEST_CASE("vectors have a place for every arrow, on one scale, in any room", "[scenes]") {
    const std::string link = GENERATE("heads=2&d_out=4", "heads=1&d_out=1", "heads=2&d_out=12&plane=principal");
    const VectorsLayout layout =
        GENERATE(VectorsLayout{}, VectorsLayout{.width = 300, .height = 220, .shown_key = 2, .pointed_token = 1});
    CAPTURE(link, layout.width);
    const PlaygroundState state = read_link("view=vectors&" + link).state;
    Evaluator evaluator;
    evaluator.update(state);
    const VectorChoice choice = vector_choice(evaluator.shown(), state.view);
    const HeadPlanes planes = head_planes(evaluator.shown(), choice.head, state.view.plane);
    const VectorPlane plane = make_vector_plane(evaluator.shown(), choice, planes);
    const VectorsDrawn drawn = {.evaluation = evaluator.shown(), .planes = planes, .plane = plane};
    const FigureBlock keys = keys_scene(wide_style(), drawn, layout);
    const FigureBlock chain = chain_scene(wide_style(), drawn, layout);
    REQUIRE(keys.places.size() == 2 * plane.drawn.size());
    REQUIRE(chain.places.size() == plane.chain.size() + 1);
    for (const FigureBlock* scene : {&keys, &chain}) {
        CHECK(scene->height > layout.height);  // the heading
        for (const ScenePlace& place : scene->places) {
            CAPTURE(place.name);
            CHECK(place.box.left >= 0);
            CHECK(place.box.right <= layout.width);
            CHECK(place.box.top >= scene->height - layout.height);
            CHECK(place.box.bottom <= scene->height);
        }
    }
    const auto find_place = [&](const std::string& name) {
        for (const ScenePlace& place : keys.places) {
            if (place.name == name) return place.box;
        }
        FAIL("no place " << name);
        return FigureBox{};
    };
    const auto length_of = [](const FigureBox& arrow) { return arrow.right - arrow.left; };
    const FigureBox first = find_place(concat("key arrow=", plane.drawn[0]));
    for (std::size_t k = 0; k < plane.drawn.size(); ++k) {
        const FigureBox arrow = find_place(concat("key arrow=", plane.drawn[k]));
        CHECK(std::abs(length_of(arrow) * plane.keys[0].x - length_of(first) * plane.keys[k].x) < 1e-6);
    }
    CHECK(chain.places.back().name == "context arrow");
}

TEST_CASE("what is lit stands out of the vectors", "[scenes]") {
    const PlaygroundState state = read_link("view=vectors&heads=2&d_out=4").state;
    Evaluator evaluator;
    evaluator.update(state);
    const VectorChoice choice = vector_choice(evaluator.shown(), state.view);
    const HeadPlanes planes = head_planes(evaluator.shown(), choice.head, state.view.plane);
    const VectorPlane plane = make_vector_plane(evaluator.shown(), choice, planes);
    const VectorsDrawn drawn = {.evaluation = evaluator.shown(), .planes = planes, .plane = plane};
    const SceneStyle style = wide_style();
    // Triangles of this ink; the angle has no triangle.
    const auto num_arrows = [&](const VectorsLayout& layout, Rgb ink) {
        int count = 0;
        for (const FigureElement& element : elements_of(keys_scene(style, drawn, layout))) {
            const auto* path = std::get_if<FigurePath>(&element);
            if (path == nullptr || path->pieces.size() != 4) continue;
            count += path->look.line == ink || path->look.fill == ink ? 1 : 0;
        }
        return count;
    };
    const Rgb head = style.head(choice.head);
    CHECK(num_arrows({}, style.colors.ink) == 0);
    CHECK(num_arrows({}, head) == 1);  // the chosen query
    CHECK(num_arrows({.shown_key = 2}, style.colors.ink) == 1);
    CHECK(num_arrows({.shown_key = 2, .pointed_token = 1}, style.colors.ink) == 2);
    CHECK(num_arrows({.shown_key = 2, .pointed_token = 1}, head) == 2);
}

TEST_CASE("the plots of the dot products fit any width", "[scenes]") {
    const double width = GENERATE(300.0, 559.0, 560.0, 1000.0);
    CAPTURE(width);
    DotExperiment pairs(200, 7, 100);
    pairs.draw(200);
    check_texts(variance_scene(wide_style(), pairs, width, 200), width, kRuler);
    check_texts(histograms_scene(wide_style(), pairs, width), width, kRuler);
}

TEST_CASE("curve, strip and next words fit any width, with a place for the curve", "[scenes]") {
    const double width = GENERATE(328.0, 560.0, 820.0);
    const std::string link = GENERATE("goal=pattern&target=1:10>1,10>7&optimizer=adam&rate=0.05&steps=150",
                                      "goal=next&d_out=8&optimizer=adam&rate=0.05&steps=3",
                                      "goal=pattern&target=1:10>1&optimizer=adam&rate=0.1&steps=400");
    CAPTURE(width, link);
    const PlaygroundState state = read_link("view=learn&" + link).state;
    Evaluator evaluator;
    const Evaluation& shown = evaluator.update(state);
    const LossCurve curve = loss_curve(state.inputs, shown);
    const std::string bound = curve.bound > 0 ? bound_in_numbers(shown) : "";
    const FigureBlock scene = curve_scene(wide_style(), curve, bound, width, 200, curve.step / 2);
    CHECK(scene.width <= width);
    for (const FigureElement& element : elements_of(scene)) {
        const auto* text = std::get_if<FigureText>(&element);
        if (text == nullptr) continue;
        CAPTURE(text->text);
        CHECK(box_of(*text, kRuler).right < width + 0.5);
    }
    REQUIRE(scene.places.size() == 1);
    const FigureBox& place = scene.places.front().box;
    CHECK(place.bottom <= scene.height);
    CHECK(step_at(curve, place, place.left) == 0);
    CHECK(step_at(curve, place, place.right) == curve.step);
    CHECK(step_at(curve, place, place.right + 100) == curve.step);
    CHECK(step_at(curve, place, (place.left + place.right) / 2) == (curve.step + 1) / 2);

    EarlierWeights earlier;
    want_strip(earlier, state, shown);
    const FilmStrip half = film_strip(earlier, state, shown, std::nullopt);
    while (!earlier.advance(1'000'000)) continue;
    const FilmStrip strip = film_strip(earlier, state, shown, std::nullopt);
    const FigureBlock maps = strip_scene(wide_style(), strip, shown, width, true);
    check_texts(maps, width, kRuler);
    // Maps that come later find their room: nothing moves.
    const FigureBlock without = strip_scene(wide_style(), half, shown, width, true);
    CHECK(without.width == maps.width);
    CHECK(without.height == maps.height);
    CHECK(maps.width <= width);
    if (state.inputs.goal != GoalKind::next) return;
    const FigureBlock next = next_words_scene(wide_style(), next_words(shown), width, true);
    CHECK(next.width <= std::max(width, 440.0));  // ten words in cells that hold two digits
    for (const FigureElement& element : elements_of(next)) {
        const auto* rect = std::get_if<FigureRect>(&element);
        if (rect != nullptr) CHECK(rect->at.x + rect->width <= next.width);
    }
}

TEST_CASE("the small curve ends at the shown loss, and where the scrubber does the whole of it", "[scenes]") {
    const std::vector<double> losses = {4, 2, 1, 3};
    const int range = GENERATE(2, 3, 6);
    CAPTURE(range);
    const FigureBlock scene = small_curve(wide_style(), {.losses = losses, .step = 3, .bound = 0.5}, range, 170, 70);
    std::vector<FigurePath> lines;
    for (const FigureElement& element : elements_of(scene)) {
        CHECK_FALSE(std::holds_alternative<FigureText>(element));
        const auto* path = std::get_if<FigurePath>(&element);
        if (path != nullptr && path->look.line == wide_style().colors.accent) lines.push_back(*path);
    }
    REQUIRE(lines.size() == 1);
    const std::vector<FigurePiece>& pieces = lines.front().pieces;
    REQUIRE(pieces.size() == std::min<std::size_t>(losses.size(), static_cast<std::size_t>(range) + 1));
    CHECK((pieces.back().to.x > 160) == (range <= 3));
    for (const FigurePiece& piece : pieces) CHECK((piece.to.x >= 0 && piece.to.x <= 170 && piece.to.y <= 70));
    CHECK(pieces[1].to.y > pieces[0].to.y);  // a smaller loss stands lower
}

TEST_CASE("a split fits any width, at a shape and on the way to the next one", "[scenes]") {
    const double width = GENERATE(300.0, 700.0, 1200.0);
    const std::string link = GENERATE("heads=4&d_out=8", "text=one+two&heads=2&d_out=6", "d_out=8&heads=1");
    const PlaygroundState state = read_link(link).state;
    Evaluator evaluator;
    const Evaluation& evaluation = evaluator.update(state);
    const Blanks blanks;
    const SplitDrawn drawn = {.evaluation = evaluation,
                              .blanks = blanks,
                              .tensor = TensorId::queries,
                              .phases = split_phases(TensorId::queries, 1, evaluation),
                              .sizes = cut_for(evaluation.sizes).of(evaluation.sizes)};
    const SplitLayout layout = {.width = width, .height = 300};
    const auto count = static_cast<std::size_t>(drawn.sizes.num_tokens) * static_cast<std::size_t>(drawn.sizes.d_out);
    for (int shape = 0; shape < kNumPhases; ++shape) {
        CAPTURE(width, link, shape);
        const FigureBlock at_rest = split_scene(wide_style(), drawn, layout, {.from = shape, .to = shape});
        CHECK(at_rest.width <= std::max(width, 300.0) + 20);
        check_texts(at_rest, std::max(width, at_rest.width), kRuler);
        if (shape == 0) continue;
        const SplitWay way = {.from = shape - 1, .to = shape, .progress = 0.25};
        std::size_t num_cells = 0;
        for (const FigureElement& element : elements_of(split_scene(wide_style(), drawn, layout, way))) {
            const auto* cell = std::get_if<FigureRect>(&element);
            if (cell == nullptr) continue;
            ++num_cells;
            CHECK(cell->tip.empty());  // what moves cannot be pointed at
        }
        CHECK(num_cells > count);  // all of them, and those in memory
    }
}

// Notes what it is to draw.
class NotingPen final : public LinesPen {
public:
    std::map<float, double> widths, opacities;  // of strokes, by their weight
    std::vector<std::string> texts;
    std::vector<std::pair<int, int>> weights;  // query and key
    std::vector<FigureBox> boxes;              // of weights
    std::vector<Rgb> targets;                  // their colours
    int num_dots = 0;

    void stroke(FigurePoint, FigurePoint, const AttentionLine& line, Rgb, double width, double opacity) override {
        widths[line.weight] = width;
        opacities[line.weight] = opacity;
    }
    void dot(FigurePoint, double, Rgb) override { ++num_dots; }
    void fill(const FigureBox&, Rgb, double) override {}
    void frame(const FigureBox&, Rgb, double, double, bool) override {}
    void check_mark(FigurePoint, double, Rgb) override {}
    void target(FigurePoint, FigurePoint, Rgb color) override { targets.push_back(color); }
    void text(FigurePoint, std::string_view text, const TextLook&, double) override { texts.emplace_back(text); }
    void weights_stand_in(int query, int key, const FigureBox& box) override {
        weights.emplace_back(query, key);
        boxes.push_back(box);
    }
};

TEST_CASE("lines of larger weights are wider and stronger, and a token's weights stand at their other ends",
          "[scenes]") {
    const PlaygroundState state = read_link("text=a+b+c+d+e&heads=2&target=2:3>1,3>2&target=1:3>2,4>4").state;
    Evaluator evaluator;
    const ShownWeights weights(evaluator.update(state), TensorId::weights, Combine::none);
    const std::vector<DrawnTarget> targets = drawn_targets(state);
    const LinesLayout layout = {.label = 60, .span = 500};
    const LineEnd pointed_at = GENERATE(LineEnd(), LineEnd{3, {}}, LineEnd{{}, 3});
    const LineChoice choice = choose_lines(state.view, weights, 0, 5, pointed_at);
    const LineSet lines = strongest_lines(weights, choice, kMostLines);
    NotingPen pen;
    draw_lines_scene(pen, wide_style(),
                     {.view = state.view,
                      .weights = weights,
                      .heads = choice.heads,
                      .choice = choice,
                      .lines = lines,
                      .targets = targets,
                      .end = 4,  // the last is out of sight
                      .pointed_at = pointed_at},
                     layout);
    CHECK(pen.num_dots == 8);
    // 3 to 1 is head 2's alone, 3 to 2 both heads'; 4 to 4 is out of sight.
    REQUIRE(pen.targets.size() == 2);
    CHECK(pen.targets[0] == wide_style().head(1));
    CHECK(pen.targets[1] == wide_style().colors.ink);
    CHECK(std::find(pen.texts.begin(), pen.texts.end(), "e") == pen.texts.end());
    REQUIRE(pen.widths.size() > 1);
    for (const std::map<float, double>& sizes : {pen.widths, pen.opacities}) {
        double before = 0;
        for (const auto& [weight, size] : sizes) {
            CHECK(size > before);
            before = size;
        }
    }
    const std::vector<std::pair<int, int>> of_query = {{3, 0}, {3, 1}, {3, 2}, {3, 3}};
    const std::vector<std::pair<int, int>> of_key = {{3, 3}};
    const std::vector<std::pair<int, int>> none;
    CHECK(pen.weights == (pointed_at.query ? of_query : pointed_at.key ? of_key : none));
    for (const FigureBox& box : pen.boxes) {
        CHECK(box.left > layout.query_dot(0).x);
        CHECK(box.right < layout.key_dot(0).x);
    }
}

}  // namespace
}  // namespace attn
