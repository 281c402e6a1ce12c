// What follows from the inputs: tokens, problem, trace. Recomputed when the inputs differ from those it was computed
// for.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/attention/attention.h"
#include "core/attention/projections.h"
#include "core/explain/explain.h"
#include "core/fast/attention_work.h"
#include "core/words/tokens.h"
#include "playground/numbers/recipe.h"
#include "playground/numbers/sentence_embeddings.h"
#include "playground/state/open_models.h"
#include "playground/state/shapes.h"
#include "playground/state/state.h"
#include "playground/text/notes.h"

namespace attn {

// Where the learned matrices come from, before the edits.
struct MatrixSource {
    Init init = Init::none;
    std::uint64_t seed = 0;
    ModelName model;  // or the model that they come from, and its layer
    int layer = 0;
    ProjectionShape shape;

    bool operator==(const MatrixSource&) const = default;
};

// What an evaluation still makes before its problem is there: a million random numbers take longer than a frame, as do
// the layers below a model's (Evaluation::layer).
struct Preparation {
    std::optional<EmbeddingDraw> embeddings;  // until they are drawn
    std::optional<ProjectionDraw> matrices;   // nothing: those of the evaluation before are the same
    bool is_training = false;                 // all is drawn, Evaluation::run goes on
    std::int64_t numbers_left = 0;            // about
};

// The numbers of one sentence of the batch. A sentence without tokens has no problem and no trace. A long text is
// computed in slices: tokens and sizes are there from the beginning, then the problem, then the trace as is_ready()
// tells.
struct Evaluation {
    Tokens tokens;
    Sizes sizes;
    std::optional<AttentionProblem> problem;
    AttentionTrace trace;
    AttentionWork work;  // what is still to be done for the trace
    EmbeddingParts parts;
    Notes
        notes;  // about this sentence: tokens left out, typed rows missing or not used, edits outside, rows shown again
    MatrixSource source;  // of problem->projections
    // As drawn from the source, where edits or training changed some of their numbers.
    std::optional<Shared<Projections>> drawn;
    std::shared_ptr<TrainingRun> run;        // what made the problem's numbers of those drawn; null without a goal
    std::optional<Preparation> preparation;  // under way
    std::shared_ptr<ModelLayerWork> layer;   // of a model, in the place of drawn numbers
    bool waits_for_block = false;            // what stands around the layer's attention is still to be computed

    // No numbers: the sentence is empty, or is_preparing().
    bool is_empty() const { return !problem.has_value(); }
    bool is_preparing() const { return preparation.has_value(); }
    bool is_complete() const { return !is_preparing() && work.is_done() && !(kOpensModels && waits_for_block); }
    int num_tokens() const { return static_cast<int>(tokens.tokens.size()); }
};

// Computes sentence `sentence` of the legal `inputs`. Dropout draws after the numbers that the earlier sentences took,
// so that a batch of equal lengths has the mask of PyTorch's (b, num_heads, T, T). Of a model's layer also what stands
// around the attention. `run`: that of another sentence of the same inputs, which are trained once.
Evaluation evaluate(const Inputs& inputs, int sentence, std::shared_ptr<TrainingRun> run = nullptr);

// The same in slices: the beginning, which is quick.
Evaluation begin_evaluation(const Inputs& inputs, int sentence);

// Goes on for about `multiply_adds`, with the same inputs and sentence. `first_head` (moved to a legal one) is computed
// first, -1: none. Of `earlier`, which is used up when attention begins, it takes over what it can. Returns
// is_complete().
bool advance(Evaluation& evaluation, const Inputs& inputs, int sentence, int first_head, Evaluation& earlier,
             std::int64_t multiply_adds);

// Keeps the evaluation of some inputs and makes a new one when they change.
class CachedEvaluation {
public:
    // Begins a new one if these are other inputs than before; returns whether it did. `first_head` is computed first,
    // or next where some are computed already. `wants_block`: what stands around the attention of a model's layer, too;
    // what is there of it already stays.
    bool begin(const Inputs& inputs, int sentence, int first_head, bool wants_block = false);
    // Goes on with it. Returns whether it is complete.
    bool advance(std::int64_t multiply_adds);
    void forget();
    // The steps of another sentence of the inputs that begin() will be called with: they are not taken again.
    void take_run(std::shared_ptr<TrainingRun> run) { earlier_.run = std::move(run); }
    const Evaluation& evaluation() const { return evaluation_; }
    const Inputs& inputs() const { return *computed_for_; }  // that it was computed for: begin() was called
    // Counts the evaluations begun: a picture made for another version is out of date. What is ready of one stays as it
    // is while the rest is added.
    int version() const { return version_; }
    std::int64_t multiply_adds_left() const;  // about
    // Takes the memory of the numbers, which have to be computed again.
    void give_up_memory();

private:
    std::optional<Inputs> computed_for_;
    int sentence_ = -1;
    int first_head_ = 0;
    Evaluation evaluation_;
    Evaluation earlier_;  // the last one with numbers, until the new one takes over what it can
    int version_ = 0;
};

// All that is computed for one state.
class Evaluator {
public:
    // Computes what changed since the last call; returns shown(), complete.
    const Evaluation& update(const PlaygroundState& state);

