// What follows from the inputs: tokens, problem, trace. Recomputed when the inputs differ from those it was computed
// for.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/attention.h"
#include "core/attention_work.h"
#include "core/explain.h"
#include "core/tokens.h"
#include "playground/notes.h"
#include "playground/shapes.h"
#include "playground/state.h"

namespace attn {

// The numbers of one sentence of the batch. A sentence without tokens has no problem and no trace. A long text is
// computed in slices: tokens and embeddings are there from the beginning, the rest as is_ready() tells.
struct Evaluation {
    Tokens tokens;
    Sizes sizes;
    std::optional<AttentionProblem> problem;
    AttentionTrace trace;
    AttentionWork work;  // what is still to be done for the trace
    EmbeddingParts parts;
    Notes
        notes;  // about this sentence: tokens left out, typed rows missing or not used, edits outside, rows shown again

    bool is_empty() const { return !problem.has_value(); }
    bool is_complete() const { return work.is_done(); }
    int num_tokens() const { return static_cast<int>(tokens.tokens.size()); }
};

// Computes sentence `sentence` of the legal `inputs`. Dropout draws after the numbers that the earlier sentences took,
// so that a batch of equal lengths has the mask of PyTorch's (b, num_heads, T, T).
Evaluation evaluate(const Inputs& inputs, int sentence);

// The same up to the point where attention begins. `first_head` (moved to a legal one) will be computed first. Of
// `earlier`, which is used up, advance() takes over what it can.
Evaluation begin_evaluation(const Inputs& inputs, int sentence, int first_head, Evaluation&& earlier);

// Goes on for about `multiply_adds`. Returns whether the evaluation is complete.
bool advance(Evaluation& evaluation, std::int64_t multiply_adds);

// Keeps the evaluation of some inputs and makes a new one when they change.
class CachedEvaluation {
public:
    // Begins a new one if these are other inputs than before; returns whether it did.
    bool begin(const Inputs& inputs, int sentence, int first_head);
    // Goes on with it. Returns whether it is complete.
    bool advance(std::int64_t multiply_adds);
    void forget();
    const Evaluation& evaluation() const { return evaluation_; }
    const Inputs& inputs() const { return *computed_for_; }  // that it was computed for: begin() was called
    // Counts the evaluations begun: a picture made for another version is out of date. What is ready of one stays as it
    // is while the rest is added.
    int version() const { return version_; }

private:
    std::optional<Inputs> computed_for_;
    int sentence_ = -1;
    Evaluation evaluation_;
    int version_ = 0;
};

// All that is computed for one state.
class Evaluator {
public:
    // Computes what changed since the last call; returns shown(), complete.
    const Evaluation& update(const PlaygroundState& state);

    // Only begins it: advance() does the work, slice by slice. What was still under way for another state is given up.
    void begin(const PlaygroundState& state);
    // Goes on for about `multiply_adds`. Returns is_complete().
    bool advance(std::int64_t multiply_adds);
    // Whether all that was begun is there, shown(), unedited() and other().
    bool is_complete() const;

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
    CachedEvaluation shown_, unedited_, other_;
    bool has_unedited_ = false;
    std::string other_link_;
    std::optional<PlaygroundState> other_state_;
};

// Scores (num_heads * T * T) up to which the unedited numbers are kept beside the edited ones: 16 MiB of floats.
inline constexpr std::int64_t kMaxScoresTwice = 1LL << 22;

// The stage's shape in numbers, e.g. {2, 11, 11} for the letters (num_heads, T, T).
std::vector<int> stage_shape(const Evaluation& evaluation, TensorId stage);

// One stage of one head as the screen shows it: stage_matrix, with -inf in hidden cells of masked_scores, weights and
// dropped_weights, so that the picture hatches them.
Matrix shown_matrix(const Evaluation& evaluation, TensorId stage, int head);

}  // namespace attn
