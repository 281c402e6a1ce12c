// A whole model in double precision with plain loops. Read this first: model_run.h must agree with it.
#pragma once

#include <vector>

#include "core/ground/tensor.h"
#include "model/layers/model_input.h"

namespace attn {

struct ReferenceLayer {
    MatrixD before;              // (T, width), the residual stream that comes in
    MatrixD attention_input;     // (T, width), normed, or the stream itself where norms come after
    CubeD query, key, value;     // (num_heads or num_kv_heads, T, head_dim); queries and keys turned where they are
    CubeD scaled_scores;         // (num_heads, T, T), hidden keys too
    CubeD capped_scores;         // the same, capped and with less for distant keys where the model does that
    CubeD weights;               // (num_heads, T, T)
    CubeD context;               // (num_heads, T, head_dim); of heads that are off what they hand on
    MatrixD attention_out;       // (T, width), before its norm; size 0 where outputs are not normed, as mlp_out
    MatrixD attention_added;     // (T, width)
    MatrixD middle;              // (T, width), the stream between attention and MLP
    MatrixD mlp_input;           // (T, width); size 0 without an MLP, as all below but `after`
    MatrixD mlp_gate, mlp_sums;  // (T, mlp_width); the gate has size 0 without one
    MatrixD mlp_hidden;          // (T, mlp_width), activated
    MatrixD mlp_out;             // (T, width)
    MatrixD mlp_added;           // (T, width)
    MatrixD after;               // (T, width), the stream that goes out
};

struct ReferenceForward {
    std::vector<ReferenceLayer> layers;
    MatrixD final_stream;   // (T, width), after the last norm, if there is one
    MatrixD logit_input;    // (T, width), what the logits are made of; size 0 without a head
    MatrixD logits;         // (T, vocabulary); size 0 without a head
    MatrixD probabilities;  // (T, vocabulary), softmax of each row
};

// The input is one that find_input_problem has nothing against.
ReferenceForward forward_reference(const Model& model, const ModelInput& input);

// -ln(probability) of a token as the one after a row.
double surprise(const ReferenceForward& forward, int row, int token);

}  // namespace attn
