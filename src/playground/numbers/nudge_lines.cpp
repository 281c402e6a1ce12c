// Hands the sentences of the run to core's nudge.
#include "playground/numbers/nudge_lines.h"

#include <cmath>

#include "core/ground/check.h"
#include "core/learn/nudge.h"
#include "playground/text/format.h"

namespace attn {
namespace {

constexpr int kLossDigits = 10;  // the two losses differ in the last five, about

}  // namespace

std::vector<std::string> nudge_lines(const Evaluation& evaluation, const CellRef& gradient, double most) {
    if (!needs_goal(gradient.tensor) || !is_gradient(gradient.tensor) || !evaluation.run || evaluation.is_empty())
        return {};
    const Training& training = evaluation.run->training();
    double cost = 0;
    for (const AttentionProblem& sentence : training.sentences()) cost += nudge_cost({&sentence, 1});
    if (2 * cost > most) return {};
    const TensorId tensor = tensor_of_gradient(gradient.tensor);
    const Nudge nudge =
        nudge_loss(training.sentences(), training.place_of(evaluation.problem->embeddings),
                   {.tensor = tensor, .head = gradient.head, .row = gradient.row, .column = gradient.column});
    if (!std::isfinite(nudge.up) || !std::isfinite(nudge.down)) return {};
    const std::string name(tensor_name(tensor));
    const std::string step = exact_number(nudge.epsilon);
    return {concat("loss with ", name, " + ", step, ": ", shown_number(nudge.up, kLossDigits)),
            concat("loss with ", name, " − ", step, ": ", shown_number(nudge.down, kLossDigits)),
            concat("difference / ", exact_number(2 * nudge.epsilon), " = ", shown_number(nudge.slope()))};
}

}  // namespace attn
