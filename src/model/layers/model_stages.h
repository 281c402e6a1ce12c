// The stages that a model has, of the stage table (core/attention/stages.h), in the order they are computed: those of a
// layer's attention, what stands around it, and what comes after the last layer.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/attention/stages.h"
#include "model/layers/layer_work.h"
#include "model/layers/model_run.h"

namespace attn {

std::span<const TensorId> model_stages();
std::optional<TensorId> model_stage_of_name(std::string_view name);

struct NamedNumbers {
    std::string name;
    std::vector<std::int64_t> shape;
    std::vector<float> numbers;  // in memory order
};

// Why a model does not have a stage of the whole model, in a sentence; empty where it has, and for stages of layers.
std::string find_stage_problem(const Model& model, TensorId stage);

// Where a stage without heads lies in a layer that is done; null where the layer does not have it.
const Matrix* layer_matrix(const LayerTrace& trace, TensorId stage);

// A stage of a layer that is done; nothing where the layer does not have it (an MLP's, masked scores without a mask).
// Hidden keys are -inf in masked_scores, 0 in weights.
std::optional<NamedNumbers> layer_stage(const LayerTrace& trace, TensorId stage);

// Those of the wanted stages of the whole model that it has, in their order, from the stream after its last layer and
// norm, (T, width).
std::vector<NamedNumbers> end_stages(const Model& model, const Matrix& final_stream, std::span<const TensorId> wanted);

// The first stage of a layer that a patch changes: of a head's what the attention adds, as `merged` is what the heads
// themselves make.
TensorId stage_of_patch(PatchOf of);

NamedNumbers named_matrix(TensorId stage, const Matrix& matrix);

}  // namespace attn
