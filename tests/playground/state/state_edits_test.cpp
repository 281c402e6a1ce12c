// Edits: kept sorted, one a cell, legal, and put on the problem they belong to.
#include "playground/state/state_edits.h"

#include <catch_amalgamated.hpp>
#include <limits>

#include "playground/numbers/evaluation.h"
#include "playground/random_states.h"

using namespace attn;
using namespace attn::test;

namespace {

Edit at(TensorId tensor, int sentence, int row, int column, float value) {
    return {.tensor = tensor, .sentence = sentence, .row = row, .column = column, .value = value};
}

Inputs three_words() {
    Inputs inputs;
    inputs.texts = {"one two three"};
    return inputs;
}

}  // namespace

TEST_CASE("edits made in any order, one by one or at once, are the same state", "[edits][property]") {
    Dice dice(3);
    for (int n = 0; n < 200; ++n) {
        std::vector<Edit> one_by_one, at_once;
        for (int i = 0; i < 30; ++i) {
            const Edit edit = at(dice.coin() ? TensorId::w_key : TensorId::embeddings, 0, dice.below(3), dice.below(3),
                                 static_cast<float>(i));
            set_edit(one_by_one, edit);
            at_once.push_back(edit);
        }
        CHECK(clamp_edits(at_once, 0).empty());
        CHECK(at_once == one_by_one);
    }
}

TEST_CASE("an edit can be found and taken back", "[edits]") {
    Inputs inputs;
    set_edit(inputs.edits, at(TensorId::w_out, 0, 1, 2, 5));
    set_edit(inputs.edits, at(TensorId::w_query, 0, 1, 2, 6));
    REQUIRE(find_edit(inputs, TensorId::w_query, 0, 1, 2) != nullptr);
    CHECK(find_edit(inputs, TensorId::w_query, 0, 1, 2)->value == 6);
    CHECK(find_edit(inputs, TensorId::w_query, 0, 2, 1) == nullptr);
    CHECK(find_edit(inputs, TensorId::mask, 0, 1, 2) == nullptr);
    inputs.layer = 1;  // of a model: another layer's number
    CHECK(find_edit(inputs, TensorId::w_query, 0, 1, 2) == nullptr);
    CHECK_FALSE(remove_edit(inputs, TensorId::w_query, 0, 1, 2));
    inputs.layer = 0;
    CHECK(remove_edit(inputs, TensorId::w_query, 0, 1, 2));
    CHECK_FALSE(remove_edit(inputs, TensorId::w_query, 0, 1, 2));
    CHECK(inputs.edits == std::vector{at(TensorId::w_out, 0, 1, 2, 5)});
}

TEST_CASE("an edit that names no layer becomes the shown one's, in the place of what was there", "[edits]") {
    Edit without = at(TensorId::w_query, 0, 1, 2, 6), other = at(TensorId::w_query, 0, 1, 2, 5);
    without.layer = kShownLayer;
    other.layer = 3;
    std::vector<Edit> edits = {other, without};
    CHECK(clamp_edits(edits, 3).empty());
    other.value = 6;
    CHECK(edits == std::vector{other});
}

TEST_CASE("illegal edits are left out or moved, with a note", "[edits][bad-input]") {
    const float infinity = std::numeric_limits<float>::infinity();
    std::vector<Edit> edits = {at(TensorId::w_query, 0, 8192, 0, 1),    at(TensorId::w_query, 1, 0, 0, 1),
                               at(TensorId::b_key, 0, 1, 0, 1),         at(TensorId::scores, 0, 0, 0, 1),
                               at(TensorId::mask, 0, 0, -1, 1),         at(TensorId::mask, 15, 2047, 2047, 7),
                               at(TensorId::w_value, 0, 0, 1, infinity)};
    const Notes notes = clamp_edits(edits, 0);
    CHECK(edits == std::vector{at(TensorId::w_value, 0, 0, 1, 0), at(TensorId::mask, 15, 2047, 2047, 1)});
    CHECK(notes == Notes{"5 edits left out: no tensor is so large that it has such a row or column",
                         "w_value[0,1] set to 0: an edit must be a finite number",
                         "mask[15,2047,2047] set to 1: in the mask 0 is visible and 1 is hidden"});
}

