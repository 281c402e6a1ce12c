// Explains one number of a model: of the residual stream, a norm, the attention, the MLP, the logits, the
// probabilities.
#pragma once

#include <span>

#include "core/graph/explanation.h"
#include "model/layers/layer_work.h"
#include "model/layers/model_run.h"

namespace attn {

// A layer that explains its numbers: its attention, complete, and what stands around it, null where the number is not
// made of that.
struct ExplainedLayer {
    const AttentionProblem& problem;
    const AttentionTrace& attention;
    const BlockStages* block = nullptr;
    bool has_output = false;  // what the output projection gives is named `output`
};

// The steps behind a number of the layer cell.layer, which the run has come to. The layer has the stage, one of
// model_stages(), and the cell is inside of it; heads that are off are replaced in `merged`. All factors are the floats
// that the model has, computed with in double. Of queries and keys that are normed or turned the steps begin at the
// layer's matrices.
Explanation explain_layer(const ModelRun& run, const ExplainedLayer& layer, const CellRef& cell);

// The same of a stage behind the last layer. `after`: the cell's row of the stream that comes out of that, [width].
Explanation explain_end(const Model& model, std::span<const float> after, const CellRef& cell);

// The same of the logit lens (model/roles/lens.h): of the stream before layer `layer`, up to num_layers, which is
// explain_end. The run has come as far.
Explanation explain_lens(const ModelRun& run, int layer, const CellRef& cell);
// A token's logit there, and the number of one channel that its products are made with: of final_stream, or of
// logit_input where the head has one.
Explanation explain_lens_logit(const ModelRun& run, int layer, int row, int token);
Explanation explain_lens_channel(const ModelRun& run, int layer, int row, int channel);

}  // namespace attn
