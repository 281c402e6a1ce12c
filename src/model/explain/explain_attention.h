// The steps behind the numbers of a layer's attention: those of the core (core/explain/explain.h) with the names that
// the model's files have, and queries and keys that the core does not know how to make.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/attention/attention.h"
#include "core/graph/explanation.h"
#include "model/layers/model_run.h"

namespace attn {

// `to.cell` is of a stage with heads, and inside of it.
void explain_attention(const ModelRun& run, const AttentionProblem& problem, const AttentionTrace& trace,
                       Explanation& to);

// Appends the steps of a softmax at the place `own` of `row`: row max, row sum, and a last one called `name`.
void add_softmax_steps(std::span<const Factor> row, std::size_t own, std::string name,
                       std::vector<ExplainedStep>& steps);

}  // namespace attn
