// Explains one number of a trace.
#pragma once

#include "core/attention/attention.h"
#include "core/graph/explanation.h"
#include "core/words/embeddings.h"

namespace attn {

// The terms behind the number at (head, row, column) of `stage`, in the order they are added. The cell must lie inside
// the stage, which must be present. A term's value is the float on the screen, so result() is the sum a reader gets
// from the shown numbers; it differs from `shown` by float rounding only. Hidden keys are not listed. embeddings: the
// parts, unless they do not add up to the shown number: then somebody typed it (one term). A typed query, key or value
// is one term, too.
Explanation explain(const AttentionProblem& problem, const AttentionTrace& trace, const EmbeddingParts& parts,
                    TensorId stage, int head, int row, int column);

}  // namespace attn
