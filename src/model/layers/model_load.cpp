// One tensor after the other, in the order in which the roles were found.
#include "model/layers/model_load.h"

#include <algorithm>
#include <set>

#include "core/ground/check.h"
#include "core/ground/memory_room.h"
#include "core/words/code_points.h"
#include "model/layers/quantised.h"
#include "model/layers/tensor_kinds.h"
#include "model/layers/tensor_roles.h"

namespace attn {

namespace {

// What nothing was read from, of files whose kind was guessed: nothing, or a sentence where that may be of the model
// itself. Where it is beside the model, as a classifier's head is, a remark says so.
std::string why_not_whole(const Model& model, const TensorFiles& files, const TensorKind& kind,
                          std::vector<std::string>& remarks) {
    std::set<std::string_view> read;
    for (const auto& tensor : model.tensors) read.insert(tensor->name());
    std::string first;
    std::size_t count = 0;
    for (const FiledTensor& filed : files.tensors()) {
        const std::string& name = filed.tensor.name;
        if (read.contains(name) || is_buffer_tensor(name)) continue;
        if (name.find(concat(kind.layer, "0.")) != std::string::npos)
            return concat("The tensors have the names of ", kind.words, ", but ", attn::quoted(name),
                          " is none of its tensors, so it may be another model: config.json has to say which, by its "
                          "\"model_type\".");
        if (count++ == 0) first = name;
    }
    if (count > 0)
        remarks.push_back(concat("tensors that ", kind.words, " does not have are left alone: ", attn::quoted(first),
                                 count > 1 ? concat(" and ", count - 1, " more") : ""));
    return "";
}

}  // namespace

Result<ModelLoad> ModelLoad::begin(std::string_view config, TensorFiles files) {
    const auto refuse = [](std::string sentence) { return Result<ModelLoad>::failure(std::move(sentence)); };
    std::string quantised = why_quantised(config, files);
    if (!quantised.empty()) return refuse(std::move(quantised));
    const TensorFacts facts = facts_of_tensors(files);
    const std::string settings = files.settings();
    const bool has_config = !config.empty();
    if (!has_config) config = settings;
    if (!has_config && facts.type.empty() && facts.why_not.empty()) {
        const std::string_view module = module_tensor(files);
        return refuse(module.empty()
                          ? std::string("The model's config.json is missing, which says what kind of model it is: "
                                        "bring it with the others.")
                          : concat("The file holds attention modules (", attn::quoted(module),
                                   ") and nothing says of what model. For a model, bring its config.json; the "
                                   "playground opens modules alone, from a file of at most 64 MiB, as the numbers of "
                                   "its own heads."));
    }
    Result<ReadConfig> read = read_config(config, facts);
    if (!read) return refuse(read.error());
    if (!has_config && !settings.empty())
        read->remarks.push_back("settings were read from the file of the tensors, which has them beside these");
    Result<Model> model = find_roles(read->config, files, !read->is_guessed);
    if (!model) return refuse(model.error());
    if (read->is_guessed) {
        std::string problem = why_not_whole(*model, files, *facts.kind, read->remarks);
        if (!problem.empty()) return refuse(std::move(problem));
    }
    ModelLoad load(std::move(files), std::move(*model), std::move(read->remarks));
    for (const auto& tensor : load.model_.tensors) load.in_all_ += filed_bytes(*tensor);
    if (!has_room_for(static_cast<std::int64_t>(load.in_all_))) {
        return refuse(concat("The model has ", (load.in_all_ + (1U << 20U) - 1) >> 20U,
                             " MiB of numbers, and there is no room for them in memory."));
    }
    for (const auto& tensor : load.model_.tensors) tensor->allocate();
    load.skip_empty();
    return load;
}

std::uint64_t ModelLoad::filed_bytes(const ModelTensor& tensor) {
    return tensor.filed().tensor.end - tensor.filed().tensor.begin;
}

void ModelLoad::skip_empty() {
    while (!is_done() && at_ == filed_bytes(*model_.tensors[tensor_])) {
        ++tensor_;
        at_ = 0;
    }
}

ModelLoad::Slice ModelLoad::next(std::size_t most) {
    ATTN_CHECK(!is_done(), "all is read");
    const ModelTensor& tensor = *model_.tensors[tensor_];
    const bool has_strides = !tensor.filed().tensor.strides.empty();
    const std::size_t whole = has_strides ? 1 : tensor.slice_bytes();
    slice_.resize(std::min<std::size_t>(std::max<std::size_t>(most / whole, 1) * whole,
                                        static_cast<std::size_t>(filed_bytes(tensor)) - at_));
    return {.tensor = &tensor.filed(), .first_byte = at_, .into = slice_};
}

void ModelLoad::slice_is_there(const Slice& slice) {
    ATTN_CHECK(!is_done() && slice.first_byte == at_, "a slice that was not asked for");
    ModelTensor& tensor = *model_.tensors[tensor_];
    if (tensor.filed().tensor.strides.empty()) {
        tensor.put(at_, slice.into);
    } else {
        strided_.insert(strided_.end(), slice.into.begin(), slice.into.end());
        if (strided_.size() == filed_bytes(tensor))
            tensor.put(0, bytes_in_order(tensor.filed().tensor, std::move(strided_)));
    }
    at_ += slice.into.size();
    done_ += slice.into.size();
    if (at_ == filed_bytes(tensor)) strided_ = {};
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

Result<Model> load_model(std::string_view config, TensorFiles files, std::vector<std::string>* remarks) {
    Result<ModelLoad> load = ModelLoad::begin(config, std::move(files));
    if (!load) return Result<Model>::failure(load.error());
    while (!load->is_done()) {
        const std::string problem = load->advance(std::size_t{1} << 24U);
        if (!problem.empty()) return Result<Model>::failure(problem);
    }
    if (remarks != nullptr) *remarks = load->remarks();
    return load->take();
}

}  // namespace attn
