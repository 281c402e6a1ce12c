// The strongest cells of a head against a plain sort, and tokens found by their letters.
#include "playground/numbers/strongest.h"

#include <algorithm>
#include <catch_amalgamated.hpp>
#include <cmath>

#include "playground/link/state_url.h"

using namespace attn;

TEST_CASE("the strongest cells are the first of a plain sort", "[strongest][reference]") {
    const auto* link = GENERATE(as<const char*>{}, "mask=none", "mask=causal&heads=2",
                                "dropout=0.5&stage=dropped_weights", "text=a+b", "text=a");
    const PlaygroundState state = read_link(link).state;
    const Evaluation evaluation = evaluate(state.inputs, 0);
    const TensorId stage = state.view.stage;
    const int head = state.inputs.num_heads - 1;
    const Matrix all = shown_matrix(evaluation, stage, head);
    std::vector<float> plain;
    for (int i = 0; i < length(all, 0); ++i) {
        std::vector<float> row;
        for (int j = 0; j < length(all, 1); ++j) {
            if (std::isfinite(all(i, j))) row.push_back(all(i, j));
        }
        if (row.size() > 1) plain.insert(plain.end(), row.begin(), row.end());
    }
    std::sort(plain.rbegin(), plain.rend());
    const std::vector<StrongCell> strongest = strongest_cells(evaluation, stage, head, {});
    REQUIRE(strongest.size() == std::min<std::size_t>(plain.size(), kNumStrongest));
    for (std::size_t k = 0; k < strongest.size(); ++k) {
        CHECK(strongest[k].value == plain[k]);
        CHECK(strongest[k].value == all(strongest[k].cell.row, strongest[k].cell.column));
        CHECK(strongest[k].cell.head == head);
    }
}

TEST_CASE("a blank number is not among the strongest", "[strongest]") {
    const PlaygroundState state = read_link("mask=none&heads=1").state;
    const Evaluation evaluation = evaluate(state.inputs, 0);
    const Cell first = strongest_cells(evaluation, TensorId::weights, 0, {}).front().cell;
    PlaygroundState blank = state;
    blank.view.hide = {"weights[1," + std::to_string(first.row) + "," + std::to_string(first.column) + "]"};
    for (const StrongCell& strong : strongest_cells(evaluation, TensorId::weights, 0, Blanks(blank)))
        CHECK_FALSE(strong.cell == first);
}

TEST_CASE("tokens are found by their letters, large and small", "[strongest]") {
    const PlaygroundState state = read_link("text=The+artist+painted+the+portrait").state;
    const Evaluation evaluation = evaluate(state.inputs, 0);
    CHECK(tokens_with(evaluation, "THE") == std::vector<int>{0, 3});
    CHECK(tokens_with(evaluation, "t") == std::vector<int>{0, 1, 2, 3, 4});
    CHECK(tokens_with(evaluation, "rait") == std::vector<int>{4});
    CHECK(tokens_with(evaluation, "").empty());
    CHECK(tokens_with(evaluation, "xyz").empty());
}
