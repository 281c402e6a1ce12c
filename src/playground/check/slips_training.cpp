// Slips in a step of training: what the last step did to a number, done wrong. The numbers that one projection reads
// are stepped one by one, and the wrong ones take the place of the right ones.
#include <cmath>
#include <optional>
#include <vector>

#include "core/fast/attend.h"
#include "core/ground/check.h"
#include "core/learn/gradients.h"
#include "playground/check/slip_list.h"

namespace attn {
namespace {

// A number of the matrix, or of the bias, that the last step changed.
struct SteppedNumber {
    double factor = 1;    // what it is multiplied with: of x, or 1
    double old = 0;       // before the step
    double gradient = 0;  // that it was stepped with
    double mean = 0;      // after the step: m, or momentum's buffer
    double mean_square = 0;
};

struct LearnedRole {
    TensorId w, b;
    Matrix Projections::* matrix;
    Vector Projections::* bias;
};

LearnedRole learned_role(TensorId stage) {
    switch (stage) {
        case TensorId::queries:
            return {TensorId::w_query, TensorId::b_query, &Projections::w_query, &Projections::b_query};
        case TensorId::keys:
            return {TensorId::w_key, TensorId::b_key, &Projections::w_key, &Projections::b_key};
        case TensorId::values:
            return {TensorId::w_value, TensorId::b_value, &Projections::w_value, &Projections::b_value};
        case TensorId::output:
            return {TensorId::w_out, TensorId::b_out, &Projections::w_out, &Projections::b_out};
        default:
            fail_check(__FILE__, __LINE__, concat(tensor_name(stage), " is no projection"));
    }
}

// The sentences before the last step, those without words left out.
std::vector<AttentionProblem> sentences_before(const TrainingRun& run) {
    std::vector<AttentionProblem> sentences;
    for (int sentence = 0; sentence < static_cast<int>(kMaxSentences); ++sentence) {
        if (std::optional<AttentionProblem> before = run.problem_at(sentence, run.num_steps() - 1))
            sentences.push_back(std::move(*before));
    }
    return sentences;
}

std::vector<SteppedNumber> stepped_numbers(const TrainingRun& run, const LearnedRole& role, std::span<const float> x,
                                           int column) {
    const std::vector<AttentionProblem> sentences = sentences_before(run);
    if (sentences.empty()) return {};
    const Matrix& w = (*sentences.front().projections).*role.matrix;
    const Vector& b = (*sentences.front().projections).*role.bias;
    std::vector<SteppedNumber> numbers(x.size() + (b.size() != 0 ? 1 : 0));
    for (std::size_t c = 0; c < x.size(); ++c) {
        numbers[c].factor = static_cast<double>(x[c]);
        numbers[c].old = static_cast<double>(w(c, column));
    }
    if (b.size() != 0) numbers.back().old = static_cast<double>(b(column));
    for (const AttentionProblem& sentence : sentences) {
        BackwardPass pass;
        const Projections& at = pass.run(sentence, attend(sentence), sentence.goal).projections;
        for (std::size_t c = 0; c < x.size(); ++c)
            numbers[c].gradient += static_cast<double>((at.*role.matrix)(c, column));
        if (b.size() != 0) numbers.back().gradient += static_cast<double>((at.*role.bias)(column));
    }
    for (std::size_t n = 0; n < numbers.size(); ++n) {
        const bool is_bias = n == x.size();
        // What the next step begins with is what the last one left.
        const std::optional<NumberStep> next =
            run.training().next_step(is_bias ? role.b : role.w, 0, is_bias ? 0 : static_cast<int>(n), column);
        if (!next) return {};
        numbers[n].mean = static_cast<double>(next->mean);
        numbers[n].mean_square = static_cast<double>(next->mean_square);
    }
    return numbers;
}

}  // namespace

void add_step_slips(const SlipPlace& at, std::span<const float> x, int column, double shown) {
    if (!at.evaluation.run || at.evaluation.run->num_steps() == 0) return;
    const TrainingRun& run = *at.evaluation.run;
    const std::vector<SteppedNumber> numbers = stepped_numbers(run, learned_role(at.stage), x, column);
    const auto sum = [&](const auto& number_of) {
        double total = 0;
        for (const SteppedNumber& number : numbers) total += number.factor * number_of(number);
        return total;
    };
    const double old = sum([](const SteppedNumber& number) { return number.old; });
    if (numbers.empty() || old == shown) return;
    const auto& [kind, rate] = run.optimizer();
    const bool shrinks = kind == OptimizerKind::adamw;
    const double begun = shrinks ? old * (1 - rate * kWeightDecay) : old;  // what the step is taken off
    at.add(old, "leave out the last step of training");
    at.add(begun - (begun - shown) / rate, "forget the learning rate");
    at.add(begun + (begun - shown), "add the step instead of taking it off");
    if (shrinks) at.add(old - (begun - shown), "forget to shrink the numbers before the step");
    if (kind == OptimizerKind::sgd) return;
    if (kind == OptimizerKind::momentum) {
        if (run.num_steps() > 1)
            at.add(sum([&](const auto& n) { return n.old - rate * n.gradient; }), "forget the momentum");
        return;
    }
    const double correction1 = run.training().optimizer().correction1();
    const double correction2 = run.training().optimizer().correction2();
    const auto stepped = [&](double m, double v) { return rate * m / (std::sqrt(v) + kEpsilon); };
    const auto mean = [&](const SteppedNumber& n) { return n.mean / correction1; };
    const auto mean_square = [&](const SteppedNumber& n) { return n.mean_square / correction2; };
    at.add(begun - sum([&](const auto& n) { return stepped(n.mean, n.mean_square); }),
           "forget to correct the means for their beginning at 0");
    at.add(begun - sum([&](const auto& n) { return rate * mean(n); }), "forget to divide by the root of v");
    at.add(begun - sum([&](const auto& n) { return rate * mean(n) / (mean_square(n) + kEpsilon); }),
           "divide by v instead of its root");
    if (run.num_steps() > 1) {
        at.add(begun - sum([&](const auto& n) { return stepped(n.gradient, mean_square(n)); }),
               "take the gradient itself for its running mean m");
    }
}

}  // namespace attn
