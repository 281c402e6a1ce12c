// What typed numbers change: counted against a plain comparison of the shown matrices, and told old -> new.
#include "playground/numbers/changes.h"

#include <catch_amalgamated.hpp>
#include <cmath>
#include <limits>

#include "playground/link/state_url.h"

using namespace attn;

TEST_CASE("any difference counts, but not the sign of zero", "[changes]") {
    constexpr float kInfinity = std::numeric_limits<float>::infinity();
    CHECK(is_changed(1, std::nextafter(1.0F, 2.0F)));
    CHECK(is_changed(-kInfinity, 0));
    CHECK_FALSE(is_changed(0.0F, -0.0F));
    CHECK_FALSE(is_changed(-kInfinity, -kInfinity));
    CHECK_FALSE(is_changed(NAN, NAN));
    CHECK(is_changed(NAN, 1));
}

TEST_CASE("a change is told with as many digits as it takes to see it", "[changes]") {
    CHECK(change_text(0.15F, 0.16234F) == "0.1500 → 0.1623");
    CHECK(change_text(0.15F, 0.15002F) == "0.15000 → 0.15002");
    CHECK(change_text(-0.5F, -std::numeric_limits<float>::infinity()) == "−0.5000 → masked");
    CHECK(change_text(2, 2) == "2.0000 → 2.0000");
}

TEST_CASE("without typed numbers nothing has changed", "[changes]") {
    Evaluator evaluator;
    evaluator.update(read_link("text=a+b+c").state);
    ChangeCounts counts;
    CHECK(counts.of(evaluator, TensorId::weights).num_changed == 0);
    CHECK(counts.of(evaluator, TensorId::weights).num_cells == 0);
}

TEST_CASE("what a typed number changes is counted in every stage", "[changes]") {
    Evaluator evaluator;
    PlaygroundState state = read_link("text=a+b+c+d&d_in=4&d_out=4&heads=2&edit=w_query[1,3]=2").state;
    evaluator.update(state);
    ChangeCounts counts;
    const auto changed = [&](TensorId stage) { return counts.of(evaluator, stage).num_changed; };
    CHECK(changed(TensorId::embeddings) == 0);
    CHECK(changed(TensorId::queries) == 4);  // column 3 of each token: the second head
    CHECK(changed(TensorId::keys) == 0);
    CHECK(changed(TensorId::values) == 0);
    CHECK(changed(TensorId::scores) == 16);  // of the second head alone
    CHECK(counts.of(evaluator, TensorId::scores).num_cells == 32);
    CHECK(changed(TensorId::masked_scores) == 10);  // hidden ones stay hidden
    CHECK(changed(TensorId::weights) == 9);         // the first token sees itself alone, with weight 1
    CHECK(changed(TensorId::context) == 6);         // three tokens, two channels

    // New numbers, new counts.
    state.inputs.edits = read_link("edit=x[3,0]=1").state.inputs.edits;
    evaluator.update(state);
    CHECK(changed(TensorId::embeddings) == 1);
    CHECK(changed(TensorId::queries) == 4);
    CHECK(changed(TensorId::masked_scores) == 8);  // the last query's row, in both heads
}
