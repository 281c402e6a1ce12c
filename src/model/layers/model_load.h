// Brings a model's numbers into memory, in slices: each tensor once, in the type that its file has.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/ground/result.h"
#include "model/files/tensor_files.h"
#include "model/layers/model_weights.h"

namespace attn {

class ModelLoad {
public:
    // Reads config.json's text, finds what is what in the files, and asks for the memory. Without that text ("") the
    // files' own settings count, and else kind and sizes of the tensors. Fails with a sentence: those of read_config
    // and find_roles, tensors that are one module's, or how much memory is needed and cannot be had.
    static Result<ModelLoad> begin(std::string_view config, TensorFiles files);

    // Where the next bytes go: about `most` of them, whole numbers. Whoever cannot wait for a file (a page) reads them
    // elsewhere, puts them there and says so; all others call advance. Not to be called once all is read.
    struct Slice {
        const FiledTensor* tensor = nullptr;
        std::uint64_t first_byte = 0;  // of the tensor
        std::span<std::uint8_t> into;  // until the slice is there
    };
    Slice next(std::size_t most);
    const std::string& file_name(const FiledTensor& tensor) const { return files_.file_name(tensor); }
    void slice_is_there(const Slice& slice);
    // Reads the slice from its file. Returns nothing, or a sentence that says why it cannot be read.
    std::string read(const Slice& slice) const { return files_.read(*slice.tensor, slice.first_byte, slice.into); }

    // Reads about so many bytes more. Returns nothing, or a sentence that says why they cannot be read.
    std::string advance(std::size_t num_bytes);

    bool is_done() const { return tensor_ == model_.tensors.size(); }
    std::uint64_t bytes_done() const { return done_; }
    std::uint64_t bytes_in_all() const { return in_all_; }

    // The model, once all is read. To be called once.
    Model take() { return std::move(model_); }
    // What people should know of how the config was read.
    const std::vector<std::string>& remarks() const { return remarks_; }

private:
    ModelLoad(TensorFiles files, Model model, std::vector<std::string> remarks)
        : files_(std::move(files)), model_(std::move(model)), remarks_(std::move(remarks)) {}
    void skip_empty();  // tensors without numbers
    // Bytes of the tensor in its file: of one with strides all from its first number to its last.
    static std::uint64_t filed_bytes(const ModelTensor& tensor);

    TensorFiles files_;
    Model model_;
    std::vector<std::string> remarks_;
    std::vector<std::uint8_t> slice_;
    std::vector<std::uint8_t> strided_;  // all of a tensor with strides
    std::size_t tensor_ = 0;             // that is being read
    std::size_t at_ = 0;                 // bytes of it that are there
    std::uint64_t done_ = 0, in_all_ = 0;
};

// All of it at once. `remarks`, if it is not null, gets ModelLoad's.
Result<Model> load_model(std::string_view config, TensorFiles files, std::vector<std::string>* remarks = nullptr);

}  // namespace attn
