// Which tensor the name of an array means: names that this program writes, names in notebooks, and names in PyTorch's
// state_dict.
#pragma once

#include <optional>
#include <string_view>

#include "core/attention/stages.h"

namespace attn {

struct ArrayRole {
    TensorId tensor = TensorId::embeddings;  // one of editable_tensors()
    bool is_turned = false;                  // nn.Linear's weight: (d_out, d_in), to be transposed
    int sentence = -1;                       // of the batch; -1: the name does not say

    bool operator==(const ArrayRole&) const = default;
};

// Whether nn.MultiheadAttention's state_dict names the queries', keys' and values' matrices or biases below each other
// so: "in_proj_weight" (3E, E), "in_proj_bias" (3E,), whatever module stands before it.
bool is_stacked_name(std::string_view name);

// Whether it is one of w_query, w_key, w_value and w_out.
bool is_learned_matrix(TensorId tensor);

// "x", "embeddings", "w_query", "W_q", "q_proj", "att.W_query.weight" (turned), "out_proj.bias", "2/mask", ... Letters
// of either case; '_' and '-' do not count. Nothing for a name that is not known.
std::optional<ArrayRole> role_of_name(std::string_view name);

// The same of a file: without its extension, a browser's " (1)", and what this program puts before the stage
// ("attention-a-small-step-embeddings.npy").
std::optional<ArrayRole> role_of_file(std::string_view file_name);

}  // namespace attn
