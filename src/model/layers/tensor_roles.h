// Which tensor of a file is which part of the model: the names and layouts of each kind of file, held to config.json.
#pragma once

#include <memory>
#include <string>

#include "core/ground/result.h"
#include "model/files/tensor_files.h"
#include "model/layers/model_config.h"
#include "model/layers/model_weights.h"

namespace attn {

// A model with memory for its tensors, whose numbers are still to be read. Fails with a sentence that names both sides
// where files and config contradict each other: a tensor that is missing, of another shape than the config says, of a
// layer that the config does not have, or of another kind of model; and for numbers of a type that is not computed.
// Tensors that the model has no use for (masks, counters, buffers) are left alone. `has_config`: whether the config is
// a file's.
Result<Model> find_roles(const ModelConfig& config, const TensorFiles& files, bool has_config = true);

}  // namespace attn
