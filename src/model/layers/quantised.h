// Files whose numbers a quantiser has packed: known by its name in config.json, or by the names of its tensors.
#pragma once

#include <string>
#include <string_view>

#include "model/files/tensor_files.h"

namespace attn {

// A sentence that names the quantiser, a tensor of it, and what to bring instead; empty for files that no one has
// quantised. A config that names a quantiser beside plain numbers is one of those.
std::string why_quantised(std::string_view config, const TensorFiles& files);

}  // namespace attn
