// Several query tokens looked at together.
#include "views/lines/selection.h"
#include "core/explain/stage_numbers.h"

#include <catch_amalgamated.hpp>
#include <cmath>
#include <limits>

#include "core/ground/check.h"
#include "playground/link/state_url.h"
#include "playground/numbers/heads_together.h"
#include "playground/text/format.h"

using namespace attn;

TEST_CASE("a token is selected and let go again", "[selection]") {
    View view;
    toggle_selected(view, 7);
    toggle_selected(view, 2);
    CHECK(view.select == std::set<int>{2, 7});
    toggle_selected(view, 7);
    CHECK(view.select == std::set<int>{2});
}

TEST_CASE("the mean of rows counts hidden keys as 0, and keeps those hidden that no row sees", "[selection]") {
    const Evaluation evaluation = evaluate(read_link("heads=2").state.inputs, 0);
    const ShownWeights weights(evaluation, TensorId::weights, Combine::none);
    for (int h = 0; h < 2; ++h) {
        const Matrix matrix = stage_matrix(*evaluation.problem, evaluation.trace, TensorId::weights, h);
        const Vector mean = mean_of_rows(weights, h, {2, 5, 7});
        for (std::size_t j = 0; j < 11; ++j) {
            if (j > 7) {
                CHECK(mean(j) == -std::numeric_limits<float>::infinity());
            } else {
                const double sum = static_cast<double>(matrix(2, j)) + matrix(5, j) + matrix(7, j);
                // Added in double, rounded to float once: half a float step of a number below 1.
                CHECK(std::abs(static_cast<double>(mean(j)) - sum / 3) <= 0x1p-25);
            }
        }
    }
    const Vector alone = mean_of_rows(weights, 1, {4});
    const Vector row = weights.row(1, 4);
    for (std::size_t j = 0; j < 11; ++j) CHECK(alone(j) == row(j));
}

TEST_CASE("the entropy of a row is that of its visible weights", "[selection]") {
    const Evaluation evaluation =
        evaluate(read_link("text=a+b+c+d&init=none&embed=typed&pos=none&d_in=1&heads=1&x=0;0;0;0").state.inputs, 0);
    const ShownWeights weights(evaluation, TensorId::weights, Combine::none);
    // Equal weights over 1, 2, 3, 4 keys: log2 of their number, up to the rounding of floats.
    for (int i = 0; i < 4; ++i) CHECK(std::abs(entropy_of_row(weights, 0, i) - std::log2(i + 1.0)) < 1e-6);
}

TEST_CASE("the selection as text: means by key and entropies by query", "[selection]") {
    const PlaygroundState state = read_link("heads=2&select=2,7").state;
    const Evaluation evaluation = evaluate(state.inputs, 0);
    const std::vector<TextTable> tables = tables_of_selection(state.view, evaluation);
    REQUIRE(tables.size() == 2);
    CHECK(tables[0].columns == std::vector<std::string>{"key", "head 1", "head 2"});
    REQUIRE(tables[0].rows.size() == 11);
    const ShownWeights weights(evaluation, TensorId::weights, Combine::none);
    const Vector mean = mean_of_rows(weights, 1, {2, 7});
    CHECK(tables[0].rows[1][2] == shown_number(mean(1)));
    CHECK(tables[0].rows[8][1] == "masked");
    REQUIRE(tables[1].rows.size() == 2);
    CHECK(tables[1].rows[1][0] == "woman");
    CHECK(tables[1].rows[1][1] == shown_number(entropy_of_row(weights, 0, 7)));

    PlaygroundState combined = state;
    combined.view.combine = Combine::mean;
    CHECK(tables_of_selection(combined.view, evaluation)[0].columns.size() == 2);
    combined.view.select.clear();
    CHECK(tables_of_selection(combined.view, evaluation).empty());
}
