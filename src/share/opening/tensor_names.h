// Which tensor the name of an array means: names that this program writes, names in notebooks, and names in PyTorch's
// state_dict.
#pragma once

#include <optional>
#include <string_view>

#include "core/attention/stages.h"

namespace attn {

struct ArrayRole {
    TensorId tensor = {};    // one of editable_tensors()
    bool is_turned = false;  // nn.Linear's weight: (d_out, d_in), to be transposed
    int sentence = -1;       // of the batch; -1: the name does not say

    bool operator==(const ArrayRole&) const = default;
};

// Whether it is one of w_query, w_key, w_value and w_out.
bool is_learned_matrix(TensorId tensor);

// "x", "embeddings", "w_query", "W_q", "q_proj", "att.W_query.weight" (turned), "out_proj.bias", "2/mask", ... Letters
// of either case; '_' and '-' do not count. Of layers alone, by their "weight" or "bias": "key.weight" (turned), as
// lectures have it, "to_q.weight", "to_out.0.bias". Nothing for a name that is not known.
std::optional<ArrayRole> role_of_name(std::string_view name);

// The same of a file: without its extension, a browser's " (1)", and what this program puts before the stage
// ("attention-a-small-step-embeddings.npy").
std::optional<ArrayRole> role_of_file(std::string_view file_name);

}  // namespace attn
