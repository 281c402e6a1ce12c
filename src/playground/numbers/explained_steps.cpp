// The steps that a model takes to one number, in words and numbers: a norm, an activation, a sum.
#include "playground/numbers/explanation_lines.h"

#include "core/attention/stages.h"
#include "core/ground/check.h"
#include "playground/text/format.h"

namespace attn {
namespace {

// What the attention's problem has as it is, and the model made: its input, and queries and keys that the model norms
// or turns.
bool is_made_by_model(const Explanation& explanation) {
    const TensorId stage = explanation.cell.tensor;
    if (!is_input_or_role(stage)) return false;
    return !is_role(stage) || (explanation.terms.size() == 1 && explanation.terms.front().label == "typed");
}

using TextOf = std::function<std::string(const Factor&)>;

std::string product_text(const Term& term, const TextOf& text_of) {
    return is_one(term.b) ? text_of(term.a) : concat(text_of(term.a), " × ", text_of(term.b));
}

std::string steps_sum(const ExplainedStep& step, const TextOf& text_of) {
    const std::string sum =
        sum_of_texts(step.terms.size(), [&](std::size_t i) { return product_text(step.terms[i], text_of); });
    if (step.divisor == 1) return sum;
    return concat(step.terms.size() > 1 ? concat("(", sum, ")") : sum, " / ", shown_number(step.divisor));
}

// "1 / √·" with what the terms make in the place of the point.
std::string in_rule(const std::string& rule, const std::string& sum) {
    constexpr std::string_view kPoint = "·";
    const std::size_t at = rule.find(kPoint);
    ATTN_CHECK(at != std::string::npos, "a rule without its point: ", rule);
    const bool is_sum = sum.find(' ') != std::string::npos;
    const bool has_brackets = at > 0 && rule[at - 1] == '(';
    const std::string what = is_sum && !has_brackets ? concat("(", sum, ")") : sum;
    return rule.substr(0, at) + what + rule.substr(at + kPoint.size());
}

std::string number_of_factor(const Factor& factor) {
    return shown_number(factor.value);
}

}  // namespace

bool advance_block(Evaluation& evaluation, std::int64_t multiply_adds) {
    evaluation.trace.block = evaluation.layer->advance_block(evaluation.trace, multiply_adds);
    evaluation.waits_for_block = evaluation.trace.block == nullptr;
    return evaluation.is_complete();
}

void wait_for_block(Evaluation& evaluation) {
    evaluation.waits_for_block = evaluation.layer != nullptr && evaluation.trace.block == nullptr;
}

Explanation explain(const Evaluation& evaluation, TensorId stage, int head, int row, int column) {
    const AttentionProblem& problem = *evaluation.problem;
    Explanation explanation;
    if (!is_block_stage(stage))
        explanation = explain(problem, evaluation.trace, evaluation.parts, stage, head, row, column);
    if (!kOpensModels || !evaluation.layer) return explanation;
    if (!is_block_stage(stage) && !is_made_by_model(explanation)) return explanation;
    return evaluation.layer->explain(problem, evaluation.trace, stage, head, row, column);
}

std::string product_text(const Term& term) {
    return product_text(term, number_of_factor);
}

std::string step_text(const ExplainedStep& step) {
    return step_text(step, number_of_factor);
}

std::string step_text(const ExplainedStep& step, const TextOf& text_of) {
    const std::string sum = steps_sum(step, text_of);
    return step.rule.empty() ? sum : in_rule(step.rule, sum);
}

std::vector<std::string> lines_of_steps(const Explanation& explanation) {
    std::vector<std::string> lines = {concat(tensor_name(explanation.cell.tensor), " = ", explanation.formula)};
    if (explanation.is_hidden) return lines;
    const ExplainedStep& last = explanation.steps.back();
    for (const ExplainedStep& step : explanation.steps) {
        if (&step == &last) break;
        const std::string text = step_text(step), value = shown_number(step.value);
        lines.push_back(text == value ? concat(step.name, " = ", value) : concat(step.name, " = ", text, " = ", value));
    }
    const std::string text = step_text(last), value = shown_number(static_cast<double>(explanation.shown));
    if (text != value) lines.push_back(concat("= ", text));
    lines.push_back(concat("= ", value));
    return lines;
}

}  // namespace attn
