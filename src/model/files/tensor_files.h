// The tensors of a model that lies in one file or in several ("shards"), which an index names: safetensors, or files of
// torch.save; or in one GGUF file. Knows names, shapes and where the numbers lie; reads them when asked.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/ground/result.h"
#include "model/files/byte_source.h"
#include "model/files/gguf.h"
#include "model/files/safetensors.h"

namespace attn {

struct FiledTensor {
    StoredTensor tensor;
    std::size_t file = 0;  // of TensorFiles::files
};

// A tensor's numbers one after the other, the last axis running fastest, from the bytes from its first to its last.
std::vector<std::uint8_t> bytes_in_order(const StoredTensor& tensor, std::vector<std::uint8_t> bytes);

class TensorFiles {
public:
    // Reads the headers of `files`, which together hold the model. Where some are safetensors, and else where some are
    // called pytorch_model, and else where some are GGUF files, the others are left alone: the same numbers in another
    // form, or an optimizer's. `index`: the text of model.safetensors.index.json, or empty. Fails with a sentence: a
    // header that is refused, a file that is something else, such as a web page, several GGUF files, a tensor in two
    // files, a file or a tensor that the index names and that is not there, a tensor that is in another file than the
    // index says.
    static Result<TensorFiles> open(std::vector<std::unique_ptr<ByteSource>> files, std::string_view index = {});

    // Null when there is none of this name.
    const FiledTensor* find(std::string_view name) const;
    const std::string& file_name(const FiledTensor& tensor) const { return files_[tensor.file]->name(); }
    // All of them, file after file.
    std::span<const FiledTensor> tensors() const { return tensors_; }
    // What a GGUF file says beside its tensors; null: it is none.
    const Gguf* gguf() const { return gguf_.get(); }
    // Its tensors by other names, and parts of some as tensors of their own; what it says beside them is let go.
    void replace_tensors(std::vector<FiledTensor> tensors);
    // The model's settings that a file of torch.save has beside them, as JSON; "" without.
    const std::string& settings() const { return settings_; }

    // The bytes of a tensor from `first_byte` on: it has as many. Returns nothing, or a sentence.
    std::string read(const FiledTensor& tensor, std::uint64_t first_byte, std::span<std::uint8_t> into) const;

private:
    TensorFiles() = default;
    std::string compare_with(std::string_view index) const;  // a sentence, or nothing
    void sort_names();

    std::vector<std::unique_ptr<ByteSource>> files_;
    std::vector<FiledTensor> tensors_;
    std::vector<std::size_t> by_name_;  // places in tensors_
    std::string settings_;
    std::shared_ptr<const Gguf> gguf_;
};

}  // namespace attn
