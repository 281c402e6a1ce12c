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

// Keeps the last evaluation and makes a new one when inputs or sentence changed.
class Evaluator {
public:
    const Evaluation& update(const PlaygroundState& state);
    // Counts the evaluations made: a picture made for another version is out of date.
    int version() const { return version_; }

private:
    std::optional<Inputs> computed_for_;
    int sentence_ = -1;
    Evaluation evaluation_;
    int version_ = 0;
};

// The stage's shape in numbers, e.g. {2, 11, 11} for the letters (num_heads, T, T).
std::vector<int> stage_shape(const Evaluation& evaluation, TensorId stage);

// One stage of one head as the screen shows it: stage_matrix, with -inf in hidden cells of masked_scores, weights and
// dropped_weights, so that the picture hatches them.
Matrix shown_matrix(const Evaluation& evaluation, TensorId stage, int head);

}  // namespace attn
