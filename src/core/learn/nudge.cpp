// Two forward passes of the reference for each side.
#include "core/learn/nudge.h"

#include "core/learn/gradients_reference.h"

namespace attn {
namespace {

double loss_of_all(std::span<const AttentionProblem> sentences, int shown, const NudgedNumber& number) {
    const bool is_of_all = !is_stage(number.tensor);
    double loss = 0;
    for (std::size_t s = 0; s < sentences.size(); ++s) {
        const NudgedNumber here = is_of_all || static_cast<int>(s) == shown ? number : NudgedNumber();
        loss += loss_reference(attend_reference(sentences[s], here), sentences[s].goal, here);
    }
    return loss;
}

}  // namespace

Nudge nudge_loss(std::span<const AttentionProblem> sentences, int shown, NudgedNumber number) {
    Nudge nudge{.epsilon = kNudge};
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
