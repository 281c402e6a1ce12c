// The loss at each step, what it cannot go below, and both in words. Knows no screen.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "playground/numbers/evaluation.h"

namespace attn {

struct LossCurve {
    std::span<const double> losses;  // before the first step, then after each; infinite where a target's weight is 0
    int step = 0;                    // that is shown
    double bound = 0;                // that no weights bring the loss below; 0 for goal=next

    double shown() const { return losses[static_cast<std::size_t>(step)]; }
};

// Of an evaluation with a run, which it points into; `inputs` are those it was computed for.
LossCurve loss_curve(const Inputs& inputs, const Evaluation& evaluation);

// "0.6931 = ln 2" where every row with targets has them in equal shares, else the number alone.
std::string bound_in_numbers(const Evaluation& evaluation);

// "The loss cannot go below 0.6931 = ln 2: “brush” is to look at artist and woman at once." Empty where nothing is
// painted, and for goal=next.
std::string bound_in_words(const Evaluation& evaluation);

// "Step 64: the loss is 0.1464", and how far above its bound, if it has one; or that it has reached it.
std::string loss_in_words(const LossCurve& curve);

// Says of a loss that hardly moves any more and is still above its bound: "In the last 60 steps the loss
// moved by 0.0002; it is still 0.0544 above the bound." Empty for any other.
std::string standstill_in_words(const LossCurve& curve);

// The steps that a line through the losses goes through, in order: all finite ones, but of more than about
// `most_stretches` the lowest and the highest of each stretch, and the last.
std::vector<int> steps_to_draw(std::span<const double> losses, int most_stretches);

// Whether the small losses at the end can only be read on a logarithmic axis.
bool needs_log_axis(const LossCurve& curve);

}  // namespace attn
