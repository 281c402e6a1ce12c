// See evaluation.h. The road from inputs to trace, one step a line in evaluate().
#include "playground/evaluation.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/check.h"
#include "core/masking.h"
#include "playground/lessons.h"
#include "playground/sentence_embeddings.h"
#include "playground/state_edits.h"
#include "playground/state_url.h"

namespace attn {
namespace {

constexpr std::int64_t kAll =
    std::numeric_limits<std::int64_t>::max() / 2;  // multiply-adds: more than any evaluation has

// Elements of the keep mask that the sentences before `sentence` take.
std::uint64_t dropout_skip(const Inputs& inputs, int sentence) {
    if (inputs.dropout == 0) return 0;
    std::uint64_t skip = 0;
    for (int s = 0; s < sentence; ++s) {
        const auto num_tokens = static_cast<std::uint64_t>(count_tokens(inputs, static_cast<std::size_t>(s)));
        skip += static_cast<std::uint64_t>(inputs.num_heads) * num_tokens * num_tokens;
    }
    return skip;
}

AttentionSettings settings_of(const Inputs& inputs, int sentence) {
    return {.num_heads = inputs.num_heads,
            .mask = inputs.mask,
            .mask_at = inputs.mask_at,
            .scale = inputs.scale,
            .temperature = static_cast<float>(inputs.temperature),
            .dropout = inputs.dropout,
            .dropout_seed = inputs.dropout_seed,
            .dropout_skip = dropout_skip(inputs, sentence)};
}

template <class Tensor>
bool is_finite(const Tensor& tensor) {
    const auto numbers = elements(tensor);
    return std::all_of(numbers.begin(), numbers.end(), [](float number) { return std::isfinite(number); });
}

void note_tokens_left_out(const Tokens& tokens, Notes& notes) {
    if (tokens.num_left_out == 0) return;
    const std::size_t num_all = tokens.tokens.size() + tokens.num_left_out;
    notes.push_back(concat("the first ", with_thousands(static_cast<std::int64_t>(tokens.tokens.size())), " of ",
                           counted(static_cast<std::int64_t>(num_all), "token"), " are used"));
}

// Tokens of which the mask, coming after the softmax, left nothing: every visible weight is too small for a float, and
// dividing by their sum is 0 / 0.
NameList empty_rows(const AttentionProblem& problem, const AttentionTrace& trace) {
    NameList rows;
    if (problem.settings.mask_at != MaskAt::after) return rows;
    for (int i = 0; i < problem.num_tokens(); ++i) {
        bool is_empty = false;
        for (int h = 0; h < problem.settings.num_heads; ++h) {
            float sum = 0;
            const Vector row = stage_row(problem, trace, TensorId::unmasked_weights, h, i);
            for (int j = 0; j < problem.num_tokens(); ++j) sum += problem.hidden(i, j) != 0 ? 0 : row(j);
            is_empty = is_empty || sum == 0;
        }
        if (is_empty) rows.add(concat(i));
    }
    return rows;
}

void note_not_finite(const AttentionProblem& problem, const AttentionTrace& trace, Notes& notes) {
    const NameList rows = empty_rows(problem, trace);
    if (rows.empty()) {
        notes.push_back("some results are infinite or not a number: what they are made of is too large for a float");
    } else {
        notes.push_back(concat("the mask after the softmax left nothing of ", rows.size() == 1 ? "row " : "rows ",
                               rows.text(), ": 0 / 0 is not a number (before the softmax it would not happen)"));
    }
}

// The edits that a lesson's step brings along: the visitor typed the others.
std::vector<Edit> given_edits(const View& view) {
    const LessonStep* step = step_of(view);
    return step == nullptr ? std::vector<Edit>() : step->state.inputs.edits;
}

}  // namespace

Evaluation evaluate(const Inputs& inputs, int sentence) {
    Evaluation evaluation = begin_evaluation(inputs, sentence, 0, {});
    advance(evaluation, kAll);
    return evaluation;
}

Evaluation begin_evaluation(const Inputs& inputs, int sentence, int first_head, Evaluation&& earlier) {
    ATTN_CHECK(sentence >= 0 && sentence < static_cast<int>(inputs.texts.size()), "sentence is ", sentence, " of ",
               inputs.texts.size());
    Evaluation evaluation;
    Notes& notes = evaluation.notes;
    evaluation.tokens = tokenize(inputs.texts[static_cast<std::size_t>(sentence)], inputs.tokens);
    evaluation.sizes = sizes_of(inputs, evaluation.num_tokens());
    note_tokens_left_out(evaluation.tokens, notes);
    if (evaluation.num_tokens() == 0) {
        notes.push_back("the sentence is empty: type a word, and attention has something to look at");
        return evaluation;
    }

    evaluation.parts = make_embedding_parts(inputs, sentence, evaluation.tokens, notes);
    AttentionProblem problem{
        .embeddings = add_parts(evaluation.parts),
        .projections = make_projections(inputs.init, inputs.seed, inputs.d_in, inputs.d_out, inputs.bias, inputs.out),
        .hidden = make_mask(inputs.mask, evaluation.num_tokens()),
        .settings = settings_of(inputs, sentence)};
    apply_edits(inputs, sentence, problem, notes);
    evaluation.problem = std::move(problem);
    first_head = std::clamp(first_head, 0, inputs.num_heads - 1);
    evaluation.work = earlier.is_empty() ? AttentionWork(*evaluation.problem, evaluation.trace, first_head)
                                         : AttentionWork(*evaluation.problem, evaluation.trace, first_head,
                                                         *earlier.problem, std::move(earlier.trace));
    return evaluation;
}

bool advance(Evaluation& evaluation, std::int64_t multiply_adds) {
    if (evaluation.is_complete()) return true;
    const AttentionProblem& problem = *evaluation.problem;
    AttentionTrace& trace = evaluation.trace;
    if (!evaluation.work.advance(problem, trace, multiply_adds)) return false;
    if (!is_finite(trace.context) || !is_finite(trace.output)) note_not_finite(problem, trace, evaluation.notes);
    return true;
}

bool CachedEvaluation::begin(const Inputs& inputs, int sentence, int first_head) {
    if (inputs == computed_for_ && sentence == sentence_) return false;
    evaluation_ = begin_evaluation(inputs, sentence, first_head, std::move(evaluation_));
    computed_for_ = inputs;
    sentence_ = sentence;
    ++version_;
    return true;
}

bool CachedEvaluation::advance(std::int64_t multiply_adds) {
    return attn::advance(evaluation_, multiply_adds);
}

void CachedEvaluation::forget() {
    if (!computed_for_) return;
    computed_for_.reset();
    evaluation_ = Evaluation();
}

const Evaluation& Evaluator::update(const PlaygroundState& state) {
    begin(state);
    advance(kAll);
    return shown();
}

void Evaluator::begin(const PlaygroundState& state) {
    if (state == updated_for_) return;
    updated_for_ = state;
    shown_.begin(state.inputs, state.view.sentence, state.view.head.value_or(0));

    Inputs unedited = state.inputs;
    unedited.edits = given_edits(state.view);
    const std::int64_t num_tokens = shown().num_tokens();
    has_unedited_ = unedited.edits != state.inputs.edits && !shown().is_empty() &&
                    num_tokens * num_tokens * state.inputs.num_heads <= kMaxScoresTwice;
    has_unedited_ ? (void)unedited_.begin(unedited, state.view.sentence, 0) : unedited_.forget();

    if (state.view.view != ViewKind::compare || state.view.compare.empty()) {
        other_state_.reset();
        other_.forget();
    } else {
        if (!other_state_ || other_link_ != state.view.compare) other_state_ = read_link(state.view.compare).state;
        other_link_ = state.view.compare;
        other_.begin(other_state_->inputs, other_state_->view.sentence, 0);
    }
}

bool Evaluator::advance(std::int64_t multiply_adds) {
    if (!shown_.advance(multiply_adds)) return false;
    if (has_unedited_ && !unedited_.advance(multiply_adds)) return false;
    return !other_state_ || other_.advance(multiply_adds);
}

bool Evaluator::is_complete() const {
    return shown().is_complete() && (!has_unedited_ || unedited_.evaluation().is_complete()) &&
           (!other_state_ || other_.evaluation().is_complete());
}

std::vector<int> stage_shape(const Evaluation& evaluation, TensorId stage) {
    const Extent extent = stage_extent(evaluation.sizes, stage);
    if (!stage_info(stage).has_heads) return {extent.rows, extent.columns};
    return {evaluation.sizes.num_heads, extent.rows, extent.columns};
}

Matrix shown_matrix(const Evaluation& evaluation, TensorId stage, int head) {
    ATTN_CHECK(!evaluation.is_empty(), "an empty sentence has no numbers to show");
    const AttentionProblem& problem = *evaluation.problem;
    Matrix shown = stage_matrix(problem, evaluation.trace, stage, head);
    if (!hides_keys(stage)) return shown;
    const std::span<float> numbers = elements(shown);
    const std::span<const std::uint8_t> hidden = elements(problem.hidden);
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        if (hidden[i] != 0) numbers[i] = -std::numeric_limits<float>::infinity();
    }
    return shown;
}

}  // namespace attn
