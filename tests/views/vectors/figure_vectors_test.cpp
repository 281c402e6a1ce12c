// The vectors view as a figure: arrows as long as the vectors, with their numbers.
#include <cmath>

#include "core/ground/check.h"
#include "playground/numbers/stage_labels.h"
#include "playground/text/format.h"
#include "views/figure_reading.h"
#include "views/vectors/vector_plane.h"

namespace attn {
namespace {

using test::Drawn;

const std::string kVectors = "view=vectors&text=one+two+three+four&pos=none&";

VectorPlane plane_of(const Drawn& drawn) {
    const View& view = drawn.state.view;
    const VectorChoice choice = vector_choice(drawn.evaluation(), view);
    return make_vector_plane(drawn.evaluation(), choice, head_planes(drawn.evaluation(), choice.head, view.plane));
}

// Where the arrow with this tip ends: its triangle begins there.
FigurePoint end_of(const Drawn& drawn, const std::string& tip) {
    return test::shape_with_tip<FigurePath>(drawn.figure, tip).pieces.front().to;
}

std::string key_tip(const Drawn& drawn, const VectorPlane& plane, int key) {
    const KeyMeasure& measure = plane.measures[static_cast<std::size_t>(key)];
    return concat(token_text(drawn.evaluation(), plane.choice.query), " → ", token_text(drawn.evaluation(), key),
                  measure.is_hidden ? " (masked)" : "", ": q·k = ", shown_number(measure.dot),
                  ", θ = ", shown_number(measure.degrees, 1), "°");
}

TEST_CASE("arrows end where the vectors do, on one scale", "[figure-vectors]") {
    const std::string more =
        GENERATE("", "mask=none&cell=2,1,3", "d_out=8&plane=2,1", "d_out=16&plane=principal&heads=2");
    const Drawn drawn(kVectors + more);
    REQUIRE(drawn.error.empty());
    test::check_on_sheet(drawn.figure);
    const VectorPlane plane = plane_of(drawn);
    std::vector<FigurePoint> ends;
    for (const int key : plane.drawn) ends.push_back(end_of(drawn, key_tip(drawn, plane, key)));
    const FigurePoint query = end_of(drawn, "query of " + token_text(drawn.evaluation(), plane.choice.query));
    // Points a unit, from the query and the first key: the same for all, across and (downwards) along the sheet.
    const double scale = (ends[0].x - query.x) / (plane.keys[0].x - plane.query_at.x);
    CHECK(scale > 0);
    for (std::size_t k = 0; k < ends.size(); ++k) {
        // Half a thousandth of a point: rounding of doubles is far below.
        CHECK(std::abs((ends[k].x - query.x) - scale * (plane.keys[k].x - plane.query_at.x)) < 5e-4);
        CHECK(std::abs((ends[k].y - query.y) + scale * (plane.keys[k].y - plane.query_at.y)) < 5e-4);
    }
}

TEST_CASE("the list of keys has their numbers, and the pinned key its arithmetic", "[figure-vectors]") {
    const Drawn drawn(kVectors + "cell=1,3,2");
    const VectorPlane plane = plane_of(drawn);
    for (const KeyMeasure& measure : plane.measures) {
        CHECK(test::has_text(drawn.figure, shown_number(measure.length)));
        CHECK(test::has_text(drawn.figure, shown_number(measure.dot)));
        CHECK(test::has_text(drawn.figure, shown_number(static_cast<double>(measure.weight))));
    }
    const std::vector<std::string> texts = test::texts_of(drawn.figure);
    CHECK(std::any_of(texts.begin(), texts.end(),
                      [&](const std::string& text) { return text.starts_with(dot_words(plane, 2)); }));
    const Drawn unpinned(kVectors);
    for (const std::string& text : test::texts_of(unpinned.figure)) CHECK_FALSE(text.starts_with("q·k = "));
}

TEST_CASE("masked keys are called so, and the head can be chosen for the figure alone", "[figure-vectors]") {
    const Drawn drawn(kVectors + "cell=1,1,0");
    CHECK(test::has_text(drawn.figure, "masked"));
    const Drawn second(kVectors + "cell=1,1,0", {.head = 1});
    CHECK(test::texts_of(second.figure).at(1).starts_with("Head 2 "));
    const Drawn beyond(kVectors, {.head = 9});
    CHECK(test::texts_of(beyond.figure).at(1).starts_with("Head 2 "));
}

TEST_CASE("without values no number is printed, with one channel the plane is a number line", "[figure-vectors]") {
    const Drawn hidden(kVectors + "cell=1,3,2&hide=values");
    REQUIRE(hidden.error.empty());
    for (const std::string& tip : test::tips_of(hidden.figure)) CHECK(tip.find('.') == std::string::npos);
    CHECK_FALSE(test::has_text(hidden.figure, "cos θ"));
    const Drawn line(kVectors + "d_out=2&heads=2");
    REQUIRE(line.error.empty());
    test::check_on_sheet(line.figure);
}

TEST_CASE("vectors give nothing away while numbers are blank", "[figure-vectors]") {
    const Drawn drawn(kVectors + "check=weights");
    CHECK(drawn.error.find("left blank") != std::string::npos);
}

TEST_CASE("with many keys the heaviest are drawn, and a sentence says so", "[figure-vectors]") {
    std::string text;
    for (int k = 0; k < 60; ++k) text += concat("w", k, "+");
    const Drawn drawn("view=vectors&text=" + text);
    REQUIRE(drawn.error.empty());
    test::check_on_sheet(drawn.figure);
    CHECK(test::has_text(drawn.figure, "Only the 24 of 60 keys with the largest weights are drawn."));
}

}  // namespace
}  // namespace attn
