// Each step in double from the floats that the model has. Its own roundings between the steps are left out.
#include "model/explain/explain_steps.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/ground/check.h"
#include "core/ground/portable_math.h"

namespace attn {
namespace {

// The place of a number, counted in the file's order, in the dimensions that the file has.
std::vector<std::int64_t> place_of(const ModelTensor& tensor, std::int64_t number) {
    const std::vector<std::int64_t>& shape = tensor.filed().tensor.shape;
    std::vector<std::int64_t> place(shape.size());
    for (std::size_t k = shape.size(); k-- > 0;) {
        place[k] = number % shape[k];
        number /= shape[k];
    }
    return place;
}

double number_of(const ModelTensor& tensor, std::int64_t number) {
    float value = 0;
    tensor.copy(number, {&value, 1});
    return static_cast<double>(value);
}

Factor named_factor(double value, NamedNumber number) {
    return {.value = value,
            .has_source = false,
            .source = {},
            .named = std::make_shared<const NamedNumber>(std::move(number))};
}

ExplainedStep ruled_step(std::string name, std::vector<Term> terms, std::string rule, double value) {
    return {.name = std::move(name), .terms = std::move(terms), .divisor = 1, .rule = std::move(rule), .value = value};
}

}  // namespace

Factor factor_of(double value) {
    return {.value = value, .has_source = false, .source = {}};
}

Factor factor_of(double value, const CellRef& source) {
    return {.value = value, .has_source = true, .source = source};
}

Factor result_of(const ExplainedStep& step) {
    return named_factor(step.value, {.name = step.name, .place = {}});
}

Term term_of(Factor a, std::string label) {
    return {.a = std::move(a), .b = factor_of(1), .label = std::move(label)};
}

Term product_of(Factor a, Factor b) {
    return {.a = std::move(a), .b = std::move(b), .label = ""};
}

Factor factor_of_tensor(const ModelTensor& tensor, std::int64_t number) {
    return named_factor(number_of(tensor, number), {.name = tensor.name(), .place = place_of(tensor, number)});
}

Factor factor_of_lens(double value, const std::string& name, std::int64_t row, std::int64_t column) {
    return named_factor(value, {.name = name, .place = {row, column}});
}

std::vector<Factor> factors_of_row(std::span<const float> row, TensorId stage, int layer, int at) {
    std::vector<Factor> factors;
    for (const float number : row)
        factors.push_back(
            factor_of(static_cast<double>(number), {stage, 0, at, static_cast<int>(factors.size()), layer}));
    return factors;
}

std::vector<std::vector<Term>> one_term_each(std::vector<Factor> row) {
    std::vector<std::vector<Term>> terms;
    for (Factor& factor : row) terms.push_back({term_of(std::move(factor))});
    return terms;
}

ExplainedStep sum_step(std::string name, std::vector<Term> terms, double divisor) {
    const double value = sum_of(terms) / divisor;
    return {.name = std::move(name), .terms = std::move(terms), .divisor = divisor, .rule = "", .value = value};
}

std::vector<Term> product_terms(const NamedLinear& named, std::span<const Factor> x, int column) {
    const LinearWeights& linear = named.linear;
    ATTN_CHECK(column >= 0 && column < linear.outputs, "column ", column, " of ", linear.outputs);
    const ModelTensor& weight = *linear.weight;
    std::vector<float> numbers(static_cast<std::size_t>(linear.inputs));
    weight.copy_column(linear.first_output + column, numbers);
    std::vector<Term> terms;
    for (int k = 0; k < linear.inputs; ++k) {
        const auto at = static_cast<std::size_t>(k);
        const auto number = static_cast<double>(numbers[at]);
        terms.push_back(product_of(
            x[at], named.is_edited
                       ? factor_of(number, {named.weight, 0, k, column, named.layer})
                       : named_factor(number,
                                      {.name = weight.name(),
                                       .place = place_of(weight, weight.number_at(k, linear.first_output + column))})));
    }
    if (linear.bias == nullptr) return terms;
    Factor bias = factor_of_tensor(*linear.bias, linear.bias_number(column));
    if (named.is_edited) bias = factor_of(bias.value, {named.bias, 0, 0, column, named.layer});
    terms.push_back(term_of(std::move(bias), "bias"));
    return terms;
}

double product_value(const NamedLinear& named, std::span<const Factor> x, int column) {
    const LinearWeights& linear = named.linear;
    std::vector<float> numbers(static_cast<std::size_t>(linear.inputs));
    linear.weight->copy_column(linear.first_output + column, numbers);
    double sum = 0;
    for (std::size_t k = 0; k < numbers.size(); ++k) sum += x[k].value * static_cast<double>(numbers[k]);
    return linear.bias == nullptr ? sum : sum + number_of(*linear.bias, linear.bias_number(column));
}

std::string product_formula(const NamedLinear& named, std::string_view x) {
    const LinearWeights& linear = named.linear;
    const auto name_of = [&](const ModelTensor& tensor, TensorId edited) {
        return named.is_edited ? std::string(tensor_name(edited)) : tensor.name();
    };
    const std::string product = concat(x, " · ", name_of(*linear.weight, named.weight));
    return linear.bias == nullptr ? product : concat(product, " + ", name_of(*linear.bias, named.bias));
}

void add_norm_steps(const NormRule& rule, std::span<const std::vector<Term>> row, int column, std::string name,
                    std::vector<ExplainedStep>& steps) {
    ATTN_CHECK(rule.kind != NormKind::none, "no norm");
    const auto size = static_cast<double>(row.size());
    const auto own = static_cast<std::size_t>(column);
    std::vector<double> numbers;
    std::vector<Term> all;
    for (const std::vector<Term>& terms : row) {
        numbers.push_back(sum_of(terms));
        all.insert(all.end(), terms.begin(), terms.end());
    }
    const bool has_mean = rule.kind == NormKind::layer;
    if (has_mean) steps.push_back(sum_step("mean", std::move(all), size));
    const double mean = has_mean ? steps.back().value : 0;
    const Factor mean_factor = has_mean ? result_of(steps.back()) : factor_of(0);
    std::vector<Term> squares;
    for (const double number : numbers)
        squares.push_back(product_of(factor_of(number - mean), factor_of(number - mean)));
    steps.push_back(sum_step(has_mean ? "variance" : "mean square", std::move(squares), size));
    const double scale = 1 / std::sqrt(steps.back().value + rule.eps);
    steps.push_back(
        ruled_step("scale", {term_of(result_of(steps.back())), term_of(factor_of(rule.eps), "eps")}, "1 / √·", scale));
    const Factor scale_factor = result_of(steps.back());
    // The number itself, less the mean.
    std::vector<Term> centred = row[own];
    if (has_mean) centred.push_back({.a = factor_of(-1), .b = mean_factor, .label = ""});
    steps.push_back(sum_step(has_mean ? "distance" : "number", std::move(centred)));
    steps.push_back(sum_step("normed", {product_of(result_of(steps.back()), scale_factor)}));
    std::vector<Term> terms = {term_of(result_of(steps.back()))};
    if (rule.weights.weight != nullptr) terms.back().b = factor_of_tensor(*rule.weights.weight, column);
    if (rule.weights.offset != 0)
        terms.push_back(product_of(terms.back().a, factor_of(static_cast<double>(rule.weights.offset))));
    if (rule.weights.bias != nullptr) terms.push_back(term_of(factor_of_tensor(*rule.weights.bias, column), "bias"));
    steps.push_back(sum_step(std::move(name), std::move(terms)));
}

std::string norm_formula(const NormRule& rule, std::string_view x) {
    if (rule.kind == NormKind::none) return std::string(x);
    const std::string normed =
        rule.kind == NormKind::layer ? concat("(", x, " − mean) · scale") : concat(x, " · scale");
    const auto named = [](std::string_view sign, const ModelTensor* tensor) {
        return tensor == nullptr ? std::string() : concat(sign, tensor->name());
    };
    const bool has_offset = rule.weights.offset != 0;
    return concat(normed, named(has_offset ? concat(" · (", rule.weights.offset, " + ") : " · ", rule.weights.weight),
                  has_offset ? ")" : "", named(" + ", rule.weights.bias));
}

namespace {

void add_plain_activation(Activation activation, const Factor& x, std::string name, std::vector<ExplainedStep>& steps) {
    const double number = x.value;
    switch (activation) {
        case Activation::gelu_tanh: {
            const double root = std::sqrt(2 / std::acos(-1.0));
            Term cube = product_of(factor_of(root * 0.044715), factor_of(number * number * number));
            cube.label = "√(2/π) · 0.044715 · x³";
            Term plain = product_of(factor_of(root), x);
            plain.label = "√(2/π) · x";
            steps.push_back(sum_step("u", {plain, cube}));
            // tanh u = 1 - 2 / (1 + e^2u).
            const double tanh = 1 - 2 / (1 + portable::exp(2 * steps.back().value));
            steps.push_back(ruled_step("tanh u", {term_of(result_of(steps.back()))}, "tanh(·)", tanh));
            steps.push_back(sum_step(std::move(name), {term_of(x), product_of(x, result_of(steps.back()))}, 2));
            return;
        }
        case Activation::gelu_exact:
            steps.push_back(
                ruled_step("share", {term_of(x)}, "the share of a standard normal below ·", normal_share(number)));
            steps.push_back(sum_step(std::move(name), {product_of(x, result_of(steps.back()))}));
            return;
        case Activation::relu:
            steps.push_back(
                ruled_step(std::move(name), {term_of(x)}, "the larger of · and 0", number < 0 ? 0 : number));
            return;
        case Activation::silu:
            steps.push_back(ruled_step("sigmoid", {term_of(x)}, "1 / (1 + e^−·)", 1 / (1 + portable::exp(-number))));
            steps.push_back(sum_step(std::move(name), {product_of(x, result_of(steps.back()))}));
            return;
    }
}

}  // namespace

void add_activation_steps(Activation activation, const Factor& x, const std::optional<Factor>& gate, std::string name,
                          std::vector<ExplainedStep>& steps) {
    if (!gate) return add_plain_activation(activation, x, std::move(name), steps);
    add_plain_activation(activation, *gate, "opened", steps);
    steps.push_back(sum_step(std::move(name), {product_of(result_of(steps.back()), x)}));
}

std::string activation_formula(Activation activation, std::string_view x, std::string_view gate) {
    const std::string_view of = gate.empty() ? x : gate;
    const std::string times = gate.empty() ? std::string() : concat(" · ", x);
    switch (activation) {
        case Activation::gelu_tanh:
            return concat(of, " · (1 + tanh u) / 2", times, ", u = √(2/π) · (", of, " + 0.044715 · ", of,
                          "³): ", gate.empty() ? "GELU" : "GeGLU", " by tanh");
        case Activation::gelu_exact:
            return concat(of, " · the share of a standard normal below it", times, gate.empty() ? ": GELU" : ": GeGLU");
        case Activation::relu:
            return concat("the larger of ", of, " and 0", times, gate.empty() ? ": ReLU" : ": ReGLU");
        case Activation::silu:
            return concat(of, " / (1 + e^−", of, ")", times, gate.empty() ? ": SiLU" : ": SwiGLU");
    }
    fail_check(__FILE__, __LINE__, "no such activation");
}

void add_cap_step(float cap, std::string name, std::vector<ExplainedStep>& steps) {
    const double limit = static_cast<double>(cap);
    const Factor number = result_of(steps.back());
    steps.push_back(ruled_step("tanh", {product_of(number, factor_of(1 / limit))}, "tanh(·)",
                               portable::tanh(number.value / limit)));
    steps.push_back(sum_step(std::move(name), {product_of(factor_of(limit), result_of(steps.back()))}));
}

}  // namespace attn
