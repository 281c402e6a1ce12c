// Two forward passes of the reference for each side.
#include "core/learn/nudge.h"

#include "core/attention/goal.h"

namespace attn {
namespace {

double loss_of_all(std::span<const AttentionProblem> sentences, int shown, const NudgedNumber& number) {
    const bool is_of_all = !is_stage(number.tensor);
    double loss = 0;
    for (std::size_t s = 0; s < sentences.size(); ++s) {
        const NudgedNumber here = is_of_all || static_cast<int>(s) == shown ? number : NudgedNumber();
        loss += loss_of(sentences[s], layer_values(sentences[s], here));
    }
    return loss;
}

// The loss has -ln of a weight with a target: such a weight is moved by a hundredth of itself at most.
double size_of_nudge(const AttentionProblem& problem, const NudgedNumber& number) {
    const bool is_weight = number.tensor == TensorId::weights || number.tensor == TensorId::unmasked_weights;
    if (!is_weight || problem.goal.kind != GoalKind::pattern) return kNudge;
    const auto column = static_cast<std::size_t>(number.column);
    const Vector* shares = target_shares(problem.goal, number.head, number.row);
    if (shares == nullptr || (*shares)(column) == 0) return kNudge;
    const double weight = layer_values(problem).of(number.tensor)(number.head, number.row, number.column);
    double size = kNudge;
    while (weight > 1e-30 && size > weight / 100) size /= 10;
    return size;
}

}  // namespace

Nudge nudge_loss(std::span<const AttentionProblem> sentences, int shown, NudgedNumber number) {
    Nudge nudge{.epsilon = size_of_nudge(sentences[static_cast<std::size_t>(shown)], number)};
    number.by = nudge.epsilon;
    nudge.up = loss_of_all(sentences, shown, number);
    number.by = -nudge.epsilon;
    nudge.down = loss_of_all(sentences, shown, number);
    return nudge;
}

double nudge_cost(std::span<const AttentionProblem> sentences) {
    double cost = 0;
    for (const AttentionProblem& problem : sentences) {
        const double T = problem.num_tokens();
        const double d_out = problem.d_out();
        cost += 2 * (T * d_out * (3.0 * problem.d_in() + d_out) + 2 * T * T * d_out);
    }
    return cost;
}

}  // namespace attn
