// A recipe carried out: the training problem of a state's inputs, and its steps in slices.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/attention/attention.h"
#include "core/learn/training.h"
#include "playground/state/state.h"
#include "playground/text/notes.h"

namespace attn {

// Whether these legal inputs have a loss and gradients, and may be trained. The engine module computes forward alone.
inline bool has_goal([[maybe_unused]] const Inputs& inputs) {
#ifdef ATTN_FORWARD_ONLY
    return false;
#else
    return inputs.goal != GoalKind::none;
#endif
}

// Whether both have the same numbers: targets decide them only where they are the goal.
inline bool decide_same_numbers(const Inputs& a, const Inputs& b) {
    if (a.targets == b.targets || a.goal == GoalKind::pattern) return a == b;
    Inputs same = a;
    same.targets = b.targets;
    return same == b;
}

// Whether training changes their numbers.
inline bool is_trained(const Inputs& inputs) {
    return has_goal(inputs) && inputs.steps > 0;
}

// The problem of a sentence before attention and before training: X, matrices and mask, edits included. Nothing where
// the sentence has no tokens. Given to TrainingRun, which does not know how numbers are drawn.
struct UntrainedSentence {
    int sentence = 0;
    AttentionProblem problem;
    Matrix token_vectors;             // (T, d_in), without positions and edits
    std::vector<std::string> tokens;  // [T]
};

// Loss, gradients and steps of one recipe. Keeps checkpoints on its way, so that going back takes few steps again; they
// decide nothing: whatever way leads to a step, its numbers are the same bits.
class TrainingRun {
public:
    // `sentences` are those with tokens: at least one. They belong to `inputs`, which are legal and has_goal().
    TrainingRun(const Inputs& inputs, std::vector<UntrainedSentence> sentences);

    // Takes steps for about `multiply_adds`, at least one. Returns whether all are taken, or no more can be.
    bool advance(std::int64_t multiply_adds);

    // The same recipe with more or fewer steps: advance() then goes on from the last checkpoint that is not beyond
    // them. Returns whether it is the same recipe.
    bool go_on_to(const Inputs& inputs);
    bool is_same_recipe(const Inputs& inputs) const;

    // Whether all steps of these inputs are taken, no more and no fewer.
    bool is_done_for(const Inputs& inputs) const { return inputs_ == inputs && multiply_adds_left() == 0; }

    std::int64_t multiply_adds_left() const;

    const Training& training() const { return training_; }
    int num_steps() const { return training_.num_steps(); }  // that are taken: what problem() and training() are of
    // The losses before the first step and after each step that was ever taken, also after going back: steps 0 to
    // losses().size() - 1. That of the present step is losses()[num_steps()].
    const std::vector<double>& losses() const { return losses_; }
    double loss() const { return losses_[static_cast<std::size_t>(num_steps())]; }
    // What the loss cannot go below, whatever the numbers: see core/learn/goal.
    double lowest_loss() const;

    // The numbers of a sentence after the steps that were taken.
    const AttentionProblem& problem(int sentence) const;

    // The numbers of a sentence after `step` of the known steps; nothing where that step was never taken or the
    // sentence has no tokens. Step 0 and the present one only take copying. Others take the steps from the nearest
    // checkpoint before them again, up to checkpoint_distance() of them, in one go.
    std::optional<AttentionProblem> problem_at(int sentence, int step) const;
    int checkpoint_distance() const { return distance_; }

    // Goal `next`: the vocabulary, in the order of its rows.
    const std::vector<std::string>& words() const { return words_; }

    // How each step changes the numbers.
    OptimizerSettings optimizer() const { return {.kind = inputs_.optimizer, .rate = inputs_.rate}; }

    // What the sentence is trained for.
    const Goal& goal(int sentence) const;
    // The gradients at those numbers, of the matrices also the sums over all sentences.
    std::shared_ptr<const Gradients> gradients(int sentence) const;

    // "trained for 200 steps: the loss went from 1.0986 to 0.0123"
    std::string outcome() const;
    // The outcome, and what stopped it before, if anything. Before the first step only what is wrong with the goal.
    Notes notes() const;

private:
    int place_of(int sentence) const;
    void keep_checkpoint();
    const TrainingPoint& checkpoint_before(int step) const;

    Inputs inputs_;
    std::vector<std::string> words_;
    std::vector<int> sentences_;  // of the batch, in the order of training_
    Training training_;
    std::vector<double> losses_;
    double cost_;  // of a step, in multiply-adds
    std::size_t most_checkpoints_;
    int distance_ = 1;  // steps between two checkpoints: doubled where there would be too many
    std::vector<std::shared_ptr<const TrainingPoint>> checkpoints_;  // by step, the first one of step 0
};

// What the checkpoints of a run of these inputs come to, in bytes at most.
std::int64_t bytes_of_checkpoints(const Inputs& inputs);

}  // namespace attn
