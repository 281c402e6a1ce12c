// How inputs become a trace; evaluate() has one step a line.
#include "playground/numbers/evaluation.h"
#include "core/explain/stage_numbers.h"
#include "playground/link/recipe_keys.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/attention/masking.h"
#include "core/fast/head_attention.h"
#include "core/ground/check.h"
#include "core/ground/work_parts.h"
#include "core/words/code_points.h"
#include "playground/numbers/sentence_embeddings.h"
#include "playground/state/open_models.h"
#include "playground/state/origin.h"
#include "playground/state/state_edits.h"

namespace attn {
namespace {

constexpr std::int64_t kAll =
    std::numeric_limits<std::int64_t>::max() / 2;  // multiply-adds: more than any evaluation has

// What one number costs that is drawn at random or by a sine, in multiply-adds: some 40 ns against 0.1 to 0.2 ns.
constexpr std::int64_t kMultiplyAddsANumber = 300;

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
            .num_kv_heads = inputs.num_kv_heads,
            .mask = inputs.mask,
            .window = inputs.window(),
            .mask_at = inputs.mask_at,
            .scale = inputs.scale,
            .temperature = static_cast<float>(inputs.temperature),
            .score_cap = static_cast<float>(inputs.score_cap),
            .logit_cap = static_cast<float>(inputs.logit_cap),
            .rotary = inputs.rotary(),
            .alibi = {.is_on = inputs.positions == Positions::alibi},
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

// What the model does not know of the sentence, or that it is not here.
[[gnu::noinline]] void note_model(const Inputs& inputs, int sentence, const OpenModel* model, Notes& notes) {
    if (model != nullptr) return append_notes(notes, model->notes_on(inputs.texts[static_cast<std::size_t>(sentence)]));
    notes.push_back(note_on_absent_model(inputs));
}

// Tokens of which the mask, coming after the softmax, left nothing: every visible weight is too small for a float, and
// dividing by their sum is 0 / 0.
NameList empty_rows(const AttentionProblem& problem, const AttentionTrace& trace) {
    NameList rows;
    const std::int64_t num_tokens = problem.num_tokens();
    const bool takes_long = num_tokens * num_tokens * problem.settings.num_heads > kMaxScoresTwice;
    if (problem.settings.mask_at != MaskAt::after || takes_long) return rows;
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

MatrixSource source_of(const Inputs& inputs) {
    MatrixSource source = {.init = inputs.init,
                           .seed = inputs.seed,
                           .model = inputs.model,
                           .layer = inputs.layer,
                           .shape = {.d_in = inputs.d_in,
                                     .d_out = inputs.d_out,
                                     .bias = inputs.bias,
                                     .out = inputs.out,
                                     .query_latent = inputs.query_latent,
                                     .latent = inputs.latent,
                                     .rope_dim = inputs.rope_dim,
                                     .has_qk_norm = inputs.has_qk_norm(),
                                     .has_sink = inputs.has_sink()}};
    if (inputs.rope_dim != 0 || inputs.has_qk_norm() || inputs.has_sink()) source.shape.num_heads = inputs.num_heads;
    if (inputs.num_kv_heads == 0) return source;  // the same matrices for any number of heads
    source.shape.num_heads = inputs.num_heads;
    source.shape.num_kv_heads = inputs.num_kv_heads;
    source.shape.kv_from = inputs.kv_from;
    return source;
}

bool edits_learned(const Inputs& inputs) {
    return std::ranges::any_of(inputs.edits, [](const Edit& edit) { return is_learned(edit.tensor); });
}

// The positions, where they are sines.
const Matrix* sines_of(const EmbeddingParts& parts) {
#ifndef ATTN_FORWARD_ONLY
    if (parts.has_learned_positions) return nullptr;
#endif
    return &parts.positions;
}

// Draws what the problem is made of. Returns whether all is drawn.
bool prepare(Evaluation& evaluation, const Inputs& inputs, const Evaluation& earlier, std::int64_t multiply_adds) {
    Preparation& preparation = *evaluation.preparation;
    if (kOpensModels && evaluation.layer) return evaluation.layer->advance(multiply_adds);
    // An n-gram's token is a sum of some ten vectors.
    const std::int64_t cost = inputs.embed == EmbeddingKind::ngrams ? 8 * kMultiplyAddsANumber : kMultiplyAddsANumber;
    if (preparation.embeddings) {
        const std::int64_t count = std::max<std::int64_t>(multiply_adds / cost, 1);
        const bool is_done = preparation.embeddings->advance(inputs, count, sines_of(earlier.parts));
        preparation.numbers_left = std::max<std::int64_t>(preparation.numbers_left - count, 0);
        if (!is_done) return false;
        evaluation.parts = preparation.embeddings->take();
        preparation.embeddings.reset();
        if (!earlier.is_empty() && earlier.source == evaluation.source) return true;
        preparation.matrices.emplace(inputs.init, inputs.seed, evaluation.source.shape);
        preparation.numbers_left = std::int64_t{4} * inputs.d_in * inputs.d_out;
        return false;
    }
    const std::int64_t count = std::max<std::int64_t>(multiply_adds / kMultiplyAddsANumber, 1);
    preparation.numbers_left = std::max<std::int64_t>(preparation.numbers_left - count, 0);
    return preparation.matrices->advance(static_cast<std::size_t>(count));
}

// What the seed gives, drawn now or for the evaluation before.
Shared<Projections> take_matrices(Preparation& preparation, const Evaluation& earlier) {
    if (preparation.matrices) return preparation.matrices->take();
    return earlier.drawn ? *earlier.drawn : earlier.problem->projections;
}

// A sentence as training begins with it, if it has tokens.
std::optional<UntrainedSentence> untrained_sentence(const Inputs& inputs, int sentence) {
    Inputs untrained = inputs;
    untrained.goal = GoalKind::none;
    Evaluation evaluation = begin_evaluation(untrained, sentence);
    Evaluation none;
    while (evaluation.is_preparing()) advance(evaluation, untrained, sentence, -1, none, kAll);
    if (evaluation.is_empty()) return std::nullopt;
    return UntrainedSentence{.sentence = sentence,
                             .problem = std::move(*evaluation.problem),
                             .token_vectors = std::move(evaluation.parts.token_vectors),
                             .tokens = texts_of(evaluation.tokens)};
}

// All is drawn: training begins, or goes on from where it stood or from a checkpoint. Who else looks at it there keeps
// it as it is, and what goes on is a copy.
void begin_training(Evaluation& evaluation, const Inputs& inputs, Evaluation& earlier) {
    evaluation.preparation->is_training = true;
    if (is_trained(inputs) && !evaluation.drawn) evaluation.drawn = evaluation.problem->projections;
    std::shared_ptr<TrainingRun> run = std::exchange(earlier.run, nullptr);
    if (run && !run->is_done_for(inputs) && run->is_same_recipe(inputs)) {
        if (run.use_count() > 1) run = std::make_shared<TrainingRun>(*run);
        run->go_on_to(inputs);
    }
    if (run && run->is_same_recipe(inputs)) {
        evaluation.run = run;
        return;
    }
    std::vector<UntrainedSentence> sentences;
    for (int s = 0; s < static_cast<int>(inputs.texts.size()); ++s) {
        if (std::optional<UntrainedSentence> one = untrained_sentence(inputs, s)) sentences.push_back(std::move(*one));
    }
    evaluation.run = std::make_shared<TrainingRun>(inputs, std::move(sentences));
}

// About the multiply-adds of the steps to come, where the run before may go on; it may be null.
std::int64_t training_cost(const Inputs& inputs, const TrainingRun* before) {
    if (!is_trained(inputs)) return 0;
    int steps = inputs.steps;
    if (before && before->is_same_recipe(inputs)) {
        const int now = before->num_steps();
        const bool was_there = inputs.steps < static_cast<int>(before->losses().size());  // then a checkpoint is near
        if (inputs.steps >= now) steps = before->training().is_stopped() ? 0 : inputs.steps - now;
        if (was_there) steps = std::min(steps, before->checkpoint_distance());
    }
    return static_cast<std::int64_t>(steps * step_cost(inputs));
}

// The steps are taken: the problem has the numbers after them.
void take_trained(Evaluation& evaluation, const Inputs& inputs, int sentence) {
    if (is_trained(inputs)) {
        const AttentionProblem& trained = evaluation.run->problem(sentence);
        evaluation.problem->projections = trained.projections;
        evaluation.problem->embeddings = trained.embeddings;
    }
    evaluation.problem->goal = evaluation.run->goal(sentence);
    append_notes(evaluation.notes, evaluation.run->notes());
}

// The layers below are computed: the problem is the model's.
[[gnu::noinline]] void take_layer(Evaluation& evaluation, const Inputs& inputs, int sentence) {
    evaluation.problem = evaluation.layer->take();
    evaluation.parts.token_vectors = evaluation.problem->embeddings;
    note_layer_edits(inputs, sentence, evaluation.num_tokens(), evaluation.notes);
}

// All is drawn: puts the problem together.
void make_problem(Evaluation& evaluation, const Inputs& inputs, int sentence, const Evaluation& earlier) {
    if (kOpensModels && evaluation.layer) return take_layer(evaluation, inputs, sentence);
    AttentionProblem problem{.embeddings = add_parts(evaluation.parts),
                             .projections = take_matrices(*evaluation.preparation, earlier),
                             .hidden = make_mask(inputs.mask, evaluation.num_tokens(), inputs.window()),
                             .settings = settings_of(inputs, sentence)};
    if (edits_learned(inputs)) evaluation.drawn = problem.projections;
    apply_edits(inputs, sentence, problem, evaluation.notes);
    evaluation.problem = std::move(problem);
}

// The problem is there: plans its computation.
void begin_attention(Evaluation& evaluation, const Inputs& inputs, int first_head, Evaluation& earlier) {
    evaluation.preparation.reset();
    first_head = std::clamp(first_head, -1, inputs.num_heads - 1);
    evaluation.work = earlier.is_empty() ? AttentionWork(*evaluation.problem, evaluation.trace, first_head)
                                         : AttentionWork(*evaluation.problem, evaluation.trace, first_head,
                                                         *earlier.problem, std::move(earlier.trace));
    earlier = Evaluation();
}

}  // namespace

Evaluation evaluate(const Inputs& inputs, int sentence, std::shared_ptr<TrainingRun> run) {
    Evaluation evaluation = begin_evaluation(inputs, sentence);
    evaluation.waits_for_block = evaluation.layer != nullptr;
    Evaluation earlier;
    earlier.run = std::move(run);
    while (!advance(evaluation, inputs, sentence, -1, earlier, kAll)) {
        if (!kOpensModels || !waits_for_model(inputs)) continue;
        evaluation.preparation.reset();
        evaluation.notes.push_back("a part of the model is still being read from its file: ask again in a moment");
        break;
    }
    return evaluation;
}

Evaluation begin_evaluation(const Inputs& inputs, int sentence) {
    ATTN_CHECK(sentence >= 0 && sentence < static_cast<int>(inputs.texts.size()), "sentence is ", sentence, " of ",
               inputs.texts.size());
    Evaluation evaluation;
    Notes& notes = evaluation.notes;
    evaluation.tokens = tokens_of(inputs, static_cast<std::size_t>(sentence));
    evaluation.sizes = sizes_of(inputs, evaluation.num_tokens());
    note_tokens_left_out(evaluation.tokens, notes);
    const std::shared_ptr<const OpenModel> model = open_model_of(inputs);
    if (!inputs.model.empty()) note_model(inputs, sentence, model.get(), notes);
    if (evaluation.num_tokens() == 0) {
        notes.push_back("the sentence is empty: type a word, and attention has something to look at");
        return evaluation;
    }
    evaluation.preparation = Preparation();
    evaluation.source = source_of(inputs);
    if (!model) evaluation.source.model.clear();  // it is drawn
    if (kOpensModels && model) {
        evaluation.layer = model->begin_layer(inputs, sentence);
        return evaluation;
    }
    evaluation.preparation->embeddings.emplace(inputs, sentence, evaluation.tokens, notes);
    evaluation.preparation->numbers_left = std::int64_t{evaluation.num_tokens()} * inputs.d_in;
    return evaluation;
}

bool advance(Evaluation& evaluation, const Inputs& inputs, int sentence, int first_head, Evaluation& earlier,
             std::int64_t multiply_adds) {
    if (evaluation.is_complete()) return true;
    if (evaluation.is_preparing()) {
        // Each of these may take a slice: much memory is touched for the first time.
        if (has_goal(inputs) && evaluation.preparation->is_training) {
            if (!evaluation.run->advance(multiply_adds)) return false;
            take_trained(evaluation, inputs, sentence);
            begin_attention(evaluation, inputs, first_head, earlier);
        } else if (evaluation.problem && has_goal(inputs)) {
            begin_training(evaluation, inputs, earlier);
            if (evaluation.run->is_done_for(inputs))
                return advance(evaluation, inputs, sentence, first_head, earlier, 0);
        } else if (evaluation.problem) {
            begin_attention(evaluation, inputs, first_head, earlier);
        } else if (prepare(evaluation, inputs, earlier, multiply_adds)) {
            make_problem(evaluation, inputs, sentence, earlier);
        }
        return false;
    }
    const AttentionProblem& problem = *evaluation.problem;
    AttentionTrace& trace = evaluation.trace;
    if (!evaluation.work.is_done()) {
        if (!evaluation.work.advance(problem, trace, multiply_adds)) return false;
        if (has_goal(inputs)) trace.gradients = evaluation.run->gradients(sentence);
        if (!is_finite(trace.context) || !is_finite(trace.output)) note_not_finite(problem, trace, evaluation.notes);
        return evaluation.is_complete();
    }
    return advance_block(evaluation, multiply_adds);
}

bool CachedEvaluation::begin(const Inputs& inputs, int sentence, int first_head, bool wants_block) {
    if (computed_for_ && decide_same_numbers(inputs, *computed_for_) && sentence == sentence_) {
        computed_for_->targets = inputs.targets;
        if (first_head != first_head_ && first_head < inputs.num_heads) evaluation_.work.prefer_head(first_head);
        first_head_ = first_head;
        if (wants_block) wait_for_block(evaluation_);
        return false;
    }
    if (!evaluation_.is_empty() && !evaluation_.is_preparing()) {
        earlier_ = std::move(evaluation_);
    } else if (evaluation_.run) {
        earlier_.run = std::move(evaluation_.run);  // the steps that were taken are not taken again
    }
    evaluation_ = begin_evaluation(inputs, sentence);
    if (wants_block) wait_for_block(evaluation_);
    if (!evaluation_.is_preparing()) earlier_ = Evaluation();
    computed_for_ = inputs;
    sentence_ = sentence;
    first_head_ = first_head;
    ++version_;
    return true;
}

bool CachedEvaluation::advance(std::int64_t multiply_adds) {
    return !computed_for_ ||
           attn::advance(evaluation_, *computed_for_, sentence_, first_head_, earlier_, multiply_adds);
}

void CachedEvaluation::forget() {
    if (!computed_for_) return;
    computed_for_.reset();
    give_up_memory();
}

void CachedEvaluation::give_up_memory() {
    computed_for_.reset();
    evaluation_ = Evaluation();
    earlier_ = Evaluation();
}

std::int64_t CachedEvaluation::multiply_adds_left() const {
    if (!evaluation_.is_preparing())
        return evaluation_.work.multiply_adds_in_all() - evaluation_.work.multiply_adds_done();
    if (has_goal(*computed_for_) && evaluation_.run) return evaluation_.run->multiply_adds_left();
    const Sizes& sizes = evaluation_.sizes;
    const std::int64_t T = sizes.num_tokens, d_in = sizes.d_in, d_out = sizes.d_out;
    const std::shared_ptr<ModelLayerWork>& layer = evaluation_.layer;
    return (kOpensModels && layer ? layer->multiply_adds_left() : 0) +
           evaluation_.preparation->numbers_left * kMultiplyAddsANumber + 3 * T * d_in * d_out + 2 * T * T * d_out +
           training_cost(*computed_for_, earlier_.run.get());
}

bool has_cell(const Evaluation& evaluation, TensorId stage, const Cell& cell) {
    if (evaluation.is_empty() || !has_stage(*evaluation.problem, stage)) return false;
    const int num_heads = stage_info(stage).has_heads ? evaluation.sizes.num_heads : 1;
    return cell.head >= 0 && cell.head < num_heads &&
           extent_of(evaluation.sizes, stage).contains(cell.row, cell.column) &&
           is_ready(evaluation.trace, stage, cell.head);
}

std::vector<int> stage_shape(const Evaluation& evaluation, TensorId stage) {
    const Extent extent = extent_of(evaluation.sizes, stage);
    if (!stage_info(stage).has_heads) return {extent.rows, extent.columns};
    return {num_matrices(evaluation.sizes, stage), extent.rows, extent.columns};
}

}  // namespace attn
