// What the place of the mask changes: before the softmax, hidden keys have a score of -inf; after it, the softmax
// weighs all keys, and hidden keys lose their weights then. Knows the stages by name, none of their numbers.
#pragma once

#include "core/attention/stages.h"

namespace attn {

// Where the mask is applied: before the softmax as -inf; after it, with the rows divided by their sums again; after it
// and nothing more, so that rows no longer sum to 1 (wrong, and shown as such).
enum class MaskAt { before, after, after_raw };

// Whether the stage is there for this place of the mask, whatever else it may need: masked_scores and unmasked_weights
// exclude each other.
bool exists_with(MaskAt mask_at, TensorId stage);

// The stage whose rows are a softmax: weights or unmasked_weights.
TensorId softmax_stage(MaskAt mask_at);

// Whether hidden keys have no number of their own in the stage: masked_scores, weights, dropped_weights.
bool is_masked_stage(TensorId stage);

}  // namespace attn