TEST_CASE("no more than twenty thousand edits are kept", "[edits][bad-input]") {
    std::vector<Edit> edits;
    for (int i = 0; i < 25000; ++i) edits.push_back(at(TensorId::embeddings, 0, i / 1000, i % 1000, 1));
    CHECK(clamp_edits(edits, 0) == Notes{"the first 20,000 edits are kept and 5,000 left out"});
    CHECK(edits.size() == kMaxEdits);
    CHECK(edits.back() == at(TensorId::embeddings, 0, 19, 999, 1));
}

TEST_CASE("each edit reaches the cell it names", "[edits]") {
    Inputs inputs = three_words();
    inputs.bias = true;
    inputs.latent = inputs.query_latent = 3;
    inputs.positions = Positions::rope;
    inputs.rope_dim = 2;
    inputs.sink_logits = true;
    for (const TensorId tensor : editable_tensors()) {
        const bool is_one_row = is_bias(tensor);
        // Row 2, column 1 is visible under the causal mask, so hiding it changes something.
        set_edit(inputs.edits, at(tensor, 0, is_one_row ? 0 : 2, 1, tensor == TensorId::mask ? 1.0f : 77.0f));
    }
    const Evaluation edited = evaluate(inputs, 0);
    CHECK(edited.notes == Notes{"2 edits not in use: q_norm[1], k_norm[1] lie outside the present shapes"});  // latents
    const AttentionProblem& problem = *edited.problem;
    const Projections& learned = problem.projections;
    CHECK(problem.embeddings(2, 1) == 77);
    CHECK(learned.w_query(2, 1) == 77);
    CHECK(learned.w_key(2, 1) == 77);
    CHECK(learned.w_value(2, 1) == 77);
    CHECK(learned.w_down_query(2, 1) == 77);
    CHECK(learned.w_down_kv(2, 1) == 77);
    CHECK(learned.w_query_rope(2, 1) == 77);
    CHECK(learned.w_key_rope(2, 1) == 77);
    CHECK(learned.w_out(2, 1) == 77);
    CHECK(learned.b_query(1) == 77);
    CHECK(learned.b_key(1) == 77);
    CHECK(learned.b_value(1) == 77);
    CHECK(learned.b_out(1) == 77);
    CHECK(learned.sink_logits(1) == 77);
    CHECK(problem.hidden(2, 1) == 1);
    CHECK(edited.trace.query(0, 2, 1) == 77);
    CHECK(edited.trace.key(0, 2, 1) == 77);
    CHECK(edited.trace.value(0, 2, 1) == 77);

    inputs.edits.clear();
    const Evaluation plain = evaluate(inputs, 0);
    int num_changed = 0;
    for (int i = 0; i < inputs.query_latent; ++i) {
        for (int c = 0; c < 4; ++c) num_changed += plain.problem->projections->w_query(i, c) != learned.w_query(i, c);
    }
    CHECK(num_changed == 1);
}

TEST_CASE("weights of norms and sinks are edited, and are as before without the edit", "[edits]") {
    PlaygroundState state;
    state.inputs = three_words();
    state.inputs.qk_norm = state.inputs.sink_logits = true;
    const auto edits = {at(TensorId::q_norm, 0, 0, 1, 7), at(TensorId::k_norm, 0, 0, 0, 8),
                        at(TensorId::sink_logits, 0, 0, 1, 9)};
    Evaluator evaluator;
    for (const Edit& edit : edits) set_edit(state.inputs.edits, edit);
    const Projections edited = evaluator.update(state).problem->projections;
    CHECK(edited.q_norm(1) == 7);
    CHECK(edited.k_norm(0) == 8);
    CHECK(edited.sink_logits(1) == 9);
    state.inputs.edits.clear();
    const Projections plain = evaluator.update(state).problem->projections;
    CHECK(plain.q_norm == Vector{1, 1});
    CHECK(plain.k_norm == Vector{1, 1});
    CHECK(plain.sink_logits == Vector{0, 0});
}

