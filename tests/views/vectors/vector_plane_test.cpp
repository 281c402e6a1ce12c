// The numbers of the vectors view against plain loops in double.
#include "views/vectors/vector_plane.h"

#include <catch_amalgamated.hpp>
#include <cmath>

#include "core/ground/check.h"
#include "playground/link/state_url.h"

using namespace attn;

namespace {

struct PlaneCase {
    explicit PlaneCase(std::string_view link)
        : state(read_link(link).state),
          evaluation(evaluate(state.inputs, 0)),
          choice(vector_choice(evaluation, state.view)),
          planes(head_planes(evaluation, choice.head, state.view.plane)),
          plane(make_vector_plane(evaluation, choice, planes)) {}
    PlaygroundState state;
    Evaluation evaluation;
    VectorChoice choice;
    HeadPlanes planes;
    VectorPlane plane;
};

std::string plane_link(int count) {
    std::string link = "text=";
    for (int k = 0; k < count; ++k) link += concat("w", k, "+");
    return link;
}

const std::string kPlaneLinks[] = {
    "",
    "cell=2,7,1",
    "heads=4&d_out=4&cell=3,5,2",
    "heads=2&d_out=16&plane=3,6&cell=2,7,9",
    "heads=2&d_out=16&plane=principal&dropout=0.4",
    "heads=1&d_out=64&plane=principal&mask=none&cell=1,0,10",
    "text=one&d_out=6&heads=1&plane=principal",
    plane_link(40) + "&heads=12&d_out=36&mask=none",
    plane_link(100) + "&mask_at=raw&cell=1,60,80",
};

// Numbers are added in another order than attend() adds them, in float there: 1e-5 of their size.
constexpr double kPlaneTolerance = 1e-5;

}  // namespace

TEST_CASE("lengths, dot products and angles are those of plain loops", "[vectors][reference]") {
    for (const std::string& link : kPlaneLinks) {
        const PlaneCase given(link);
        const int head = given.choice.head;
        const Matrix queries = shown_matrix(given.evaluation, TensorId::queries, head);
        const Matrix keys = shown_matrix(given.evaluation, TensorId::keys, head);
        const Matrix scores = shown_matrix(given.evaluation, TensorId::scores, head);
        const auto i = static_cast<std::size_t>(given.choice.query);
        for (std::size_t j = 0; j < keys.shape(0); ++j) {
            CAPTURE(link, j);
            double dot = 0;
            double query_squared = 0;
            double key_squared = 0;
            for (std::size_t c = 0; c < keys.shape(1); ++c) {
                dot += static_cast<double>(queries(i, c)) * keys(j, c);
                query_squared += static_cast<double>(queries(i, c)) * queries(i, c);
                key_squared += static_cast<double>(keys(j, c)) * keys(j, c);
            }
            const KeyMeasure& measured = given.plane.measures[j];
            CHECK(given.plane.query_length == Catch::Approx(std::sqrt(query_squared)));
            CHECK(measured.length == Catch::Approx(std::sqrt(key_squared)));
            CHECK(measured.dot == Catch::Approx(dot).margin(1e-12));
            CHECK(measured.dot == Catch::Approx(scores(i, j)).epsilon(kPlaneTolerance).margin(kPlaneTolerance));
            const double cosine = dot / std::sqrt(query_squared * key_squared);
            CHECK(measured.cosine == Catch::Approx(cosine).margin(1e-12));
            CHECK(std::cos(measured.degrees * 3.14159265358979 / 180) == Catch::Approx(cosine).margin(1e-9));
            CHECK(measured.is_hidden == (given.evaluation.problem->hidden(i, j) != 0));
        }
    }
}

