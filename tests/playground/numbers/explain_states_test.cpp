// Explanations of whole states: every number of every stage of every sentence adds up, whatever was chosen and typed.
#include <catch_amalgamated.hpp>
#include <cmath>
#include <string>

#include "core/explain/stage_numbers.h"
#include "core/explanation_bound.h"
#include "core/problems.h"
#include "playground/link/legal.h"
#include "playground/link/state_url.h"
#include "playground/numbers/evaluation.h"
#include "playground/random_states.h"
#include "playground/state/state_edits.h"
#include "playground/state/words.h"
#include "samples.h"

using namespace attn;
using namespace attn::test;

namespace {

// Some numbers typed over, most of them inside the shapes.
void type_numbers(Dice& dice, Inputs& inputs) {
    for (int n = dice.below(14); n > 0; --n) {
        const TensorId tensor =
            editable_tensors()[static_cast<std::size_t>(dice.below(static_cast<int>(editable_tensors().size())))];
        const float number = static_cast<float>(dice.below(601) - 300) / 100;
        set_edit(inputs.edits, {.tensor = tensor,
                                .sentence = is_of_sentence(tensor) ? dice.below(2) : 0,
                                .row = is_bias(tensor) ? 0 : dice.below(4),
                                .column = dice.below(6),
                                .value = tensor == TensorId::mask ? static_cast<float>(dice.below(2)) : number});
    }
}

// A small legal state with finite numbers: all ways to embed, to make matrices, to mask, to drop.
PlaygroundState small_state(Dice& dice) {
    PlaygroundState state;
    Inputs& inputs = state.inputs;
    inputs.texts = {"one two three four"};
    if (dice.coin()) inputs.texts.push_back("five six");
    inputs.embed = dice.one_of(kEmbeddingWords).choice;
    inputs.typed = {{{1, -2}, {0.5F}, {3, 3, 3}}};
    inputs.positions = dice.one_of(kPositionWords).choice;
    inputs.d_in = 1 + dice.below(7);
    inputs.num_heads = 1 + dice.below(3);
    inputs.d_out = inputs.num_heads * (1 + dice.below(4));
    inputs.mask = dice.one_of(kMaskWords).choice;
    inputs.mask_at = dice.one_of(kMaskAtWords).choice;
    inputs.scale = dice.one_of(kScaleWords).choice;
    inputs.temperature = dice.coin() ? 1 : 0.25;
    inputs.dropout = dice.coin() ? 0 : 0.3;
    inputs.init = dice.one_of(kInitWords).choice;
    inputs.seed = dice.bits();
    inputs.bias = dice.coin();
    inputs.out = dice.coin();
    type_numbers(dice, inputs);
    clamp_to_legal(state);
    return state;
}

// The same with a goal, before training or after a few steps.
PlaygroundState learning_state(Dice& dice) {
    PlaygroundState state = small_state(dice);
    Inputs& inputs = state.inputs;
    inputs.goal = dice.coin() ? GoalKind::pattern : GoalKind::next;
    if (inputs.goal == GoalKind::next) inputs.d_in = inputs.d_out;
    for (int n = dice.below(6); n > 0; --n) {
        inputs.targets.push_back({.sentence = dice.below(2),
                                  .head = dice.below(inputs.num_heads),
                                  .query = dice.below(4),
                                  .key = dice.below(4),
                                  .share = 1.0 + dice.below(3)});
    }
    inputs.steps = dice.below(4);
    clamp_to_legal(state);
    return state;
}

void require_adds_up(const Evaluation& evaluation, const CellRef& cell) {
    const AttentionProblem& problem = *evaluation.problem;
    const Explanation why =
        explain(problem, evaluation.trace, evaluation.parts, cell.tensor, cell.head, cell.row, cell.column);
    const Vector row = stage_row(problem, evaluation.trace, cell.tensor, cell.head, cell.row);
    REQUIRE(same_bits(why.shown, row(cell.column)));
    if (why.is_hidden) return;
    const double shown = static_cast<double>(why.shown);
    // 0 / 0 where the mask left nothing: the terms say so, too. A target whose weight is 0 has an infinite gradient.
    const bool is_right = std::isnan(shown)
                              ? std::isnan(why.result())
                              : why.result() == shown || std::abs(why.result() - shown) <= allowed_error(why);
    if (!is_right) FAIL("shown " << shown << ", the terms give " << why.result());
}

int check_every_cell(const Inputs& inputs, int sentence) {
    int num_cells = 0;
    const Evaluation evaluation = evaluate(inputs, sentence);
    for (const TensorId stage : present_stages(inputs)) {
        const Extent extent = extent_of(evaluation.sizes, stage);
        for (int h = 0; h < (stage_info(stage).has_heads ? inputs.num_heads : 1); ++h) {
            for (int i = 0; i < extent.rows; ++i) {
                for (int j = 0; j < extent.columns; ++j, ++num_cells) {
                    INFO(tensor_name(stage) << " head " << h << " (" << i << ", " << j << ")");
                    require_adds_up(evaluation, {stage, h, i, j});
                }
            }
        }
    }
    return num_cells;
}

}  // namespace

