// Recipes carried out: what is trained, that it comes out the same however it is reached, and what the visitor is told.
#include "playground/numbers/recipe.h"

#include <algorithm>
#include <catch_amalgamated.hpp>
#include <cmath>
#include <numbers>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/ground/check.h"
#include "playground/link/recipe_keys.h"
#include "playground/linked.h"
#include "playground/numbers/evaluation.h"
#include "playground/state/state_edits.h"

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

// Which of those that can learn differ in any bit.
std::set<TensorId> changed_tensors(const AttentionProblem& a, const AttentionProblem& b) {
    const Projections& p = a.projections;
    const Projections& q = b.projections;
    const std::vector<std::pair<TensorId, bool>> tensors = {
        {TensorId::w_query, p.w_query == q.w_query},         {TensorId::w_key, p.w_key == q.w_key},
        {TensorId::w_value, p.w_value == q.w_value},         {TensorId::w_out, p.w_out == q.w_out},
        {TensorId::b_query, p.b_query == q.b_query},         {TensorId::b_key, p.b_key == q.b_key},
        {TensorId::b_value, p.b_value == q.b_value},         {TensorId::b_out, p.b_out == q.b_out},
        {TensorId::embeddings, a.embeddings == b.embeddings}};
    std::set<TensorId> changed;
    for (const auto& [tensor, is_same] : tensors) {
        if (!is_same) changed.insert(tensor);
    }
    return changed;
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
    CHECK(has_same_matrices(plain, evaluated("goal=pattern&steps=50")));  // with a note that there is no target
    CHECK(evaluated("goal=pattern&steps=5").notes.back().starts_with("no head was told"));
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
    const Evaluation back = evaluate(fewer, 1, first.run);
    CHECK(back.run != first.run);  // others look at the run as it is
    CHECK(has_same_matrices(back, evaluate(fewer, 1)));
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

// Checkpoints are a cache: a step has the same bits from the start, from a checkpoint, and from the step before it.
TEST_CASE("back and forth over the steps every number stays what it was, and known losses stay known", "[recipe]") {
    const std::string_view link =
        GENERATE("goal=pattern&target=1:10>1&target=2:10>6,9>2&optimizer=sgd&rate=0.5",
                 "goal=pattern&target=1:10>1&optimizer=momentum&train=w_query,x&dropout=0.2",
                 "d_out=8&goal=next&optimizer=adam&rate=0.02&text=the+cat+sat&text=&text=the+dog+ran+the+cat&bias=1",
                 "d_out=8&goal=next&optimizer=adamw&rate=0.02&train=w_query,w_key,w_value,x&mask_at=after&dropout=0.3");
    CAPTURE(link);
    const PlaygroundState state = state_of(link);
    CachedEvaluation scrubbed;
    std::size_t known = 1;
    for (const int steps : {130, 7, 90, 89, 0, 1, 200, 33, 199, 64}) {
        CAPTURE(steps);
        Inputs inputs = state.inputs;
        inputs.steps = steps;
        scrubbed.begin(inputs, 0, 0);
        while (!scrubbed.advance(300'000)) continue;
        const Evaluation anew = evaluate(inputs, 0);
        const Evaluation& reached = scrubbed.evaluation();
        CHECK(has_same_matrices(reached, anew));
        CHECK(reached.problem->embeddings == anew.problem->embeddings);
        CHECK(reached.trace.weights.size() == anew.trace.weights.size());
        CHECK(reached.notes == anew.notes);
        CHECK(reached.run->num_steps() == steps);
        CHECK(reached.run->loss() == anew.run->losses().back());
        CHECK(reached.run->training().loss() == reached.run->loss());
        CHECK(reached.run->training().gradients().w_query == anew.run->training().gradients().w_query);
        known = std::max(known, static_cast<std::size_t>(steps) + 1);
        CHECK(reached.run->losses().size() == known);
        CHECK(
            std::ranges::equal(anew.run->losses(), std::span(reached.run->losses()).first(anew.run->losses().size())));
    }
    const TrainingRun& run = *scrubbed.evaluation().run;
    for (const int step : {0, 1, 5, 64, 65, 128, 200}) {
        CAPTURE(step);
        Inputs inputs = state.inputs;
        inputs.steps = step;
        const std::optional<AttentionProblem> problem = run.problem_at(0, step);
        REQUIRE(problem);
        CHECK(problem->projections->w_query == evaluate(inputs, 0).problem->projections->w_query);
        CHECK(problem->embeddings == evaluate(inputs, 0).problem->embeddings);
    }
    CHECK_FALSE(run.problem_at(0, 201));
    CHECK_FALSE(run.problem_at(0, -1));
    CHECK_FALSE(run.problem_at(15, 1));
}

TEST_CASE("going back takes a few steps from a checkpoint, not all of them again", "[recipe]") {
    const PlaygroundState state = state_of(concat(kTwoReadings, "&steps=1000"));
    CachedEvaluation scrubbed;
    scrubbed.begin(state.inputs, 0, 0);
    while (!scrubbed.advance(10'000'000)) continue;
    Inputs back = state.inputs;
    back.steps = 990;
    scrubbed.begin(back, 0, 0);
    // Until training begins: what is drawn comes first.
    while (!scrubbed.evaluation().run) scrubbed.advance(1);
    CHECK(scrubbed.evaluation().run->num_steps() >= 990 - scrubbed.evaluation().run->checkpoint_distance());
    CHECK(scrubbed.evaluation().run->checkpoint_distance() <= 64);  // 1,000 steps, at least 16 checkpoints
    CHECK(scrubbed.evaluation().run->losses().size() == 1001);
}

TEST_CASE("steps that a slice has taken are kept when more are asked for before they are all there", "[recipe]") {
    PlaygroundState state = state_of(concat(kTwoReadings, "&steps=500"));
    CachedEvaluation played;
    played.begin(state.inputs, 0, 0);
    while (!played.evaluation().run || played.evaluation().run->num_steps() < 100) played.advance(300'000);
    REQUIRE(played.evaluation().is_preparing());
    state.inputs.steps = 600;
    played.begin(state.inputs, 0, 0);
    while (!played.evaluation().run) played.advance(1);
    CHECK(played.evaluation().run->num_steps() >= 100);
    while (!played.advance(10'000'000)) continue;
    CHECK(has_same_matrices(played.evaluation(), evaluate(state.inputs, 0)));
}

TEST_CASE("after training the drawn matrices are still there for the next state", "[recipe]") {
    CachedEvaluation cached;
    for (const std::string_view link :
         {"goal=pattern&target=1:10>1&steps=20", "", "goal=pattern&target=1:9>1&steps=20&edit=w_query[0,0]=2", "",
          "goal=pattern&target=1:9>1&steps=20"}) {
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
    CHECK(first.problem->projections->b_out ==
          evaluated("d_in=8&d_out=8").problem->projections->b_out);  // it was not to learn
}

TEST_CASE("edits are where training begins, typed queries stay", "[recipe]") {
    const Evaluation after =
        evaluated("goal=pattern&target=1:10>1&steps=5&train=w_key&edit=w_query[0,0]=2&edit=queries[10,1]=3");
    CHECK(after.problem->projections->w_query(0, 0) == 2);
    CHECK(after.trace.query(0, 10, 1) == 3);
}

TEST_CASE("a rate that is too large stops the training, and says so", "[recipe][bad-input]") {
    const Evaluation after = evaluated("goal=next&d_out=8&steps=50&rate=1e9");
    REQUIRE(after.notes.size() >= 2);
    CHECK(after.notes[1].starts_with("training stopped after step "));
    CHECK(after.is_complete());
}

TEST_CASE("a rate that is too large keeps the last finite step, bit for bit", "[recipe][bad-input]") {
    const Evaluation stopped = evaluated("goal=next&d_out=8&steps=50&rate=1e9");
    const int steps = stopped.run->num_steps();
    CHECK(steps < 50);
    CHECK(std::isfinite(stopped.run->loss()));
    CHECK(has_same_matrices(stopped, evaluated(concat("goal=next&d_out=8&rate=1e9&steps=", steps))));
}

TEST_CASE("every row of every head painted, each cell of it with a share of its own, trains", "[recipe][bad-input]") {
    constexpr int kTokens = 11;
    std::string link = "goal=pattern&optimizer=adam&rate=0.05&steps=100";
    for (int head = 1; head <= 2; ++head) {
        link += concat("&target=", head, ":");
        for (int i = 0; i < kTokens; ++i) {
            for (int j = 0; j <= i; ++j) link += concat(i + j == 0 ? "" : ",", i, ">", j, "=", 1 + (i + j * head) % 3);
        }
    }
    const PlaygroundState state = state_of(link);
    CHECK(state.inputs.targets.size() == std::size_t{2} * kTokens * (kTokens + 1) / 2);
    const Evaluation after = evaluated(link);
    CHECK(after.run->goal(0).rows.size() == std::size_t{2} * kTokens);
    CHECK(after.run->loss() < after.run->losses().front());
    CHECK(after.run->loss() > after.run->lowest_loss());
}

TEST_CASE("where nothing that learns decides the loss all stays as it was", "[recipe][bad-input]") {
    const std::string_view link = GENERATE("goal=pattern&target=1:10>1&train=w_value",  // behind the weights
                                           "goal=pattern&target=1:0>0",                 // a row that has one key
                                           "goal=pattern&target=1:10>1&train=w_out");
    CAPTURE(link);
    const Evaluation after = evaluated(concat(link, "&steps=20"));
    CHECK(has_same_matrices(after, evaluated("")));
    CHECK(after.run->loss() == after.run->losses().front());
}

TEST_CASE("each tensor learns alone, and all that do not learn keep their bits", "[recipe][bad-input]") {
    const std::string_view goal =
        GENERATE("goal=pattern&target=1:10>1&target=2:10>7=0.5,10>4=0.5", "goal=next&d_out=8");
    const std::string forward = concat(goal, "&bias=1&out=1&rate=0.1");
    const AttentionProblem before = *evaluated(forward).problem;
    for (const TensorId learner : trainable_tensors(state_of(forward).inputs)) {
        CAPTURE(goal, editable_name(learner));
        const Evaluation after = evaluated(concat(forward, "&steps=3&train=", editable_name(learner)));
        CHECK(after.run->num_steps() == 3);
        const std::set<TensorId> changed = changed_tensors(before, *after.problem);
        if (learner == TensorId::b_key) {  // moves all scores of a row alike, which softmax does not see
            CHECK(std::abs(after.run->loss() - after.run->losses().front()) < 1e-6);
            CHECK((changed.empty() || changed == std::set{learner}));
        } else {
            CHECK(after.run->loss() < after.run->losses().front());
            CHECK(changed == std::set{learner});
        }
    }
}

TEST_CASE("where every tensor is typed over nothing learns, and every number stays", "[recipe][bad-input]") {
    const std::string_view goal = GENERATE("goal=pattern&target=1:1>0", "goal=next");
    const std::string typed = concat(goal,
                                     "&text=one+two&d_in=2&d_out=2&heads=1&out=0&edit=queries[0,0]=1,2;3,4"
                                     "&edit=keys[0,0]=5,6;7,8&edit=values[0,0]=1,0;0,1");
    const Evaluation before = evaluated(typed);
    for (const std::string_view optimizer : {"sgd", "momentum", "adam", "adamw"}) {
        CAPTURE(goal, optimizer);
        const Evaluation after = evaluated(concat(typed, "&steps=20&optimizer=", optimizer));
        CHECK(after.trace.output == before.trace.output);
        CHECK(after.run->loss() == before.run->loss());
        CHECK(std::isfinite(after.run->loss()));
        const bool decays = optimizer == "adamw";  // without any gradient, too
        if (!decays) CHECK(changed_tensors(*before.problem, *after.problem).empty());
    }
}