TEST_CASE("the chain goes link by link from the origin to the shown context", "[vectors][reference]") {
    for (const std::string& link : kPlaneLinks) {
        CAPTURE(link);
        const PlaneCase given(link);
        const VectorPlane& plane = given.plane;
        const Matrix values = shown_matrix(given.evaluation, TensorId::values, given.choice.head);
        const Matrix context = shown_matrix(given.evaluation, TensorId::context, given.choice.head);
        REQUIRE_FALSE(plane.chain.empty());
        PlanePoint at;
        double weights = 0;
        int num_keys = 0;
        for (const ChainLink& step : plane.chain) {
            CHECK(step.from.x == at.x);
            CHECK(step.from.y == at.y);
            at = step.to;
            weights += step.weight;
            num_keys += step.num_keys;
            if (step.num_keys > 1) continue;
            double x = 0;
            for (std::size_t c = 0; c < values.shape(1); ++c)
                x += given.planes.values.x[c] * values(static_cast<std::size_t>(step.key), c);
            CHECK(step.to.x - step.from.x == Catch::Approx(step.weight * x).margin(1e-9));
        }
        double sum = 0;
        double x = 0;
        double y = 0;
        for (const KeyMeasure& measured : plane.measures) sum += static_cast<double>(measured.weight);
        for (std::size_t c = 0; c < context.shape(1); ++c) {
            const auto number = static_cast<double>(context(static_cast<std::size_t>(given.choice.query), c));
            x += given.planes.values.x[c] * number;
            y += given.planes.values.y[c] * number;
        }
        CHECK(weights == Catch::Approx(sum).margin(1e-9));
        CHECK(plane.context.x == Catch::Approx(x).margin(1e-12));
        CHECK(at.x == Catch::Approx(x).margin(kPlaneTolerance));
        CHECK(at.y == Catch::Approx(y).margin(kPlaneTolerance));
        CHECK(num_keys <= given.evaluation.num_tokens());
    }
}

TEST_CASE("in two dimensions the plane is the head itself", "[vectors]") {
    for (const char* link : {"cell=2,7,1", "cell=2,7,1&plane=principal"}) {
        const PlaneCase given(link);
        CHECK_FALSE(given.plane.is_projection());
        const Matrix keys = shown_matrix(given.evaluation, TensorId::keys, 1);
        REQUIRE(given.plane.drawn.size() == 11);
        for (std::size_t j = 0; j < 11; ++j) {
            CHECK(given.plane.keys[j].x == keys(j, 0));
            CHECK(given.plane.keys[j].y == keys(j, 1));
        }
        CHECK(given.planes.keys.share_x + given.planes.keys.share_y == Catch::Approx(1));
        CHECK(plane_words(given.planes.keys) == "both channels");
    }
}

TEST_CASE("numbers that are turned alone are drawn with the others", "[vectors][rope]") {
    for (const char* plane : {"1,3", "principal"}) {
        for (const int head_dim : {1, 2, 4}) {
            CAPTURE(plane, head_dim);
            const PlaneCase given(
                concat("heads=2&d_out=", 2 * head_dim, "&latent=2&pos=rope&rope_dim=2&plane=", plane));
            REQUIRE(given.planes.keys.width() == head_dim + 2);
            CHECK(given.planes.values.width() == head_dim);
            CHECK(given.plane.is_projection());
            const Matrix queries = shown_matrix(given.evaluation, TensorId::rotated_queries, given.choice.head);
            const PlaneDirections& keys = given.planes.keys;
            for (std::size_t i = 0; i < given.plane.drawn.size(); ++i) {
                double x = 0;
                for (int c = 0; c < keys.width(); ++c) x += static_cast<double>(queries(i, c)) * keys.x[c];
                CHECK(given.plane.queries[i].x == Catch::Approx(x).margin(1e-12));  // the same sum
            }
        }
    }
}

