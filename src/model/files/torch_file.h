// Files that torch.save writes: a ZIP archive with a pickle that lists tensors (pickle.h), and beside it the numbers,
// one entry for each storage, stored as they are. Before PyTorch 1.6: the pickle, a second one with the order of the
// storages, and these, each behind its count. The reader takes slices, as of a safetensors file, and runs nothing.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/ground/result.h"
#include "model/files/byte_source.h"
#include "model/files/safetensors.h"

namespace attn {

// Whether a file begins as a ZIP archive does, or as torch.save wrote it before PyTorch 1.6.
bool begins_like_torch_file(std::string_view first_bytes);

// What a file of torch.save has, or another one with tensors.
struct TensorsOfFile {
    std::vector<StoredTensor> tensors;
    std::string settings = {};  // numbers that lie beside them as "model_args" or "config", as JSON; "" without
};

// The tensors of a state dict, by their names there. It is the dictionary that the file holds, or the one in it that
// training programs name "model_state_dict", "state_dict", "model" or the like, or the only one there is; optimizers'
// tensors are left alone. A tensor whose numbers do not lie one after the other has strides. Fails with a sentence: an
// archive that is cut, packed or of something else, what Pickle::read refuses, and a tensor that reaches beyond its
// storage.
Result<TensorsOfFile> read_torch_file(ByteSource& file);

}  // namespace attn