TEST_CASE("x and the mask are edited sentence by sentence, the matrices for all", "[edits]") {
    Inputs inputs = three_words();
    inputs.texts.push_back("four five six");
    inputs.edits = {at(TensorId::embeddings, 1, 0, 0, 50), at(TensorId::w_query, 0, 0, 0, 60),
                    at(TensorId::mask, 1, 0, 1, 0)};
    const Evaluation first = evaluate(inputs, 0), second = evaluate(inputs, 1);
    CHECK(first.problem->embeddings(0, 0) != 50);
    CHECK(second.problem->embeddings(0, 0) == 50);
    CHECK(first.problem->projections->w_query(0, 0) == 60);
    CHECK(second.problem->projections->w_query(0, 0) == 60);
    CHECK(first.problem->hidden(0, 1) == 1);
    CHECK(second.problem->hidden(0, 1) == 0);
}

TEST_CASE("queries, keys and values are typed before the cut into heads, sentence by sentence", "[edits]") {
    Inputs inputs = three_words();  // two heads of 2
    inputs.texts.push_back("four five six");
    inputs.edits = {at(TensorId::queries, 1, 2, 3, 50), at(TensorId::values, 0, 0, 2, 60)};
    const Evaluation first = evaluate(inputs, 0), second = evaluate(inputs, 1);
    CHECK(first.trace.value(1, 0, 0) == 60);
    CHECK(second.trace.value(1, 0, 0) != 60);
    CHECK(first.trace.query(1, 2, 1) != 50);
    CHECK(second.trace.query(1, 2, 1) == 50);
}

TEST_CASE("edits that a shape leaves out come back with it", "[edits]") {
    Inputs inputs = three_words();
    inputs.edits = {at(TensorId::queries, 0, 2, 3, 50), at(TensorId::w_query, 0, 7, 3, 60)};
    const Evaluation whole = evaluate(inputs, 0);
    Inputs smaller = inputs;
    smaller.texts = {"one two"};
    smaller.d_in = 7;
    CHECK(evaluate(smaller, 0).notes ==
          Notes{"2 edits not in use: queries[2,3], w_query[7,3] lie outside the present shapes"});
    smaller.texts = inputs.texts;
    smaller.d_in = inputs.d_in;
    const Evaluation again = evaluate(smaller, 0);
    CHECK(again.notes.empty());
    CHECK(again.trace.query == whole.trace.query);
    CHECK(again.trace.query(1, 2, 1) == 50);
}

TEST_CASE("edits outside the present shapes wait there and are named", "[edits]") {
    Inputs inputs = three_words();
    inputs.edits = {at(TensorId::embeddings, 0, 3, 0, 1), at(TensorId::w_query, 0, 0, 3, 1),
                    at(TensorId::w_query, 0, 0, 4, 1), at(TensorId::b_query, 0, 0, 0, 1)};
    CHECK(evaluate(inputs, 0).notes ==
          Notes{"3 edits not in use: x[3,0], w_query[0,4], b_query[0] lie outside the present shapes"});
    inputs.init = Init::none;
    inputs.d_out = 8;
    inputs.out = false;
    inputs.edits = {at(TensorId::w_out, 0, 0, 0, 1)};
    CHECK(evaluate(inputs, 0).notes == Notes{"1 edit not in use: w_out[0,0] lies outside the present shapes"});
}

TEST_CASE("a row of the mask that hides every key shows its own again", "[edits][bad-input]") {
    Inputs inputs = three_words();
    inputs.edits = {at(TensorId::mask, 0, 0, 0, 1), at(TensorId::mask, 0, 1, 0, 1)};
    const Evaluation evaluation = evaluate(inputs, 0);
    CHECK(evaluation.problem->hidden(0, 0) == 0);
    CHECK(evaluation.problem->hidden(1, 0) == 1);
    CHECK(
        evaluation.notes ==
        Notes{
            "the mask hid every key from token 0: a token that sees nothing has no weights, so it sees itself again"});
}
