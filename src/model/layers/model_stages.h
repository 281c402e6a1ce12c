// The stages of a model by name, in the order they are computed: what a layer does around its attention, the
// attention's own stages (core/attention/stages.h), and what comes after the last layer.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/attention/stage_info.h"
#include "model/layers/layer_work.h"

namespace attn {

struct ModelStageInfo {
    std::string_view name;
    std::string_view letters;                          // its shape: "(T, width)"
    std::string_view meaning;                          // one sentence
    bool is_of_layer = true;                           // else of the whole model
    std::optional<TensorId> attention = std::nullopt;  // a stage of the attention, with a matrix a head
};

std::span<const ModelStageInfo> model_stage_table();
const ModelStageInfo* model_stage_of_name(std::string_view name);  // or null

struct NamedNumbers {
    std::string name;
    std::vector<std::int64_t> shape;
    std::vector<float> numbers;  // in memory order
};

// Why a model does not have a stage of the whole model, in a sentence; empty where it has, and for stages of layers.
std::string find_stage_problem(const Model& model, const ModelStageInfo& stage);

// The row of the table for a stage of the attention, which a model has.
const ModelStageInfo& model_stage_of(TensorId attention);

// Where a stage without heads lies in a layer that is done; null where the layer does not have it.
const Matrix* layer_matrix(const LayerTrace& trace, const ModelStageInfo& stage);

// A stage of a layer that is done; nothing where the layer does not have it (an MLP's, masked scores without a mask,
// `output` where heads and stream differ in width). Hidden keys are -inf in masked_scores, 0 in weights.
std::optional<NamedNumbers> layer_stage(const LayerTrace& trace, const ModelStageInfo& stage);

NamedNumbers named_matrix(std::string_view name, const Matrix& matrix);

}  // namespace attn
