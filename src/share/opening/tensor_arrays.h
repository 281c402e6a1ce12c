// The tensors of a safetensors file, or of one that torch.save wrote, as arrays: those of a module's state_dict. Runs
// nothing of what is in the file.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "core/ground/result.h"
#include "model/files/tensor_files.h"
#include "share/formats/npz.h"

namespace attn {

// Whether the bytes begin as a safetensors file does: the length of its header, and that header's first brace.
bool looks_like_safetensors(std::string_view bytes);

// The tensors of the file called `name`, whose bytes stay where they are. The error is TensorFiles::open's.
Result<TensorFiles> open_tensors(std::string_view name, std::string_view bytes);

// As read_npz: reads what `is_wanted` names, unless `why_not` speaks against one. Floats of 16, 32 and 64 bits, whole
// numbers and truth values are read, others refused with a sentence. Together at most kMaxArrayNumbers numbers.
Result<NpzContents> read_tensors(const TensorFiles& tensors,
                                 const std::function<bool(std::string_view name)>& is_wanted,
                                 const WhyNoArray& why_not = {});

}  // namespace attn
