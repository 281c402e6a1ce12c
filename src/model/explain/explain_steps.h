// The steps that explanations of several stages have in common: products with a matrix, norms, activations.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/explain/model_explanation.h"
#include "model/layers/activations.h"
#include "model/layers/model_weights.h"

namespace attn {

ModelFactor factor_of(double value);
ModelFactor factor_of(double value, NumberSource source);
// A number of a tensor, counted in the file's order.
ModelFactor factor_of_tensor(const ModelTensor& tensor, std::int64_t number);
// What an earlier step came to, by the step's name.
ModelFactor result_of(const ModelStep& step);

ModelTerm term_of(ModelFactor a, std::string label = "");
ModelTerm product_of(ModelFactor a, ModelFactor b);

// A step that is its sum over the divisor.
ModelStep sum_step(std::string name, std::vector<ModelTerm> terms, double divisor = 1);

// x . w + b. What was changed by hand goes by the names that edits have.
struct NamedLinear {
    const LinearWeights& linear;
    bool is_edited = false;
    int layer = 0;
    std::string weight_name, bias_name;
};

// The terms of a column. `x` has a factor for each input.
std::vector<ModelTerm> product_terms(const NamedLinear& named, std::span<const ModelFactor> x, int column);
// "x · h.1.mlp.c_fc.weight + h.1.mlp.c_fc.bias".
std::string product_formula(const NamedLinear& named, std::string_view x);

struct NormRule {
    NormKind kind = NormKind::layer;
    double eps = 0;
    NormWeights weights = {};
};

// Appends the steps of a norm (not NormKind::none) at a column of a row, of which each number is the sum of its terms.
// The last one is called `name`.
void add_norm_steps(const NormRule& rule, std::span<const std::vector<ModelTerm>> row, int column, std::string name,
                    std::vector<ModelStep>& steps);
std::string norm_formula(const NormRule& rule, std::string_view x);

// The same of an activation. `gate` counts where it is gated.
void add_activation_steps(Activation activation, const ModelFactor& x, const ModelFactor& gate, std::string name,
                          std::vector<ModelStep>& steps);
std::string activation_formula(Activation activation, std::string_view x, std::string_view gate);

}  // namespace attn
