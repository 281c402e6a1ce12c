// Recipes carried out: what is trained, that it comes out the same however it is reached, and what the visitor is told.
#include "playground/numbers/recipe.h"

#include <algorithm>
#include <catch_amalgamated.hpp>
#include <cmath>
#include <numbers>
#include <string>

#include "playground/linked.h"
#include "playground/numbers/evaluation.h"

using namespace attn;
using namespace attn::test;

namespace {

constexpr std::string_view kTwoReadings = "goal=pattern&target=1:10>1,10>6&optimizer=adam&rate=0.05";

Evaluation evaluated(std::string_view link, int sentence = 0) {
    return evaluation_of(link, sentence);
}

bool has_same_matrices(const Evaluation& a, const Evaluation& b) {
    const Projections& p = a.problem->projections;
    const Projections& q = b.problem->projections;
    return p.w_query == q.w_query && p.w_key == q.w_key && p.w_value == q.w_value && p.w_out == q.w_out;
}

}  // namespace

TEST_CASE("a head learns to look where it was painted to look", "[recipe]") {
    const Evaluation before = evaluated("");
    const Evaluation after = evaluated("goal=pattern&target=1:10>1&optimizer=adam&rate=0.05&steps=300");
    CHECK(row_of(before.trace.weights, 0, 10)[1] < 0.3F);
    CHECK(row_of(after.trace.weights, 0, 10)[1] > 0.98F);
    REQUIRE(after.notes.size() == 1);
    CHECK(after.notes.front().starts_with("trained for 300 steps: the loss went from "));
    CHECK(after.run->losses().size() == 301);
}

TEST_CASE("two words painted in one row: half and half, and a loss of ln 2", "[recipe]") {
    const Evaluation after = evaluated(concat(kTwoReadings, "&steps=400"));
    CHECK(std::abs(after.run->lowest_loss() - std::numbers::ln2) < 1e-7);
    CHECK(std::abs(after.run->losses().back() - std::numbers::ln2) < 1e-3);
    CHECK(std::abs(row_of(after.trace.weights, 0, 10)[1] - 0.5F) < 0.02F);
}

TEST_CASE("without a goal or without steps nothing is trained", "[recipe]") {
    const Evaluation plain = evaluated("");
    CHECK(has_same_matrices(plain, evaluated("steps=50")));
    CHECK(has_same_matrices(plain, evaluated("goal=pattern&target=1:10>1")));
    CHECK(has_same_matrices(plain, evaluated("goal=pattern&steps=50")));  // with a note that nothing is painted
    CHECK(evaluated("goal=pattern&steps=5").notes.back().starts_with("nothing is painted"));
}

TEST_CASE("a goal has its loss and its gradients before the first step", "[recipe]") {
    const Evaluation before = evaluated("goal=pattern&target=1:10>1");
    REQUIRE(before.run);
    CHECK(before.run->losses() == std::vector<double>{-std::log(double{row_of(before.trace.weights, 0, 10)[1]})});
    CHECK(before.run->training().gradients(0).scores(0, 10, 1) < 0);
    CHECK(before.notes.empty());
    CHECK_FALSE(evaluated("target=1:10>1").run);
}

TEST_CASE("a batch is trained once for all of its sentences", "[recipe]") {
    const PlaygroundState state = state_of("text=the+cat+sat&text=a+dog+ran&d_out=8&goal=next&steps=5");
    const Evaluation first = evaluate(state.inputs, 0);
    const Evaluation second = evaluate(state.inputs, 1, first.run);
    CHECK(second.run == first.run);
    CHECK(second.notes == first.notes);
    CHECK(has_same_matrices(second, evaluate(state.inputs, 1)));
    Inputs fewer = state.inputs;
    fewer.steps = 2;
    CHECK(evaluate(fewer, 1, first.run).run != first.run);  // others look at the run as it is
    CHECK(first.run->training().num_steps() == 5);
    Inputs more = state.inputs;
    more.steps = 9;
    CHECK(evaluate(more, 1, first.run).run != first.run);
    CHECK(first.run->training().num_steps() == 5);
}

TEST_CASE("training in slices, and from fewer steps on, ends in the same bits", "[recipe]") {
    const PlaygroundState state = state_of(concat(kTwoReadings, "&steps=60"));
    const Evaluation whole = evaluate(state.inputs, 0);
    CachedEvaluation sliced;
    sliced.begin(state.inputs, 0, 0);
    int num_slices = 0;
    while (!sliced.advance(100'000)) ++num_slices;
    CHECK(num_slices > 10);
    CHECK(has_same_matrices(sliced.evaluation(), whole));

    CachedEvaluation played;
    for (const int steps : {1, 2, 30, 60}) {
        Inputs inputs = state.inputs;
        inputs.steps = steps;
        played.begin(inputs, 0, 0);
        while (!played.advance(1'000'000)) continue;
        CHECK(played.evaluation().run->training().num_steps() == steps);
    }
    CHECK(has_same_matrices(played.evaluation(), whole));
    Inputs back = state.inputs;
    back.steps = 2;
    played.begin(back, 0, 0);
    while (!played.advance(1'000'000)) continue;
    CHECK(has_same_matrices(played.evaluation(), evaluate(back, 0)));
}

TEST_CASE("after training the drawn matrices are still there for the next state", "[recipe]") {
    CachedEvaluation cached;
    for (const std::string_view link :
         {"goal=pattern&target=1:10>1&steps=20", "", "goal=pattern&target=1:9>1&steps=20"}) {
        const PlaygroundState state = state_of(link);
        cached.begin(state.inputs, 0, 0);
        while (!cached.advance(1'000'000)) continue;
        CHECK(has_same_matrices(cached.evaluation(), evaluate(state.inputs, 0)));
    }
}

TEST_CASE("the next word: sentences of a batch share what they learn, each keeps its own X", "[recipe]") {
    constexpr std::string_view kBatch =
        "text=the+cat+sat&text=&text=the+dog+ran+the+cat&d_in=8&d_out=8&goal=next&optimizer=adam&rate=0.02&steps=40"
        "&train=w_query,w_key,w_value,w_out,x";
    const Evaluation first = evaluated(kBatch, 0);
    const Evaluation third = evaluated(kBatch, 2);
    CHECK(has_same_matrices(first, third));
    CHECK(first.run->losses().back() < first.run->losses().front() / 2);
    CHECK(first.problem->embeddings != evaluated("text=the+cat+sat&d_in=8&d_out=8").problem->embeddings);
    CHECK(evaluated(kBatch, 1).is_empty());
    CHECK(first.problem->projections.b_out ==
          evaluated("d_in=8&d_out=8").problem->projections.b_out);  // it was not to learn
}

TEST_CASE("edits are where training begins, typed queries stay", "[recipe]") {
    const Evaluation after =
        evaluated("goal=pattern&target=1:10>1&steps=5&train=w_key&edit=w_query[0,0]=2&edit=queries[10,1]=3");
    CHECK(after.problem->projections.w_query(0, 0) == 2);
    CHECK(after.trace.query(0, 10, 1) == 3);
}

TEST_CASE("a rate that is too large stops the training, and says so", "[recipe][bad-input]") {
    const Evaluation after = evaluated("goal=next&d_out=8&steps=50&rate=1e9");
    REQUIRE(after.notes.size() >= 2);
    CHECK(after.notes[1].starts_with("training stopped after step "));
    CHECK(after.is_complete());
}
