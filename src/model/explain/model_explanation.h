// Where one number of a model comes from: sums, one after the other, the last of which is the number. Each term says
// where its factors stand: in a stage of the model, or in a tensor of its files.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/layers/model_stages.h"

namespace attn {

struct ModelCell {
    const ModelStageInfo* stage = nullptr;
    int layer = 0;  // of stages of a layer
    int head = 0;   // of stages with a matrix a head: of keys and values the head of keys
    int row = 0, column = 0;
};

// Where a factor stands. A tensor of the files goes by its name there and the place that it has there; a matrix or a
// bias that was changed by hand by the name and the place that edits have; what an earlier step came to by its name.
struct NumberSource {
    std::string name;
    std::optional<int> layer, head;   // from 0, of a stage that has them, and of what was changed by hand
    std::vector<std::int64_t> place;  // an index for each of its dimensions
    bool operator==(const NumberSource&) const = default;
};

struct ModelFactor {
    double value = 1;
    std::optional<NumberSource> source;  // nothing: a constant, or what follows from an earlier step
};

struct ModelTerm {
    ModelFactor a, b;   // the product a * b; b is 1 where there is only one factor
    std::string label;  // what the term is, where no source says it
    double product() const { return a.value * b.value; }
};

// value = rule(sum of the terms / divisor).
struct ModelStep {
    std::string name;  // how later steps call it; of the last one the stage
    std::vector<ModelTerm> terms;
    double divisor = 1;
    std::string rule;  // "1 / √·", where · is what the terms make; empty: it is that
    double value = 0;

    double sum() const;  // of the terms
};

struct ModelExplanation {
    ModelCell cell;
    float shown = 0;         // the model's own number
    bool is_hidden = false;  // a key hidden from this query: masked score -inf, weight 0; no steps
    std::string formula;     // in the names of stages and steps
    std::vector<ModelStep> steps;

    // The last step's value: differs from `shown` by float rounding only.
    double result() const { return steps.back().value; }
};

}  // namespace attn
