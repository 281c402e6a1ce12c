// What follows from the inputs: tokens, embeddings, sizes, and when it is computed again.
#include "playground/numbers/evaluation.h"
#include "playground/link/legal.h"

#include <array>
#include <catch_amalgamated.hpp>
#include <cmath>
#include <limits>

#include "core/ground/random.h"
#include "playground/linked.h"
#include "playground/random_states.h"

using namespace attn;
using namespace attn::test;

namespace {

std::vector<float> numbers_of(const Matrix& matrix) {
    return {matrix.begin(), matrix.end()};
}

}  // namespace

TEST_CASE("the default sentence has eleven tokens and every stage its shape", "[evaluation]") {
    const Evaluation evaluation = evaluate(Inputs(), 0);
    REQUIRE(evaluation.num_tokens() == 11);
    CHECK(evaluation.notes.empty());
    CHECK(stage_shape(evaluation, TensorId::embeddings) == std::vector<int>{11, 8});
    CHECK(stage_shape(evaluation, TensorId::queries) == std::vector<int>{2, 11, 2});
    CHECK(stage_shape(evaluation, TensorId::weights) == std::vector<int>{2, 11, 11});
    CHECK(stage_shape(evaluation, TensorId::output) == std::vector<int>{11, 4});
    for (const TensorId stage : present_stages(Inputs())) {
        const Matrix matrix = shown_matrix(evaluation, stage, 0);
        const Extent extent = extent_of(evaluation.sizes, stage);
        CHECK((length(matrix, 0) == extent.rows && length(matrix, 1) == extent.columns));
    }
}

// LeetGPU, exercise 112, as tests/core has it: here as a link with typed queries, keys and values.
TEST_CASE("a window and a sink come out as printed from a link", "[evaluation][golden]") {
    const Evaluation evaluation = evaluate(
        read_link("text=a+b+c+d&embed=typed&x=1;0,1;0,0,1;0,0,0,1&pos=none&d_in=4&init=none&d_out=4&heads=1&out=0"
                  "&mask_window=2&mask_sinks=1&edit=values[0,0]=1,2,3,4;5,6,7,8;9,10,11,12;13,14,15,16")
            .state.inputs,
        0);
    const std::vector<float> context = numbers_of(shown_matrix(evaluation, TensorId::context, 0));
    REQUIRE(context.size() == 16);
    constexpr std::array kPrinted = {1.0, 3.4898374, 5.7111764, 8.6149015};
    for (std::size_t k = 0; k < 16; ++k)
        CHECK(std::abs(static_cast<double>(context[k]) - (kPrinted[k / 4] + static_cast<double>(k % 4))) < 2e-6);
}

TEST_CASE("every random legal state can be computed, in the shapes it announces", "[evaluation][property]") {
    Dice dice(29);
    for (int n = 0; n < 400; ++n) {
        PlaygroundState state = random_state(dice);
        if (state.inputs.d_in > 16) state.inputs.d_in = 16;
        if (state.inputs.d_out > 16) state.inputs.d_out = 16;
        clamp_to_legal(state);
        CAPTURE(n, write_link(state));
        const Evaluation evaluation = evaluate(state.inputs, state.view.sentence);
        for (const TensorId stage : present_stages(state.inputs)) {
            const std::vector<int> shape = stage_shape(evaluation, stage);
            if (stage_info(stage).rows == Axis::token) CHECK(shape[shape.size() - 2] == evaluation.num_tokens());
            if (evaluation.is_empty()) continue;
            CHECK(has_stage(*evaluation.problem, stage));
            const Matrix matrix =
                shown_matrix(evaluation, stage, stage_info(stage).has_heads ? state.inputs.num_heads - 1 : 0);
            CHECK((length(matrix, 0) == shape[shape.size() - 2] && length(matrix, 1) == shape.back()));
        }
    }
}

TEST_CASE("an empty sentence has sizes, a friendly note and nothing else", "[evaluation][bad-input]") {
    for (const std::string_view link : {"text=", "text=+++", "text=%0A%09&dropout=0.5"}) {
        const Evaluation evaluation = evaluation_of(link);
        CHECK(evaluation.is_empty());
        CHECK(evaluation.notes.size() == 1);
        CHECK(stage_shape(evaluation, TensorId::weights) == std::vector<int>{2, 0, 0});
        CHECK(stage_shape(evaluation, TensorId::embeddings) == std::vector<int>{0, 8});
    }
}