TEST_CASE("with many keys the largest weights and the chosen key are drawn", "[vectors]") {
    const PlaneCase given(plane_link(100) + "&cell=1,60,80");
    const VectorPlane& plane = given.plane;
    REQUIRE(plane.drawn.size() == kMostArrows);
    CHECK(plane.num_left_out() == 76);
    CHECK(std::is_sorted(plane.drawn.begin(), plane.drawn.end()));
    const auto is_drawn = [&](int key) { return std::binary_search(plane.drawn.begin(), plane.drawn.end(), key); };
    CHECK(is_drawn(80));  // hidden from query 60, but chosen
    float least = 1;
    float most = 0;
    for (int key = 0; key <= 60; ++key) {
        const float weight = plane.measures[static_cast<std::size_t>(key)].weight;
        if (is_drawn(key)) least = std::min(least, weight);
        if (!is_drawn(key)) most = std::max(most, weight);
    }
    CHECK(least >= most);
    for (int key = 61; key < 100; ++key) CHECK(is_drawn(key) == (key == 80));
    // The others are one link together.
    CHECK(plane.chain.back().num_keys == 61 - (kMostArrows - 1));
}

TEST_CASE("head, query and key follow the enlarged head and the pinned cell", "[vectors]") {
    CHECK(PlaneCase("").choice == VectorChoice{0, 10, std::nullopt});
    CHECK(PlaneCase("cell=2,7,1").choice == VectorChoice{1, 7, 1});
    CHECK(PlaneCase("cell=2,7,1&head=1").choice == VectorChoice{0, 7, 1});
    CHECK(PlaneCase("stage=context&cell=2,7,1").choice == VectorChoice{1, 7, std::nullopt});
    CHECK(PlaneCase("stage=merged&cell=1,3,1&head=2").choice == VectorChoice{1, 3, std::nullopt});
}

TEST_CASE("the arithmetic of a dot product says what it is made of", "[vectors]") {
    // Without matrices queries and keys are the typed numbers.
    const PlaneCase given(
        "text=a+b+c&embed=typed&pos=none&init=none&out=0&heads=1&d_in=2&d_out=2&mask=none&x=3,4;0,2;0,0"
        "&cell=1,0,1");
    CHECK(dot_words(given.plane, 1) == "q·k = |q| |k| cos θ = 5.0000 × 2.0000 × 0.8000 = 8.0000");
    CHECK(given.plane.measures[1].degrees == Catch::Approx(36.8698976));
    CHECK(dot_words(given.plane, 2) == "q·k = 0: no angle, a vector of length 0");
    CHECK(std::isnan(given.plane.measures[2].degrees));
}

TEST_CASE("a single channel has no second axis", "[vectors]") {
    const PlaneCase given("heads=4&d_out=4");
    for (const PlanePoint& key : given.plane.keys) CHECK(key.y == 0);
    CHECK(given.plane.context.y == 0);
    CHECK(plane_words(given.planes.keys) == "the only channel");
}

TEST_CASE("the view is told as text", "[vectors]") {
    const PlaneCase given("heads=2&d_out=16&plane=3,6&cell=2,7,1");
    Evaluator evaluator;
    evaluator.update(given.state);
    const std::vector<TextTable> tables = tables_of_vectors(given.state, evaluator);
    REQUIRE(tables.size() == 2);
    CHECK(tables[0].columns ==
          std::vector<std::string>{"key", "channel 3", "channel 6", "|k|", "angle in degrees", "cos", "q·k", "weight"});
    CHECK(tables[0].rows.size() == 11);
    CHECK(tables[0].rows[10].back() == "masked");
    CHECK(tables[0].title.find("channels 3 and 6 of 8") != std::string::npos);
    REQUIRE(tables[1].rows.size() == 9);  // eight visible keys and the context
    CHECK(tables[1].rows.back()[0] == "context");
    // The last link ends in the context.
    for (const std::size_t column : {4U, 5U}) CHECK(tables[1].rows[7][column] == tables[1].rows[8][column]);
    for (const TextTable& table : tables) {
        for (const auto& row : table.rows) CHECK(row.size() == table.columns.size());
    }
}