TEST_CASE("every number of random states is the sum of its terms", "[explain][property]") {
    Dice dice(2024);
    int num_cells = 0;
    for (int n = 0; n < samples(400); ++n) {
        const PlaygroundState state = small_state(dice);
        CAPTURE(write_link(state));
        for (int s = 0; s < static_cast<int>(state.inputs.texts.size()); ++s)
            num_cells += check_every_cell(state.inputs, s);
    }
    CHECK(num_cells > samples(100000));
}

TEST_CASE("every number of random states with a goal is the sum of its terms", "[explain][learn][property]") {
    Dice dice(2026);
    int num_cells = 0;
    for (int n = 0; n < samples(300); ++n) {
        const PlaygroundState state = learning_state(dice);
        CAPTURE(write_link(state));
        for (int s = 0; s < static_cast<int>(state.inputs.texts.size()); ++s)
            num_cells += check_every_cell(state.inputs, s);
    }
    CHECK(num_cells > samples(100000));
}

TEST_CASE("in random states the mask after the softmax, divided again, weighs as the mask before it",
          "[masking][property]") {
    Dice dice(2025);
    int num_compared = 0;
    for (int n = 0; n < samples(300); ++n) {
        PlaygroundState state = small_state(dice);
        state.inputs.mask_at = MaskAt::before;
        const Evaluation before = evaluate(state.inputs, 0);
        state.inputs.mask_at = MaskAt::after;
        const Evaluation after = evaluate(state.inputs, 0);
        CAPTURE(write_link(state));
        for (int h = 0; h < state.inputs.num_heads; ++h) {
            const Matrix a = stage_matrix(*before.problem, before.trace, TensorId::weights, h);
            const Matrix b = stage_matrix(*after.problem, after.trace, TensorId::weights, h);
            const Matrix scores = stage_matrix(*after.problem, after.trace, TensorId::scaled_scores, h);
            for (std::size_t k = 0; k < a.size(); ++k) {
                // Where what is left of the row is smaller than floats are fine, the two part: 0 / 0 at the end.
                if (std::isnan(b.data()[k])) continue;
                // exp(s - max) is off by the rounding of its exponent, which grows with the scores of the row.
                float largest = 1;
                for (const float score : row_of(scores, static_cast<int>(k) / length(a, 1)))
                    largest = std::max(largest, std::abs(score));
                const double tolerance = static_cast<double>(largest) * 8 * 0x1p-24;
                const double distance = std::abs(static_cast<double>(a.data()[k]) - static_cast<double>(b.data()[k]));
                if (!(distance <= tolerance)) FAIL(a.data()[k] << " before, " << b.data()[k] << " after");
                ++num_compared;
            }
        }
    }
    CHECK(num_compared > samples(5000));
}
