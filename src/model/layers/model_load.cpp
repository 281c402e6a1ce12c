// One tensor after the other, in the order in which the roles were found.
#include "model/layers/model_load.h"

#include <algorithm>
#include <set>

#include "core/ground/check.h"
#include "core/ground/memory_room.h"
#include "core/words/code_points.h"
#include "model/layers/gguf_model.h"
#include "model/layers/quantised.h"
#include "model/layers/tensor_kinds.h"
#include "model/layers/tensor_roles.h"

namespace attn {

namespace {

std::vector<const LinearWeights*> matrices_of(const LayerWeights& layer) {
    std::vector<const LinearWeights*> found;
    for (const LinearWeights* one :
         {&layer.query, &layer.key, &layer.value, &layer.out, &layer.mlp_gate, &layer.mlp_in, &layer.mlp_out})
        if (one->is_there()) found.push_back(one);
    return found;
}

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

// What a product reads as a whole, a matrix or a table of tokens: it may come in parts.
std::set<const ModelTensor*> matrices_of_layers(const ModelWeights& weights) {
    std::set<const ModelTensor*> found = {weights.token_embedding};
    if (weights.unembedding.is_there()) found.insert(weights.unembedding.weight);
    for (const LayerWeights& layer : weights.layers)
        for (const LinearWeights* one : matrices_of(layer)) found.insert(one->weight);
    return found;
}

std::uint64_t bytes_of_largest_layer(const ModelWeights& weights) {
    std::uint64_t most = 0;
    for (const LayerWeights& layer : weights.layers) {
        std::set<const ModelTensor*> tensors;
        for (const LinearWeights* one : matrices_of(layer)) tensors.insert(one->weight);
        std::uint64_t sum = 0;
        for (const ModelTensor* tensor : tensors) sum += tensor->memory_bytes();
        most = std::max(most, sum);
    }
    return most;
}

}  // namespace

// Config and names of a GGUF file are made of its own, and what is wrong with them is said of it.
Result<ModelLoad> ModelLoad::begin_gguf(TensorFiles files, ModelRoom room) {
    Result<GgufModel> gguf = model_of_gguf(files);
    if (!gguf) return Result<ModelLoad>::failure(gguf.error());
    files.replace_tensors(std::move(gguf->tensors));
    Result<ModelLoad> load = begin_read(gguf->config, std::move(files), room);
    if (!load) return Result<ModelLoad>::failure(gguf->in_its_words(load.error()));
    load->remarks_.insert(load->remarks_.begin(), gguf->remarks.begin(), gguf->remarks.end());
    load->own_config_ = std::move(gguf->config);
    return load;
}

Result<ModelLoad> ModelLoad::begin(std::string_view config, TensorFiles files, ModelRoom room) {
    return files.gguf() != nullptr ? begin_gguf(std::move(files), room) : begin_read(config, std::move(files), room);
}

Result<ModelLoad> ModelLoad::begin_read(std::string_view config, TensorFiles files, ModelRoom room) {
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
    ModelLoad load(std::move(*model), std::move(read->remarks));
    std::string problem = load.make_room(std::move(files), room);
    if (!problem.empty()) return refuse(std::move(problem));
    load.go_on();
    return load;
}

std::string ModelLoad::make_room(TensorFiles files, ModelRoom room) {
    const auto mebibytes = [](std::uint64_t bytes) { return (bytes + (1U << 20U) - 1) >> 20U; };
    for (const auto& tensor : model_.tensors) {
        const std::uint64_t bytes = std::max<std::uint64_t>(TensorReading::filed_bytes(*tensor), tensor->num_bytes());
        if (bytes > SIZE_MAX / 2)
            return concat("The tensor ", attn::quoted(tensor->name()), " has ", mebibytes(bytes),
                          " MiB of numbers, more than this program can take in one piece.");
        of_model_ += bytes;
    }
    const auto fits = [](std::uint64_t bytes) { return has_room_for(static_cast<std::int64_t>(bytes)); };
    if (of_model_ <= room.most_bytes && fits(of_model_)) {
        files_ = std::move(files);
        for (const auto& tensor : model_.tensors) {
            in_all_ += TensorReading::filed_bytes(*tensor);
            tensor->allocate();
        }
        return "";
    }
    // Two layers: that of the numbers that are shown, and that of a picture of all layers beside it.
    const std::uint64_t least = 2 * bytes_of_largest_layer(model_.weights) + 2 * room.part_bytes;
    room.most_bytes = std::min(room.most_bytes, of_model_);
    while (room.most_bytes > least && !fits(room.most_bytes)) room.most_bytes = std::max(least, room.most_bytes / 2);
    if (!fits(std::max(least, room.most_bytes)))
        return concat("The model has ", mebibytes(of_model_), " MiB of numbers, ", mebibytes(least),
                      " MiB of which have to be in memory together, and there is no room for them.");
    room.most_bytes = std::max(least, room.most_bytes);
    model_.store = std::make_unique<ModelStore>(std::move(files), room, least);
    const std::set<const ModelTensor*> in_parts = matrices_of_layers(model_.weights);
    for (const auto& tensor : model_.tensors) {
        if (in_parts.contains(tensor.get())) {
            model_.store->add(*tensor);
        } else {
            in_all_ += TensorReading::filed_bytes(*tensor);
            tensor->allocate();
        }
    }
    remarks_.push_back(concat("the model has ", mebibytes(of_model_), " MiB of numbers: at most ",
                              mebibytes(room.most_bytes),
                              " MiB of them stay in memory, the others are read from the file when they are needed"));
    return "";
}

void ModelLoad::go_on() {
    if (reading_ && !reading_->is_done()) return;
    if (reading_) ++tensor_;
    reading_.reset();
    while (!is_done() &&
           (model_.tensors[tensor_]->comes_in_parts() || TensorReading::filed_bytes(*model_.tensors[tensor_]) == 0))
        ++tensor_;
    if (!is_done()) reading_.emplace(*model_.tensors[tensor_]);
}

ModelLoad::Slice ModelLoad::next(std::size_t most) {
    ATTN_CHECK(!is_done(), "all is read");
    return reading_->next(most, slice_);
}

void ModelLoad::slice_is_there(const Slice& slice) {
    ATTN_CHECK(!is_done(), "a slice that was not asked for");
    reading_->slice_is_there(slice);
    done_ += slice.into.size();
    go_on();
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
