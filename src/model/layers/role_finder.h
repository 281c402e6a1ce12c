// Finds tensors by their names, holds their shapes to the config, and remembers the first contradiction. Which names a
// kind of model has is tensor_roles.cpp's.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

#include "model/files/tensor_files.h"
#include "model/layers/model_config.h"
#include "model/layers/model_weights.h"

namespace attn {

// A size that a tensor should have, and the config's words for it.
struct WantedSize {
    std::int64_t size;
    std::string_view why;  // "\"n_embd\": 768"
};

class RoleFinder {
public:
    // `has_config`: config.json says the kind and its sizes, else the tensors do.
    RoleFinder(const ModelConfig& config, const TensorFiles& files, bool has_config);

    Model model;
    std::string problem;  // the first, a sentence

    WantedSize width(int times = 1) const { return {std::int64_t{config_.width} * times, width_}; }
    WantedSize vocabulary() const { return {config_.vocabulary, vocabulary_}; }
    WantedSize positions() const { return {config_.position_rows(), positions_}; }
    WantedSize mlp(int times = 1) const { return {std::int64_t{config_.mlp_width} * times, mlp_}; }
    WantedSize types() const { return {config_.num_token_types, types_}; }
    WantedSize heads() const { return {config_.attention_width(), heads_}; }
    WantedSize kv_heads() const { return {config_.kv_width(), kv_heads_}; }
    // Queries, keys and values of all heads.
    WantedSize all_roles() const { return {config_.attention_width() + 2 * config_.kv_width(), roles_}; }
    WantedSize num_heads() const { return {config_.num_heads, heads_}; }
    WantedSize head_dim() const { return {config_.head_dim, heads_}; }

    // Finds out what stands before the names: the kind's `own` prefix or not, and before that whatever a training
    // program has put there ("_orig_mod.", "module."). `first` is a tensor that each file of the kind has. Files with
    // several such models are refused.
    void set_prefix(std::string_view own, std::string_view first);
    // From here on names stand beside those of the model proper, as its heads do: before `first` stands what stands
    // before the model, or less of it. Returns whether there is such a tensor.
    bool leave_prefix(const std::string& first);
    bool has(const std::string& name) const { return files_.find(prefix_ + name) != nullptr; }
    const FiledTensor* find(const std::string& name) const { return files_.find(prefix_ + name); }

    // The tensor of this name, which has to be there and of this shape; null after a problem.
    ModelTensor* tensor(const std::string& name, std::initializer_list<WantedSize> shape);
    // The same, or null where it is not in the files.
    const ModelTensor* tensor_if_there(const std::string& name, std::initializer_list<WantedSize> shape) {
        return has(name) ? tensor(name, shape) : nullptr;
    }

    NormWeights norm(const std::string& name, bool has_bias = true);
    // A weight alone, of queries or keys.
    NormWeights norm_of(const std::string& name, WantedSize size);

    // x . w with a tensor, or with none after a problem.
    LinearWeights linear_of(ModelTensor* tensor, const FiledMatrix& matrix) const;
    // nn.Linear's tensor (outputs, inputs), or, where `is_as_used`, Conv1D's (inputs, outputs).
    LinearWeights linear(const std::string& name, WantedSize inputs, WantedSize outputs, bool has_bias,
                         bool is_as_used = false);
    // Whether any layer has the tensor `before` N `after`: a bias that one layer has, all have.
    bool some_layer_has(std::string_view before, std::string_view after) const;
    static FiledMatrix matrix_of(MatrixLayout layout, WantedSize inputs, WantedSize outputs) {
        return {.layout = layout, .inputs = static_cast<int>(inputs.size), .outputs = static_cast<int>(outputs.size)};
    }

    // The tokens' vectors; what they are multiplied by is rounded to their type, as transformers rounds it.
    void embed(const std::string& name);
    // Logits by a matrix of their own, where the files have it beside the model; else by the token embeddings, where
    // the config ties them; else there are none. Returns whether there are logits.
    bool unembed(const std::string& name);

    // A tensor of the layer after the last one that the config has.
    void refuse_more_layers(std::string_view first_of_layer, std::string_view after);

    void fail(std::string sentence) {
        if (problem.empty()) problem = std::move(sentence);
    }

private:
    std::string missing(const std::string& name) const;
    void compare_shape(const StoredTensor& tensor, std::initializer_list<WantedSize> wanted);

    const ModelConfig& config_;
    const TensorFiles& files_;
    bool has_config_;
    ModelTensor* token_embedding_ = nullptr;
    std::string width_, vocabulary_, positions_, mlp_, types_, heads_, kv_heads_, roles_, prefix_;
};

// Finds all tensors of a model that is computed from left to right and whose kind differs from others by names alone
// (decoder_roles.cpp).
void find_decoder(RoleFinder& find);

}  // namespace attn
