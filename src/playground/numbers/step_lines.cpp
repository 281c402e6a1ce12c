// The numbers come from core's next_step(); this file only finds the words for them.
#include "playground/numbers/step_lines.h"

#include <cmath>
#include <optional>

#include "core/ground/check.h"
#include "playground/text/format.h"

namespace attn {
namespace {

std::string given(double setting) {
    return exact_number(setting);
}

// 1 - beta, as a person writes it.
std::string rest_of(double beta) {
    return exact_number(static_cast<float>(1 - beta));
}

// "m = 0.9 × 0.0120 + 0.1 × 0.0340 = 0.0142"
std::string mean_line(const NumberStep& step) {
    return concat("m = ", given(kBeta1), " × ", shown_number(step.mean), " + ", rest_of(kBeta1), " × ",
                  shown_number(step.gradient), " = ", shown_number(step.next_mean));
}

std::string square_line(const NumberStep& step) {
    return concat("v = ", given(kBeta2), " × ", shown_number(step.mean_square), " + ", rest_of(kBeta2), " × ",
                  after_minus(step.gradient), "² = ", shown_number(step.next_mean_square));
}

// "m corrected = 0.0142 / (1 − 0.9^4) = 0.0413", of a mean with this beta.
std::string corrected_line(std::string_view name, float mean, double beta, double correction, int step) {
    return concat(name, " corrected = ", shown_number(mean), " / (1 − ", given(beta), "^", step,
                  ") = ", shown_number(mean / correction));
}

std::vector<std::string> adam_lines(const NumberStep& step, const OptimizerSettings& settings) {
    std::vector<std::string> lines = {mean_line(step), square_line(step),
                                      corrected_line("m", step.next_mean, kBeta1, step.correction1, step.step),
                                      corrected_line("v", step.next_mean_square, kBeta2, step.correction2, step.step)};
    double from = step.number;
    if (settings.kind == OptimizerKind::adamw) {
        from *= 1 - settings.rate * kWeightDecay;
        lines.push_back(concat("shrunk = ", shown_number(step.number), " × (1 − ", given(settings.rate), " × ",
                               given(kWeightDecay), ") = ", shown_number(from)));
    }
    lines.push_back(concat("new = ", shown_number(from), " − ", given(settings.rate), " × ",
                           after_minus(step.next_mean / step.correction1), " / (√",
                           shown_number(step.next_mean_square / step.correction2), " + ", given(kEpsilon),
                           ") = ", shown_number(step.next)));
    return lines;
}

std::vector<std::string> momentum_lines(const NumberStep& step, const OptimizerSettings& settings) {
    const std::string buffer = step.step == 1
                                   ? concat("buffer = gradient = ", shown_number(step.next_mean))
                                   : concat("buffer = ", given(kMomentum), " × ", shown_number(step.mean), " + ",
                                            shown_number(step.gradient), " = ", shown_number(step.next_mean));
    return {buffer, concat("new = ", shown_number(step.number), " − ", given(settings.rate), " × ",
                           after_minus(step.next_mean), " = ", shown_number(step.next))};
}

std::vector<std::string> sgd_lines(const NumberStep& step, const OptimizerSettings& settings) {
    return {concat("new = ", shown_number(step.number), " − ", given(settings.rate), " × ", after_minus(step.gradient),
                   " = ", shown_number(step.next))};
}

}  // namespace

std::vector<std::string> step_lines(const Evaluation& evaluation, const CellRef& gradient) {
    if (!needs_goal(gradient.tensor) || !is_gradient(gradient.tensor) || !evaluation.run || evaluation.is_empty())
        return {};
    const Training& training = evaluation.run->training();
    const TensorId tensor = tensor_of_gradient(gradient.tensor);
    const std::optional<NumberStep> step =
        training.next_step(tensor, training.place_of(evaluation.problem->embeddings), gradient.row, gradient.column);
    if (!step) return {};
    const OptimizerSettings settings = evaluation.run->optimizer();
    std::vector<std::string> lines = {concat("step ", step->step, " of ", tensor_name(tensor), ", old number ",
                                             shown_number(step->number), ", gradient ", shown_number(step->gradient))};
    const auto add = [&](std::vector<std::string> more) {
        for (std::string& line : more) lines.push_back(std::move(line));
    };
    switch (settings.kind) {
        case OptimizerKind::sgd:
            add(sgd_lines(*step, settings));
            break;
        case OptimizerKind::momentum:
            add(momentum_lines(*step, settings));
            break;
        case OptimizerKind::adam:
        case OptimizerKind::adamw:
            add(adam_lines(*step, settings));
            break;
    }
    return lines;
}

}  // namespace attn
