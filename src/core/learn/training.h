// Steps of training: the same numbers and settings give the same bits on every machine.
#pragma once

#include <optional>
#include <set>
#include <span>
#include <vector>

#include "core/attention/attention.h"
#include "core/attention/goal.h"
#include "core/learn/gradients.h"
#include "core/learn/optimizer.h"

namespace attn {

// Sentences share their matrices; each has embeddings of its own. The loss is the sum of the sentences'
// (Goal::num_terms counts the terms of all, so that is their mean). Dropout drops the same weights in every step.
struct TrainingProblem {
    // At least one, each with its goal; the matrices of the first are those of all.
    std::vector<AttentionProblem> sentences;
    OptimizerSettings optimizer;
    // Of w_query ... b_out, and embeddings; those that are absent are left out, and so are embeddings of sentences that
    // have no part in the loss. What the loss does not depend on does not belong here: PyTorch leaves it alone, too,
    // and AdamW would shrink it.
    std::set<TensorId> learned;
};

// All that the next steps depend on and that steps change: to go back to it later.
struct TrainingPoint {
    int num_steps = 0;
    std::vector<std::vector<float>> numbers;  // of the learned tensors, in one order
    Optimizer optimizer;
};

class Training {
public:
    // Computes the loss and the gradients before the first step.
    explicit Training(TrainingProblem problem);

    // One step of all learned tensors at once. Returns false, and nothing changes any more, when the loss or a number
    // would not be finite after it.
    bool step();

    // Where it stands now; not to be asked for once it is_stopped(), for the optimizer is then a step ahead.
    TrainingPoint point();
    // Back, or forward, to a point of this training: from there on each step has the bits that it had the first time.
    // Costs a forward and a backward pass.
    void go_to(const TrainingPoint& point);

    // The sentence with the numbers of a point, which is not gone to.
    AttentionProblem sentence_at(const TrainingPoint& point, int number) const;

    int num_steps() const { return num_steps_; }  // that were taken
    bool is_stopped() const { return is_stopped_; }

    // All of the following is of the numbers after num_steps() steps.
    double loss() const { return now_.loss; }
    const std::vector<AttentionProblem>& sentences() const { return problem_.sentences; }
    const AttentionProblem& sentence(int number) const;
    // The first sentence with these embeddings, else the last one: equal sentences have equal numbers.
    int place_of(const Matrix& embeddings) const;
    const AttentionTrace& trace(int number) const;
    const Gradients& gradients(int number) const;             // of one sentence
    const Projections& gradients() const { return now_.at; }  // of all sentences together
    const Optimizer& optimizer() const { return optimizer_; }

    // What the next step does to the number at (row, column) of a tensor; that of `sentence` for embeddings, and row 0
    // for a bias. Nothing where the tensor does not learn or training is_stopped().
    std::optional<NumberStep> next_step(TensorId tensor, int sentence, int row, int column) const;

private:
    struct Sums {
        double loss = 0;
        Projections at;
    };

    // A tensor that learns, and its gradient.
    struct Learned {
        std::span<float> numbers;
        std::span<const float> gradient;
    };

    void evaluate();
    bool learns(TensorId id, std::span<const float> numbers) const;
    std::vector<Learned> learned();
    void share_matrices();
    bool is_finite();
    void put_back(const std::vector<std::vector<float>>& numbers);
    std::vector<std::vector<float>> copy_of_learned();

    TrainingProblem problem_;
    Optimizer optimizer_;
    std::vector<AttentionTrace> traces_;
    std::vector<BackwardPass> passes_;
    Sums now_;
    int num_steps_ = 0;
    bool is_stopped_ = false;
};

}  // namespace attn
