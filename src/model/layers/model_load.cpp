// One tensor after the other, in the order in which the roles were found.
#include "model/layers/model_load.h"

#include <algorithm>

#include "core/ground/check.h"
#include "core/ground/memory_room.h"
#include "model/layers/tensor_roles.h"

namespace attn {

Result<ModelLoad> ModelLoad::begin(std::string_view config, TensorFiles files) {
    const Result<ModelConfig> read = read_model_config(config);
    if (!read) return Result<ModelLoad>::failure(read.error());
    Result<Model> model = find_roles(*read, files);
    if (!model) return Result<ModelLoad>::failure(model.error());
    ModelLoad load(std::move(files), std::move(*model));
    for (const auto& tensor : load.model_.tensors) load.in_all_ += tensor->num_bytes();
    if (!has_room_for(static_cast<std::int64_t>(load.in_all_))) {
        return Result<ModelLoad>::failure(concat("The model has ", (load.in_all_ + (1U << 20U) - 1) >> 20U,
                                                 " MiB of numbers, and there is no room for them in memory."));
    }
    for (const auto& tensor : load.model_.tensors) tensor->allocate();
    load.skip_empty();
    return load;
}

void ModelLoad::skip_empty() {
    while (!is_done() && at_ == model_.tensors[tensor_]->num_bytes()) {
        ++tensor_;
        at_ = 0;
    }
}

ModelLoad::Slice ModelLoad::next(std::size_t most) {
    ATTN_CHECK(!is_done(), "all is read");
    const ModelTensor& tensor = *model_.tensors[tensor_];
    const std::size_t whole = tensor.slice_bytes();
    slice_.resize(std::min(std::max<std::size_t>(most / whole, 1) * whole, tensor.num_bytes() - at_));
    return {.tensor = &tensor.filed(), .first_byte = at_, .into = slice_};
}

void ModelLoad::slice_is_there(const Slice& slice) {
    ATTN_CHECK(!is_done() && slice.first_byte == at_, "a slice that was not asked for");
    model_.tensors[tensor_]->put(at_, slice.into);
    at_ += slice.into.size();
    done_ += slice.into.size();
    skip_empty();
}

std::string ModelLoad::advance(std::size_t num_bytes) {
    const std::uint64_t until = done_ + std::max<std::size_t>(num_bytes, 1);
    while (!is_done() && done_ < until) {
        const Slice slice = next(static_cast<std::size_t>(until - done_));
        std::string problem = read(slice);
        if (!problem.empty()) return problem;
        slice_is_there(slice);
    }
    return "";
}

Result<Model> load_model(std::string_view config, TensorFiles files) {
    Result<ModelLoad> load = ModelLoad::begin(config, std::move(files));
    if (!load) return Result<Model>::failure(load.error());
    while (!load->is_done()) {
        const std::string problem = load->advance(std::size_t{1} << 24U);
        if (!problem.empty()) return Result<Model>::failure(problem);
    }
    return load->take();
}

}  // namespace attn