TEST_CASE("a cell is there in its stage, head, row and column, once it is computed", "[evaluation][bad-input]") {
    const Inputs inputs = read_link("text=one+step+more&heads=2&d_out=4&out=0").state.inputs;
    const Evaluation evaluation = evaluate(inputs, 0);
    CHECK(has_cell(evaluation, TensorId::weights, {.head = 1, .row = 2, .column = 2}));
    CHECK_FALSE(has_cell(evaluation, TensorId::weights, {.head = 2, .row = 2, .column = 2}));
    CHECK_FALSE(has_cell(evaluation, TensorId::weights, {.head = 1, .row = 3, .column = 2}));
    CHECK_FALSE(has_cell(evaluation, TensorId::weights, {.head = 1, .row = 2, .column = 3}));
    CHECK_FALSE(has_cell(evaluation, TensorId::weights, {.head = 0, .row = -1, .column = 0}));
    CHECK_FALSE(has_cell(evaluation, TensorId::weights, {.head = -1, .row = 0, .column = 0}));
    CHECK(has_cell(evaluation, TensorId::context, {.head = 1, .row = 2, .column = 1}));
    CHECK_FALSE(has_cell(evaluation, TensorId::context, {.head = 1, .row = 2, .column = 2}));
    CHECK_FALSE(has_cell(evaluation, TensorId::merged, {.head = 1, .row = 2, .column = 2}));  // one for all heads
    CHECK_FALSE(has_cell(evaluation, TensorId::output, {}));
    CHECK_FALSE(has_cell(evaluation, TensorId::dropped_weights, {}));
    CHECK_FALSE(has_cell(evaluation_of("text="), TensorId::embeddings, {}));
    CHECK_FALSE(has_cell(begin_evaluation(inputs, 0), TensorId::merged, {}));
}

TEST_CASE("tokens after the first 2,048 are left out, and said so", "[evaluation][bad-input]") {
    Inputs inputs;
    inputs.texts[0].clear();
    for (int i = 0; i < 10000; ++i) inputs.texts[0] += "word ";
    inputs.num_heads = 1;
    inputs.d_in = inputs.d_out = 1;
    const Evaluation evaluation = evaluate(inputs, 0);
    CHECK(evaluation.num_tokens() == 2048);
    CHECK(evaluation.notes == Notes{"the first 2,048 of 10,000 tokens are used"});
}

TEST_CASE("typed rows are the embeddings, and what is missing counts as 0", "[evaluation]") {
    const std::string link = "text=a+b+c&embed=typed&pos=none&x=1,2;3";
    const Evaluation evaluation = evaluation_of(link);
    CHECK(numbers_of(evaluation.problem->embeddings) == std::vector<float>{1, 2, 3, 0, 0, 0});
    CHECK(evaluation.notes == Notes{"1 token without a typed row: its numbers count as 0",
                                    "typed row 1: fewer than d_in = 2 numbers, the rest count as 0"});
    const Evaluation narrow = evaluation_of("text=a&embed=typed&pos=none&d_in=1&x=1,2;3");
    CHECK(numbers_of(narrow.problem->embeddings) == std::vector<float>{1});
    CHECK(narrow.notes == Notes{"1 typed row not in use: the sentence has 1 token",
                                "typed row 0: numbers after the first d_in = 1 are not in use"});
}

TEST_CASE("the last typed rows serve the sentences that have none", "[evaluation]") {
    const std::string link = "text=a&text=b&text=c&embed=typed&pos=none&x=1,2&x=3,4";
    CHECK(numbers_of(evaluation_of(link, 0).problem->embeddings) == std::vector<float>{1, 2});
    CHECK(numbers_of(evaluation_of(link, 1).problem->embeddings) == std::vector<float>{3, 4});
    CHECK(numbers_of(evaluation_of(link, 2).problem->embeddings) == std::vector<float>{3, 4});
}

TEST_CASE("nn.Embedding has one row for each distinct token of the whole batch", "[evaluation]") {
    // Distinct tokens in code point order: B a b. So the rows of seed 123's nn.Embedding(3, 3) come as a=1, b=2, B=0.
    const std::string link = "text=a+b&text=B+a&embed=torch&embed_seed=123&pos=none&d_in=3";
    const Matrix table =
        torch_embeddings(std::vector<std::string>{"0", "1", "2"}, std::vector<std::string>{"0", "1", "2"}, 3, 123);
    const Matrix first = evaluation_of(link, 0).problem->embeddings,
                 second = evaluation_of(link, 1).problem->embeddings;
    for (int c = 0; c < 3; ++c) {
        CHECK(first(0, c) == table(1, c));
        CHECK(first(1, c) == table(2, c));
        CHECK(second(0, c) == table(0, c));
        CHECK(second(1, c) == table(1, c));
    }
}

TEST_CASE("positions are added to the token vectors", "[evaluation]") {
    const Evaluation with = evaluation_of("text=a+a"), without = evaluation_of("text=a+a&pos=none");
    CHECK(with.problem->embeddings(1, 0) == without.problem->embeddings(1, 0) + std::sin(1.0f));
    CHECK(without.problem->embeddings(0, 3) == without.problem->embeddings(1, 3));
}

TEST_CASE("positions of another kind are not taken over from the evaluation before", "[evaluation]") {
    CachedEvaluation cached;
    const auto positions_of = [&](const std::string& link) {
        cached.begin(read_link(link).state.inputs, 0, 0);
        while (!cached.advance(1'000'000)) continue;
        return cached.evaluation().parts.positions;
    };
    const Matrix learned = positions_of("text=a+b+c&pos=learned");
    CHECK(positions_of("text=a+b+c&pos=sin") == sinusoidal_positions(3, 8));
    CHECK(positions_of("text=a+b+c&pos=learned") == learned);
}

