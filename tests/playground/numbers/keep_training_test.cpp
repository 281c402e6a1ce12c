// Trained numbers become edits: the same bits, without a step.
#include "playground/numbers/keep_training.h"

#include <catch_amalgamated.hpp>
#include <string_view>

#include "playground/link/state_url.h"
#include "playground/linked.h"
#include "playground/numbers/evaluation.h"

using namespace attn;
using namespace attn::test;

TEST_CASE("kept as edits, trained numbers have the same bits without steps", "[recipe]") {
    const std::string_view link =
        GENERATE("goal=pattern&target=1:10>1&target=2:10>6&optimizer=adam&rate=0.05&steps=50",
                 "goal=pattern&target=1:10>1&steps=20&sink_logits=1&edit=sink_logits[1]=0.5&train=sink_logits,w_query",
                 "goal=pattern&target=1:10>1&steps=20&edit=w_query[0,0]=2&edit=w_value[1,1]=5&train=w_query,x",
                 "text=the+cat+sat&text=&text=a+dog+ran+home&d_out=8&goal=next&bias=1&steps=9&optimizer=momentum"
                 "&train=w_out,b_query,b_out,x&edit=x[2,1,0]=0.5&edit=queries[0,1]=2");
    CAPTURE(link);
    const PlaygroundState state = state_of(link);
    const auto num_sentences = static_cast<int>(state.inputs.texts.size());
    const std::optional<Inputs> kept = keep_training(state.inputs, *evaluate(state.inputs, 0).run);
    REQUIRE(kept);
    CHECK(kept->steps == 0);
    CHECK(kept->goal == state.inputs.goal);
    CHECK(kept->edits.size() > state.inputs.edits.size());
    // As a link too.
    const Inputs read = read_link(write_link({.inputs = *kept, .view = {}})).state.inputs;
    CHECK(read == *kept);
    for (int s = 0; s < num_sentences; ++s) {
        const Evaluation trained = evaluate(state.inputs, s);
        const Evaluation typed = evaluate(read, s);
        if (trained.is_empty()) continue;
        CHECK(typed.problem->embeddings == trained.problem->embeddings);
        CHECK(typed.problem->projections->w_query == trained.problem->projections->w_query);
        CHECK(typed.problem->projections->w_out == trained.problem->projections->w_out);
        CHECK(typed.problem->projections->b_query == trained.problem->projections->b_query);
        CHECK(typed.problem->projections->sink_logits == trained.problem->projections->sink_logits);
        CHECK(typed.trace.output == trained.trace.output);
        CHECK(typed.run->loss() == trained.run->loss());
    }
}

TEST_CASE("more trained numbers than there may be edits are not kept in part", "[recipe][bad-input]") {
    const PlaygroundState state = state_of("text=a+b+c&d_in=90&d_out=90&heads=1&goal=next&steps=1");
    // Four matrices of 8,100 numbers, all of which the loss depends on.
    CHECK_FALSE(keep_training(state.inputs, *evaluate(state.inputs, 0).run));
}
