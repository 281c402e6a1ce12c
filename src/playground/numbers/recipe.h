// A recipe carried out: the training problem of a state's inputs, and its steps in slices.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/attention/attention.h"
#include "core/learn/training.h"
#include "playground/state/state.h"
#include "playground/text/notes.h"

namespace attn {

// Whether these legal inputs are trained at all. The engine module computes forward alone.
inline bool is_trained([[maybe_unused]] const Inputs& inputs) {
#ifdef ATTN_FORWARD_ONLY
    return false;
#else
    return inputs.goal != GoalKind::none && inputs.steps > 0;
#endif
}

// The problem of a sentence before attention and before training: X, matrices and mask, edits included. Nothing where
// the sentence has no tokens. Given to TrainingRun, which does not know how numbers are drawn.
struct UntrainedSentence {
    int sentence = 0;
    AttentionProblem problem;
    Matrix token_vectors;             // (T, d_in), without positions and edits
    std::vector<std::string> tokens;  // [T]
};

// The steps of one recipe.
class TrainingRun {
public:
    // `sentences` are those with tokens: at least one. They belong to `inputs`, which are legal and is_trained().
    TrainingRun(const Inputs& inputs, std::vector<UntrainedSentence> sentences);

    // Takes steps for about `multiply_adds`, at least one. Returns whether all are taken, or no more can be.
    bool advance(std::int64_t multiply_adds);

    // The same recipe with more or fewer steps; those that were taken stay when there are not too many. Returns whether
    // it could be done.
    bool go_on_to(const Inputs& inputs);

    std::int64_t multiply_adds_left() const;

    const Training& training() const { return training_; }
    // Before the first step, after each, as far as they are taken.
    const std::vector<double>& losses() const { return losses_; }
    double lowest_loss() const { return lowest_loss_; }

    // The numbers of a sentence after the steps that were taken.
    const AttentionProblem& problem(int sentence) const;

    // "trained for 200 steps: the loss went from 1.0986 to 0.0123", and what stopped it before, if anything.
    Notes notes() const;

private:
    Inputs inputs_;
    std::vector<int> sentences_;  // of the batch, in the order of training_
    double lowest_loss_ = 0;
    Training training_;
    std::vector<double> losses_;
    double cost_;  // of a step, in multiply-adds
};

}  // namespace attn
