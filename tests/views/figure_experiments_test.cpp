// The two experiments and the cost as figures: bars as long as their numbers, and the numbers beside them.
#include <cmath>

#include "core/ground/check.h"
#include "playground/text/format.h"
#include "views/cost/cost.h"
#include "views/dots/experiment_text.h"
#include "views/figure_reading.h"
#include "views/softmax/softmax_experiment.h"

namespace attn {
namespace {

using test::Drawn;

TEST_CASE("the bars of a softmax are as long as the weights", "[figure-experiments]") {
    const std::string link = GENERATE("", "gain=8", "vector=3,-1,0.5&gain=2.5", "vector=1", "vector=-20,30,30,5");
    const Drawn drawn("view=softmax&" + link);
    REQUIRE(drawn.error.empty());
    test::check_on_sheet(drawn.figure);
    const View& view = drawn.state.view;
    const Softmax plain = softmax_of(view.vector, 1);
    const Softmax gained = softmax_of(view.vector, view.gain);
    double longest = 0;  // of a weight of 1
    for (std::size_t i = 0; i < view.vector.size(); ++i) {
        CHECK(test::has_text(drawn.figure, shown_number(static_cast<double>(view.vector[i]))));
        CHECK(test::has_text(drawn.figure, shown_number(gained.weights[i])));
        const double width = test::shape_with_tip<FigureRect>(
                                 drawn.figure, concat("softmax of x", i, ": ", shown_number(plain.weights[i])))
                                 .width;
        if (plain.weights[i] > 0.05) longest = width / plain.weights[i];
    }
    for (std::size_t i = 0; i < view.vector.size(); ++i) {
        const std::string tip = concat("softmax of x", i, " with the gain: ", shown_number(gained.weights[i]));
        const double width = test::shape_with_tip<FigureRect>(drawn.figure, tip).width;
        CHECK(std::abs(width - std::max(1.0, gained.weights[i] * longest)) < 1e-6);
    }
    const std::vector<std::string> lines = softmax_lines(view.vector, view.gain, gained.largest);
    CHECK(test::has_text(drawn.figure, lines.back()));
}

TEST_CASE("the histograms count every dot product within reach, and the variances are those of the pairs",
          "[figure-experiments]") {
    const Drawn drawn("view=dots&pairs=500&pairs_seed=7&pairs_dim=100&text=one+two+three");
    REQUIRE(drawn.error.empty());
    test::check_on_sheet(drawn.figure);
    DotExperiment pairs(500, 7, 100);
    pairs.draw(500);
    for (const DotSeries& series : dot_series()) {
        CHECK(test::has_text(drawn.figure, concat("variance ", variance_text(variance_of(pairs, series, 100)))));
        CHECK(test::has_text(drawn.figure, expectation_text(series, 100)));
        for (const int d : listed_dims()) {
            const std::string tip =
                concat("d = ", d, ", variance of ", series.title, ": ", variance_text(variance_of(pairs, series, d)));
            const std::vector<std::string> tips = test::tips_of(drawn.figure);
            CHECK(std::count(tips.begin(), tips.end(), tip) == 1);
        }
        const double reach = 4 * std::sqrt(expected_variance(series, 100));
        const std::vector<int> bins = histogram(pairs.products(), series.divisor(100), reach, 32);
        const std::string first = concat(shown_number(-reach / 16, 2), " to ", shown_number(0, 2), ": ");
        const std::vector<std::string> tips = test::tips_of(drawn.figure);
        CHECK(std::any_of(tips.begin(), tips.end(),
                          [&](const std::string& tip) { return tip == concat(first, bins[15]); }));
    }
    for (const HeadDimStep& step : vary_head_dim(drawn.state.inputs, drawn.evaluation())) {
        CHECK(test::has_text(drawn.figure, shown_number(step.scaled_variance, 3)));
        CHECK(test::has_text(drawn.figure, shown_number(step.unscaled.entropy, 3)));
    }
    for (int row = 0; row < 3; ++row) {
        CHECK(test::has_text(drawn.figure, shown_number(vary_scale(drawn.evaluation(), 0, row).none.largest, 3)));
    }
}

TEST_CASE("of very many pairs the first are drawn, and it is said", "[figure-experiments]") {
    const Drawn drawn("view=dots&pairs=100000&text=one");
    CHECK(test::has_text(drawn.figure, "The picture has the first 10,000 of 100,000 pairs."));
}

TEST_CASE("the cost has every formula and every count", "[figure-experiments]") {
    const std::string link =
        GENERATE("", "heads=1&bias=1", "init=none&out=0&d_in=6&d_out=6&heads=3", "d_in=1024&d_out=1024&heads=16");
    const Drawn drawn("view=cost&" + link);
    REQUIRE(drawn.error.empty());
    test::check_on_sheet(drawn.figure);
    std::string all;  // long formulas are broken into lines
    for (const std::string& text : test::texts_of(drawn.figure)) all += text + " ";
    for (const CostSection& section : cost_of(drawn.state.inputs, drawn.evaluation().sizes)) {
        CHECK(test::has_text(drawn.figure, section.title));
        for (const CostRow& row : section.rows) {
            CHECK(all.find(row.name) != std::string::npos);
            for (const CostCell& cell : row.cells) {
                CHECK(test::has_text(drawn.figure, with_thousands(cell.count)));
                CHECK(all.find(cell.letters) != std::string::npos);
                CHECK(all.find(cell.values) != std::string::npos);
            }
        }
    }
}

}  // namespace
}  // namespace attn
