// The steps that explanations of several stages have in common: products with a matrix, norms, activations.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/graph/explanation.h"
#include "model/layers/activations.h"
#include "model/layers/model_weights.h"

namespace attn {

Factor factor_of(double value);
Factor factor_of(double value, const CellRef& source);
// A number of a tensor, counted in the file's order.
Factor factor_of_tensor(const ModelTensor& tensor, std::int64_t number);
// A number of a row that is in no stage, by the name of that row.
Factor factor_of_lens(double value, const std::string& name, std::int64_t row, std::int64_t column);
// What an earlier step came to, by the step's name.
Factor result_of(const ExplainedStep& step);

Term term_of(Factor a, std::string label = "");
Term product_of(Factor a, Factor b);

// A row of a stage without heads, whose number `at` it is.
std::vector<Factor> factors_of_row(std::span<const float> row, TensorId stage, int layer, int at);
// A sum of one term for each number of a row.
std::vector<std::vector<Term>> one_term_each(std::vector<Factor> row);

// A step that is its sum over the divisor.
ExplainedStep sum_step(std::string name, std::vector<Term> terms, double divisor = 1);

// x . w + b. What was changed by hand goes by the tensors that edits name.
struct NamedLinear {
    const LinearWeights& linear;
    bool is_edited = false;
    int layer = 0;
    TensorId weight = {}, bias = {};  // as edits name them
};

// The terms of a column. `x` has a factor for each input.
std::vector<Term> product_terms(const NamedLinear& named, std::span<const Factor> x, int column);
// What these terms come to, where nobody reads where they stand.
double product_value(const NamedLinear& named, std::span<const Factor> x, int column);
// "x · h.1.mlp.c_fc.weight + h.1.mlp.c_fc.bias".
std::string product_formula(const NamedLinear& named, std::string_view x);

struct NormRule {
    NormKind kind = NormKind::layer;
    double eps = 0;
    NormWeights weights = {};
};

// Appends the steps of a norm (not NormKind::none) at a column of a row, of which each number is the sum of its terms.
// The last one is called `name`.
void add_norm_steps(const NormRule& rule, std::span<const std::vector<Term>> row, int column, std::string name,
                    std::vector<ExplainedStep>& steps);
std::string norm_formula(const NormRule& rule, std::string_view x);

// The same of an activation; of a gated MLP that of the gate, times x. An empty name of the gate means that there is
// none.
void add_activation_steps(Activation activation, const Factor& x, const std::optional<Factor>& gate, std::string name,
                          std::vector<ExplainedStep>& steps);
std::string activation_formula(Activation activation, std::string_view x, std::string_view gate);

// Appends the last step of a capped number, of which the one before is the number: cap * tanh(number / cap).
void add_cap_step(float cap, std::string name, std::vector<ExplainedStep>& steps);

}  // namespace attn
