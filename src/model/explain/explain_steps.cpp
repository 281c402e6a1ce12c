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

double sum_of(std::span<const ModelTerm> terms) {
    double sum = 0;
    for (const ModelTerm& term : terms) sum += term.product();
    return sum;
}

ModelStep ruled_step(std::string name, std::vector<ModelTerm> terms, std::string rule, double value) {
    return {.name = std::move(name), .terms = std::move(terms), .divisor = 1, .rule = std::move(rule), .value = value};
}

}  // namespace

double ModelStep::sum() const {
    return sum_of(terms);
}

ModelFactor factor_of(double value) {
    return {.value = value, .source = std::nullopt};
}

ModelFactor factor_of(double value, NumberSource source) {
    return {.value = value, .source = std::move(source)};
}

ModelFactor result_of(const ModelStep& step) {
    return factor_of(step.value, {.name = step.name, .layer = {}, .head = {}, .place = {}});
}

ModelTerm term_of(ModelFactor a, std::string label) {
    return {.a = std::move(a), .b = factor_of(1), .label = std::move(label)};
}

ModelTerm product_of(ModelFactor a, ModelFactor b) {
    return {.a = std::move(a), .b = std::move(b), .label = ""};
}

ModelFactor factor_of_tensor(const ModelTensor& tensor, std::int64_t number) {
    return factor_of(number_of(tensor, number),
                     {.name = tensor.name(), .layer = {}, .head = {}, .place = place_of(tensor, number)});
}

ModelStep sum_step(std::string name, std::vector<ModelTerm> terms, double divisor) {
    const double value = sum_of(terms) / divisor;
    return {.name = std::move(name), .terms = std::move(terms), .divisor = divisor, .rule = "", .value = value};
}

std::vector<ModelTerm> product_terms(const NamedLinear& named, std::span<const ModelFactor> x, int column) {
    const LinearWeights& linear = named.linear;
    ATTN_CHECK(column >= 0 && column < linear.outputs, "column ", column, " of ", linear.outputs);
    const ModelTensor& weight = *linear.weight;
    std::vector<float> numbers(static_cast<std::size_t>(linear.inputs));
    weight.copy_column(linear.first_output + column, numbers);
    std::vector<ModelTerm> terms;
    for (int k = 0; k < linear.inputs; ++k) {
        NumberSource source{.name = weight.name(),
                            .layer = {},
                            .head = {},
                            .place = place_of(weight, weight.number_at(k, linear.first_output + column))};
        if (named.is_edited)
            source = {.name = named.weight_name, .layer = named.layer, .head = {}, .place = {k, column}};
        const auto at = static_cast<std::size_t>(k);
        terms.push_back(product_of(x[at], factor_of(static_cast<double>(numbers[at]), std::move(source))));
    }
    if (linear.bias == nullptr) return terms;
    ModelFactor bias = factor_of_tensor(*linear.bias, linear.first_output + column);
    if (named.is_edited)
        bias.source = {.name = named.bias_name, .layer = named.layer, .head = {}, .place = {0, column}};
    terms.push_back(term_of(std::move(bias), "bias"));
    return terms;
}

std::string product_formula(const NamedLinear& named, std::string_view x) {
    const LinearWeights& linear = named.linear;
    const auto name_of = [&](const ModelTensor& tensor, const std::string& edited) {
        return named.is_edited ? edited : tensor.name();
    };
    const std::string product = concat(x, " · ", name_of(*linear.weight, named.weight_name));
    return linear.bias == nullptr ? product : concat(product, " + ", name_of(*linear.bias, named.bias_name));
}

void add_norm_steps(const NormRule& rule, std::span<const std::vector<ModelTerm>> row, int column, std::string name,
                    std::vector<ModelStep>& steps) {
    ATTN_CHECK(rule.kind != NormKind::none, "no norm");
    const auto size = static_cast<double>(row.size());
    const auto own = static_cast<std::size_t>(column);
    std::vector<double> numbers;
    std::vector<ModelTerm> all;
    for (const std::vector<ModelTerm>& terms : row) {
        numbers.push_back(sum_of(terms));
        all.insert(all.end(), terms.begin(), terms.end());
    }
    const bool has_mean = rule.kind == NormKind::layer;
    if (has_mean) steps.push_back(sum_step("mean", std::move(all), size));
    const double mean = has_mean ? steps.back().value : 0;
    const ModelFactor mean_factor = has_mean ? result_of(steps.back()) : factor_of(0);
    std::vector<ModelTerm> squares;
    for (const double number : numbers)
        squares.push_back(product_of(factor_of(number - mean), factor_of(number - mean)));
    steps.push_back(sum_step(has_mean ? "variance" : "mean square", std::move(squares), size));
    const double scale = 1 / std::sqrt(steps.back().value + rule.eps);
    steps.push_back(
        ruled_step("scale", {term_of(result_of(steps.back())), term_of(factor_of(rule.eps), "eps")}, "1 / √·", scale));
    const ModelFactor scale_factor = result_of(steps.back());
    // The number itself, less the mean.
    std::vector<ModelTerm> centred = row[own];
    if (has_mean) centred.push_back({.a = factor_of(-1), .b = mean_factor, .label = ""});
    steps.push_back(sum_step(has_mean ? "distance" : "number", std::move(centred)));
    steps.push_back(sum_step("normed", {product_of(result_of(steps.back()), scale_factor)}));
    std::vector<ModelTerm> terms = {term_of(result_of(steps.back()))};
    if (rule.weights.weight != nullptr) terms.back().b = factor_of_tensor(*rule.weights.weight, column);
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
    return concat(normed, named(" · ", rule.weights.weight), named(" + ", rule.weights.bias));
}

void add_activation_steps(Activation activation, const ModelFactor& x, const ModelFactor& gate, std::string name,
                          std::vector<ModelStep>& steps) {
    const double number = x.value;
    switch (activation) {
        case Activation::gelu_tanh: {
            const double root = std::sqrt(2 / std::acos(-1.0));
            ModelTerm cube = product_of(factor_of(root * 0.044715), factor_of(number * number * number));
            cube.label = "√(2/π) · 0.044715 · x³";
            ModelTerm plain = product_of(factor_of(root), x);
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
        case Activation::silu_gated:
            steps.push_back(
                ruled_step("sigmoid", {term_of(gate)}, "1 / (1 + e^−·)", 1 / (1 + portable::exp(-gate.value))));
            steps.push_back(sum_step("opened", {product_of(gate, result_of(steps.back()))}));
            steps.push_back(sum_step(std::move(name), {product_of(result_of(steps.back()), x)}));
            return;
    }
}

std::string activation_formula(Activation activation, std::string_view x, std::string_view gate) {
    switch (activation) {
        case Activation::gelu_tanh:
            return concat(x, " · (1 + tanh u) / 2, u = √(2/π) · (", x, " + 0.044715 · ", x, "³): GELU by tanh");
        case Activation::gelu_exact:
            return concat(x, " · the share of a standard normal below it: GELU");
        case Activation::relu:
            return concat("the larger of ", x, " and 0: ReLU");
        case Activation::silu_gated:
            return concat(gate, " / (1 + e^−", gate, ") · ", x, ": SwiGLU");
    }
    fail_check(__FILE__, __LINE__, "no such activation");
}

}  // namespace attn
