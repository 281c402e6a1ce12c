// Brings a model's numbers into memory, in slices: each tensor once, in the type that its file has. Of a model that is
// larger than its room, the layers' matrices and the tokens' vectors are left to a ModelStore.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/ground/result.h"
#include "model/files/tensor_files.h"
#include "model/layers/model_weights.h"
#include "model/layers/tensor_reading.h"

namespace attn {

class ModelLoad {
public:
    // Reads config.json's text, finds what is what in the files, and asks for the memory. Without that text ("") the
    // files' own settings count, and else kind and sizes of the tensors; of a GGUF file always its own. Fails with a
    // sentence: those of read_config and find_roles, tensors that are one module's, or how much memory is needed and
    // cannot be had. A model that cannot have all of its room's memory gets by with less, if its largest layer does.
    static Result<ModelLoad> begin(std::string_view config, TensorFiles files, ModelRoom room = {});

    // Where the next bytes go: about `most` of them, whole numbers. Whoever cannot wait for a file (a page) reads them
    // elsewhere, puts them there and says so; all others call advance. Not to be called once all is read.
    using Slice = TensorSlice;
    Slice next(std::size_t most);
    const std::string& file_name(const FiledTensor& tensor) const {
        return model_.store ? model_.store->file_name(tensor) : files_->file_name(tensor);
    }
    void slice_is_there(const Slice& slice);
    // Reads the slice from its file. Returns nothing, or a sentence that says why it cannot be read.
    std::string read(const Slice& slice) const {
        return model_.store ? model_.store->read(slice) : files_->read(*slice.tensor, slice.first_byte, slice.into);
    }

    // Reads about so many bytes more. Returns nothing, or a sentence that says why they cannot be read.
    std::string advance(std::size_t num_bytes);

    bool is_done() const { return tensor_ == model_.tensors.size(); }
    // Bytes that are read now, and of the whole model.
    std::uint64_t bytes_done() const { return done_; }
    std::uint64_t bytes_in_all() const { return in_all_; }
    std::uint64_t bytes_of_model() const { return of_model_; }

    // The model, once all is read. To be called once.
    Model take() { return std::move(model_); }
    // What people should know of how the config was read.
    const std::vector<std::string>& remarks() const { return remarks_; }
    // The config that a GGUF file's settings make; "" of other files.
    const std::string& own_config() const { return own_config_; }

private:
    ModelLoad(Model model, std::vector<std::string> remarks) : model_(std::move(model)), remarks_(std::move(remarks)) {}
    static Result<ModelLoad> begin_read(std::string_view config, TensorFiles files, ModelRoom room);
    static Result<ModelLoad> begin_gguf(TensorFiles files, ModelRoom room);
    // Memory for all, or the model's store. Returns nothing, or a sentence.
    std::string make_room(TensorFiles files, ModelRoom room);
    void go_on();  // to the next tensor that is to be read, if this one is

    std::optional<TensorFiles> files_;  // without a store
    Model model_;
    std::vector<std::string> remarks_;
    std::string own_config_;
    std::vector<std::uint8_t> slice_;
    std::size_t tensor_ = 0;  // that is being read
    std::optional<TensorReading> reading_;
    std::uint64_t done_ = 0, in_all_ = 0, of_model_ = 0;
};

// All of it at once. `remarks`, if it is not null, gets ModelLoad's.
Result<Model> load_model(std::string_view config, TensorFiles files, std::vector<std::string>* remarks = nullptr);

}  // namespace attn
