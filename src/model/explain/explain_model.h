// Explains one number of a model: of the residual stream, a norm, the attention, the MLP, the logits, the
// probabilities.
#pragma once

#include "model/explain/model_explanation.h"
#include "model/layers/layer_work.h"
#include "model/layers/model_run.h"

namespace attn {

// The steps behind a number. `run` is done, or for a stage of a layer has come to it. `trace` is of that layer,
// complete; null for stages of the whole model. The stage is there and the cell inside of it. All factors are the
// floats that the model has, computed with in double. Of queries and keys that are normed or turned the steps begin at
// the layer's matrices.
ModelExplanation explain_model(const ModelRun& run, const LayerTrace* trace, const ModelCell& cell);

}  // namespace attn