TEST_CASE("dropout goes on where the earlier sentences of the batch stopped", "[evaluation]") {
    // Two sentences of T = 2 and 3 with two heads: 2*2*2 and 2*3*3 draws, one row of numbers for both.
    const std::string settings = "&dropout=0.5&dropout_seed=9&heads=2";
    const std::string batch = "text=a+b&text=c+d+e" + settings;
    const Evaluation first = evaluation_of(batch, 0), second = evaluation_of(batch, 1);
    std::vector<std::uint8_t> drawn(8 + 18);
    TorchGenerator generator(9);
    fill_keep_mask(generator, drawn, 0.5, 0);
    CHECK(std::equal(first.trace.keep.begin(), first.trace.keep.end(), drawn.begin(), drawn.begin() + 8));
    CHECK(std::equal(second.trace.keep.begin(), second.trace.keep.end(), drawn.begin() + 8, drawn.end()));
}

TEST_CASE("hidden cells are -inf in what is shown of masked scores and weights, and nowhere else", "[evaluation]") {
    const Evaluation evaluation = evaluation_of("text=a+b+c&dropout=0.5");
    const float hidden = -std::numeric_limits<float>::infinity();
    for (const TensorId stage : {TensorId::masked_scores, TensorId::weights, TensorId::dropped_weights}) {
        const Matrix shown = shown_matrix(evaluation, stage, 1);
        CHECK(shown(0, 1) == hidden);
        CHECK(shown(1, 2) == hidden);
        CHECK(std::isfinite(shown(2, 0)));
    }
    CHECK(std::isfinite(shown_matrix(evaluation, TensorId::scaled_scores, 1)(0, 1)));
}

TEST_CASE("numbers too large for a float are told, not hidden", "[evaluation][bad-input]") {
    const Evaluation evaluation = evaluation_of("text=a+b&edit=x[0,0]=3e38;3e38&edit=w_query[0,0]=3e38");
    REQUIRE(evaluation.notes.size() == 1);
    CHECK(evaluation.notes[0].find("too large for a float") != std::string::npos);
}

TEST_CASE("a mask after the softmax hides weights, not the softmax before it", "[evaluation]") {
    const Evaluation evaluation = evaluation_of("text=a+b+c&dropout=0.5&mask_at=after");
    const float hidden = -std::numeric_limits<float>::infinity();
    for (const TensorId stage : {TensorId::weights, TensorId::dropped_weights})
        CHECK(shown_matrix(evaluation, stage, 1)(0, 1) == hidden);
    CHECK(std::isfinite(shown_matrix(evaluation, TensorId::unmasked_weights, 1)(0, 1)));
}

TEST_CASE("rows of which the mask leaves nothing are named", "[evaluation][bad-input]") {
    const std::string link = "text=a+b&heads=1&edit=queries[0,0]=1e3&edit=keys[1,0]=1e3";
    CHECK(evaluation_of(link).notes.empty());
    CHECK(evaluation_of(link + "&mask_at=raw").notes.empty());
    CHECK(evaluation_of(link + "&mask_at=after").notes ==
          Notes{"the mask after the softmax left nothing of row 0: 0 / 0 is not a number (before the softmax it would "
                "not happen)"});
}

TEST_CASE("the numbers before what was typed are kept beside it", "[evaluation]") {
    PlaygroundState state = read_link("text=a+b&edit=queries[1,2]=7&edit=x[0,0]=3").state;
    Evaluator evaluator;
    evaluator.update(state);
    REQUIRE(evaluator.unedited() != nullptr);
    const Evaluation plain = evaluation_of("text=a+b");
    CHECK(evaluator.shown().trace.query(1, 1, 0) == 7);
    CHECK(evaluator.unedited()->trace.query == plain.trace.query);
    CHECK(evaluator.unedited()->problem->embeddings == plain.problem->embeddings);
    state.inputs.edits.clear();
    evaluator.update(state);
    CHECK(evaluator.unedited() == nullptr);
}

TEST_CASE("the evaluator computes when inputs or sentence change, and only then", "[evaluation]") {
    PlaygroundState state = read_link("text=a&text=b+c").state;
    Evaluator evaluator;
    CHECK(evaluator.update(state).num_tokens() == 1);
    CHECK(evaluator.version() == 1);
    state.view.stage = TensorId::context;
    state.view.head = 0;
    evaluator.update(state);
    CHECK(evaluator.version() == 1);
    state.view.sentence = 1;
    CHECK(evaluator.update(state).num_tokens() == 2);
    CHECK(evaluator.version() == 2);
    state.inputs.seed = 5;
    evaluator.update(state);
    CHECK(evaluator.version() == 3);
    evaluator.update(state);
    CHECK(evaluator.version() == 3);
}
