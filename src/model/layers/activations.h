// The functions between the sums of a model, on single numbers and rows: MLPs' activations, norms.
// Computed in double with core/ground/portable_math and rounded once, so each result is the same bits everywhere.
#pragma once

#include <span>

#include "model/layers/model_config.h"
#include "model/layers/model_weights.h"

namespace attn {

// The tangent form of GELU, which GPT-2 uses: off from the exact one by up to 5e-4.
double gelu_tanh(double x);

// The share of a standard normal that lies below x: off by less than 6e-16.
double normal_share(double x);

// x / (1 + e^-x).
double silu(double x);

// One number of it.
double activated(Activation activation, double x);

// hidden[i] becomes activation(hidden[i]), or activation(gate[i]) * hidden[i] with a gate (as long as hidden).
void activate(Activation activation, std::span<float> hidden, std::span<const float> gate);

// What a norm makes of a row is scale * (x - mean): `mean` is 0 for RMS norms.
struct NormScale {
    double mean = 0, scale = 1;
};
NormScale norm_scale(NormKind kind, std::span<const float> row, double eps);

// scale * (x - mean), rounded to float, times weight, plus bias; an empty weight is 1, an empty bias 0. `out` may be
// `row`.
void normalize(NormKind kind, double eps, std::span<const float> row, std::span<const float> weight,
               std::span<const float> bias, std::span<float> out);

// Each row by the model's kind of norm; a norm without tensors leaves x as it is.
Matrix norm_rows(const ModelConfig& config, const NormWeights& weights, const Matrix& x);

}  // namespace attn
