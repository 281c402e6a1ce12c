// What follows from the inputs: tokens, problem, trace. Recomputed when the inputs differ from those it was computed
// for.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/attention.h"
#include "core/explain.h"
#include "core/tokens.h"
#include "playground/notes.h"
#include "playground/shapes.h"
#include "playground/state.h"

namespace attn {

// The numbers of one sentence of the batch. A sentence without tokens has no problem and no trace.
struct Evaluation {
    Tokens tokens;
    Sizes sizes;
    std::optional<AttentionProblem> problem;
    AttentionTrace trace;
    EmbeddingParts parts;
    Notes
        notes;  // about this sentence: tokens left out, typed rows missing or not used, edits outside, rows shown again

    bool is_empty() const { return !problem.has_value(); }
    int num_tokens() const { return static_cast<int>(tokens.tokens.size()); }
};

// Computes sentence `sentence` of the legal `inputs`. Dropout draws after the numbers that the earlier sentences took,
// so that a batch of equal lengths has the mask of PyTorch's (b, num_heads, T, T).
Evaluation evaluate(const Inputs& inputs, int sentence);

// Keeps the evaluation of some inputs and makes a new one when they change.
class CachedEvaluation {
public:
    // Returns whether a new one was made.
    bool update(const Inputs& inputs, int sentence);
    void forget();
    const Evaluation& evaluation() const { return evaluation_; }
    const Inputs& inputs() const { return *computed_for_; }  // that it was computed for: update() was called
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
    // Computes what changed since the last call; returns shown().
    const Evaluation& update(const PlaygroundState& state);

    const Evaluation& shown() const { return shown_.evaluation(); }
    // What shown() was computed for. In the middle of a frame the state may be ahead of it already, so what is computed
    // from inputs and numbers together takes the inputs from here.
    const Inputs& inputs() const { return shown_.inputs(); }
    // Counts the evaluations made: a picture made for another version is out of date.
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