    // Only begins it: advance() does the work, slice by slice. What was still under way for another state is given up.
    void begin(const PlaygroundState& state);
    // Whether what it was begun for is this, with the models that are open now.
    bool is_begun(const PlaygroundState& state) const;
    // What it was begun for last; nothing before that.
    const std::optional<PlaygroundState>& state() const { return updated_for_; }
    // Goes on for about `multiply_adds`. Returns is_complete().
    bool advance(std::int64_t multiply_adds);
    // Whether all that was begun is there, shown(), unedited() and other().
    bool is_complete() const;
    std::int64_t multiply_adds_left() const;  // of all that was begun, about
    // Counts the evaluations begun, of all three.
    int num_begun() const { return shown_.version() + unedited_.version() + other_.version(); }
    // Frees the memory of the numbers, as if nothing had been computed yet: when something needs more than is left.
    void give_up_memory();

    const Evaluation& shown() const { return shown_.evaluation(); }
    // What shown() was computed for. In the middle of a frame the state may be ahead of it already, so what is computed
    // from inputs and numbers together takes the inputs from here.
    const Inputs& inputs() const { return shown_.inputs(); }
    // Of shown(), see CachedEvaluation.
    int version() const { return shown_.version(); }

    // The same inputs without what the visitor typed over: what "old" means where a changed number is marked. Null when
    // nothing was typed over, or when keeping all scores twice would take too much memory (kMaxScoresTwice).
    const Evaluation* unedited() const { return has_unedited_ ? &unedited_.evaluation() : nullptr; }
    int unedited_version() const { return unedited_.version(); }

    // view=compare: the other state B and its numbers. Null in other views, and while there is no B.
    const PlaygroundState* other_state() const { return other_state_ ? &*other_state_ : nullptr; }
    const Evaluation* other() const { return other_state_ ? &other_.evaluation() : nullptr; }
    int other_version() const { return other_.version(); }

private:
    std::optional<PlaygroundState> updated_for_;
    int model_changes_ = 0;  // num_model_changes() at that time
    CachedEvaluation shown_, unedited_, other_;
    bool has_unedited_ = false;
    std::string other_link_;
    std::optional<PlaygroundState> other_state_;
};

// Scores (num_heads * T * T) up to which the unedited numbers are kept beside the edited ones: 16 MiB of floats.
inline constexpr std::int64_t kMaxScoresTwice = 1LL << 22;

// Of a model's layer: asks for what stands around its attention where that is not there, and goes on with it as
// advance() does. With the steps below: a first visit looks at no model's layer.
void wait_for_block(Evaluation& evaluation);
bool advance_block(Evaluation& evaluation, std::int64_t multiply_adds);

// The terms, or for what a model makes the steps, of a number that is there (has_cell).
Explanation explain(const Evaluation& evaluation, TensorId stage, int head, int row, int column);

// Whether this number is there: the sentence has tokens, the inputs have the stage, the head, the row and the column,
// and the number is computed. A cell that was chosen or pointed at before is asked about here before it is used.
bool has_cell(const Evaluation& evaluation, TensorId stage, const Cell& cell);

// The stage's shape in numbers, e.g. {2, 11, 11} for the letters (num_heads, T, T).
std::vector<int> stage_shape(const Evaluation& evaluation, TensorId stage);

// One stage of one head as the screen shows it: stage_matrix, with -inf in hidden cells of masked_scores, weights and
// dropped_weights, so that the picture hatches them.
Matrix shown_matrix(const Evaluation& evaluation, TensorId stage, int head);

}  // namespace attn
