// A model that a fuzz target has read is computed: whatever its files said, its numbers have their shapes.
#pragma once

#include <algorithm>
#include <string>
#include <utility>

#include "core/ground/check.h"
#include "model/layers/model_run.h"

// Computes up to three tokens in all layers, and their logits where the model has an unembedding.
inline void compute_model(const attn::Model& model) {
    attn::ModelInput input;
    for (int i = 0; i < std::min(3, model.config.max_positions); ++i) input.ids.push_back(i % model.config.vocabulary);
    const std::string problem = find_input_problem(model.config, input);
    ATTN_CHECK(problem.empty(), problem);
    attn::ModelRun run(model, input);
    run.advance(1'000'000'000);
    ATTN_CHECK(run.is_done(), "not done");
    if (!model.weights.unembedding.is_there()) return;
    const attn::Matrix logits = logits_of(model, input);
    ATTN_CHECK(std::cmp_equal(logits.size(), input.ids.size() * static_cast<std::size_t>(model.config.vocabulary)),
               "logits of another shape");
}
