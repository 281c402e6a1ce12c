// Heads computed one by one and heads cut from one matrix: the same numbers.
#include "views/stacked/stacked_heads.h"
#include "core/fast/attend.h"

#include <catch_amalgamated.hpp>

#include "playground/link/state_url.h"
#include "playground/random_states.h"
#include "views/words/view_text.h"

using namespace attn;
using namespace attn::test;

namespace {

Evaluation evaluated(std::string_view link) {
    return evaluate(read_link(link).state.inputs, 0);
}

}  // namespace

// Every sum of the program runs in one order, however many columns stand beside it: so no tolerance.
TEST_CASE("single heads side by side are the merged heads, bit for bit", "[stacked][property]") {
    for (const char* link : {"",
                             "heads=1",
                             "heads=4",
                             "d_out=12&heads=3&bias=1",
                             "dropout=.4&heads=4",
                             "mask=none&scale=dim",
                             "init=none&d_out=8&heads=4",
                             "init=torch.randn&d_out=64&heads=8&d_in=5",
                             "mask_at=after&temperature=.3",
                             "mask_at=raw&dropout=.5",
                             "text=one",
                             "edit=w_key[0,3]=7;w_query[1,0]=-2&bias=1&edit=b_value[2]=9",
                             "edit=queries[1,3]=4&edit=values[0,0]=-1",
                             "d_out=8&heads=4&kv_heads=2&bias=1&edit=keys[1,3]=4",
                             "d_out=8&heads=4&kv_heads=1&kv_from=mean",
                             "d_out=8&heads=4&latent=3&latent_queries=2",
                             "d_out=8&heads=4&latent=3&pos=rope&rope_dim=2",
                             "d_out=8&heads=4&kv_heads=2&qk_norm=1&pos=rope&edit=q_norm[1]=1.5",
                             "d_out=8&heads=4&sink_logits=1&edit=sink_logits[2]=1.5",
                             "d_out=6&heads=2&kv_heads=1&latent=3&pos=rope&rope_dim=4",
                             "d_out=8&heads=4&kv_heads=2&latent=5&bias=1&edit=w_down_kv[1,2]=3"}) {
        CAPTURE(link);
        const Evaluation evaluation = evaluated(link);
        const StackedHeads stacked = stack_heads(evaluation);
        CHECK(stacked.num_heads == evaluation.sizes.num_heads);
        CHECK(stacked.concatenated == evaluation.trace.merged);
        CHECK(stacked.num_different == 0);
        CHECK(stacked.largest == 0);
    }
}

TEST_CASE("a single head has its own columns and its own part of the keep mask", "[stacked]") {
    const Evaluation evaluation = evaluated("bias=1&dropout=.5&dropout_seed=3");
    const AttentionProblem& problem = *evaluation.problem;
    const AttentionProblem second = single_head_problem(problem, 1);
    CHECK(second.d_out() == 2);
    CHECK(second.settings.num_heads == 1);
    for (int i = 0; i < 8; ++i) {
        CHECK(second.projections->w_query(i, 0) == problem.projections->w_query(i, 2));
        CHECK(second.projections->w_value(i, 1) == problem.projections->w_value(i, 3));
    }
    CHECK(second.projections->b_key(1) == problem.projections->b_key(3));
    CHECK(second.projections->w_out.size() == 0);
    const AttentionTrace alone = attend(second);
    bool has_dropped = false;
    for (int i = 0; i < 11; ++i) {
        for (int j = 0; j < 11; ++j) {
            CHECK(alone.keep(0, i, j) == evaluation.trace.keep(1, i, j));
            has_dropped = has_dropped || alone.keep(0, i, j) == 0;
        }
    }
    CHECK(has_dropped);
}

TEST_CASE("what differs is counted", "[stacked]") {
    Evaluation evaluation = evaluated("");
    evaluation.trace.merged(2, 3) += 0.5F;
    const StackedHeads stacked = stack_heads(evaluation);
    CHECK(stacked.num_different == 1);
    CHECK(stacked.largest == Catch::Approx(0.5));
    CHECK(stacked_in_words(stacked) == "1 of 44 numbers differ, by at most 0.5000");
    CHECK(stacked_in_words(stack_heads(evaluated(""))) == "all 44 numbers are the same, bit for bit");
    CHECK(stacked_in_words(stack_heads(evaluated("text=a&d_out=1&heads=1"))) ==
          "the one number is the same, bit for bit");
}

TEST_CASE("of very many scores the first heads are compared", "[stacked]") {
    std::string text = "text=";
    for (int i = 0; i < 1100; ++i) text += "a+";
    const StackedHeads stacked = stack_heads(evaluated(text + "&d_out=8&heads=8"));
    CHECK(stacked.num_heads == 3);  // 3 * 1100 * 1100 < 2^22 < 4 * 1100 * 1100
    CHECK(stacked.merged.shape(1) == 3);
    CHECK(stacked.num_different == 0);
}

TEST_CASE("the stack is told as text", "[stacked]") {
    const PlaygroundState state = read_link("view=stacked").state;
    Evaluator evaluator;
    evaluator.update(state);
    const std::vector<TextTable> tables = tables_of_view(state, evaluator);
    REQUIRE(tables.size() == 3);
    CHECK(tables[0].columns.at(3) == "head 2 channel 0");
    CHECK(tables[0].rows == tables[1].rows);
    CHECK(tables[2].title == "Difference: all 44 numbers are the same, bit for bit");
    CHECK(tables[2].rows[0][1] == "0");
}
