// The steps behind the numbers of a layer's attention: those of the core (core/explain/explain.h) with the names that
// the model's files have, and queries and keys that the core does not know how to make.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "model/explain/model_explanation.h"
#include "model/layers/layer_work.h"
#include "model/layers/model_run.h"

namespace attn {

// `to.cell` is of a stage of the attention, and inside of it.
void explain_attention(const ModelRun& run, const LayerTrace& trace, ModelExplanation& to);

// Appends the steps of a softmax at the place `own` of `row`: row max, row sum, and a last one called `name`.
void add_softmax_steps(std::span<const ModelFactor> row, std::size_t own, std::string name,
                       std::vector<ModelStep>& steps);

}  // namespace attn
