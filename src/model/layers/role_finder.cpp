// Each sentence names both sides: what config.json says, and what the files have.
#include "model/layers/role_finder.h"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "core/ground/check.h"
#include "core/words/code_points.h"
#include "model/layers/tensor_kinds.h"

namespace attn {

RoleFinder::RoleFinder(const ModelConfig& config, const TensorFiles& files, bool has_config)
    : config_(config), files_(files), has_config_(has_config) {
    const SizeKeys& keys = size_keys_of(config.kind);
    const auto why = [](std::string_view key, int value) { return concat('"', key, "\": ", value); };
    width_ = why(keys.width, config.width);
    vocabulary_ = why(keys.vocabulary, config.vocabulary);
    // RoBERTa's key counts the rows of all positions, those before the first token's, too.
    positions_ = why(keys.positions, config.padding_token < 0 ? config.max_positions : config.position_rows());
    mlp_ = why(keys.mlp, config.mlp_width);
    types_ = why(keys.types, config.num_token_types);
    heads_ = concat(why(keys.heads, config.num_heads), " of ", config.head_dim, " numbers");
    kv_heads_ = concat(why(keys.kv_heads, config.num_kv_heads), " of ", config.head_dim, " numbers");
    if (config.padding_token < 0 && config.first_position > 0)
        positions_ += concat(", and ", config.first_position, " rows before them,");
    roles_ = config.num_kv_heads == config.num_heads ? heads_ : concat(heads_, " and ", kv_heads_);
    model.config = config;
    model.weights.layers.resize(static_cast<std::size_t>(config.num_layers));
}

void RoleFinder::set_prefix(std::string_view own, std::string_view first) {
    std::vector<std::string_view> found;
    for (const FiledTensor& filed : files_.tensors()) {
        const std::string_view name = filed.tensor.name;
        if (is_name_behind(name, first)) found.push_back(name.substr(0, name.size() - first.size()));
    }
    const auto plain = std::ranges::find_if(found, [&](std::string_view one) { return one.empty() || one == own; });
    if (plain != found.end()) {
        prefix_ = *plain;
    } else if (found.size() > 1) {
        fail(concat("The files hold several models: they have the tensors ", attn::quoted(concat(found[0], first)),
                    " and ", attn::quoted(concat(found[1], first)), ". Save the tensors of one of them."));
    } else {
        prefix_ = found.empty() ? "" : found.front();
    }
}

bool RoleFinder::leave_prefix(const std::string& first) {
    for (std::string outer = prefix_;;) {
        if (files_.find(outer + first) != nullptr) {
            prefix_ = outer;
            return true;
        }
        if (outer.empty()) return false;
        const std::size_t end = outer.rfind('.', outer.size() - 2);
        outer.resize(outer.size() < 2 || end == std::string::npos ? 0 : end + 1);
    }
}

ModelTensor* RoleFinder::tensor(const std::string& name, std::initializer_list<WantedSize> shape) {
    const std::string whole = prefix_ + name;
    const FiledTensor* filed = files_.find(whole);
    if (filed == nullptr) {
        fail(missing(whole));
        return nullptr;
    }
    const auto known =
        std::find_if(model.tensors.begin(), model.tensors.end(), [&](const auto& one) { return one->name() == whole; });
    compare_shape(filed->tensor, shape);
    if (!filed->tensor.type->is_computed) {
        fail(concat("The tensor ", attn::quoted(whole), " has numbers of the type ", filed->tensor.type->name,
                    "; this program computes with F32, F16 and BF16."));
    }
    if (!problem.empty()) return nullptr;
    if (known != model.tensors.end()) return known->get();
    model.tensors.push_back(std::make_unique<ModelTensor>(*filed));
    return model.tensors.back().get();
}

NormWeights RoleFinder::norm(const std::string& name, bool has_bias) {
    std::string_view weight = ".weight", bias = ".bias";
    for (const auto& [other, beside] : {std::pair(".gamma", ".beta"), std::pair(".scale", ".shift")}) {
        if (has(name + ".weight") || !has(name + other)) continue;
        weight = other;
        bias = beside;
    }
    NormWeights norm;
    norm.offset = config_.norm_offset;
    norm.weight = tensor(concat(name, weight), {width()});
    if (config_.norm == NormKind::layer && has_bias) norm.bias = tensor(concat(name, bias), {width()});
    return norm;
}

NormWeights RoleFinder::norm_of(const std::string& name, WantedSize size) {
    return {.weight = tensor(name + ".weight", {size}), .offset = config_.norm_offset};
}

LinearWeights RoleFinder::linear_of(ModelTensor* tensor, const FiledMatrix& matrix) const {
    if (tensor != nullptr && problem.empty()) tensor->become_matrix(matrix);
    return {.weight = tensor, .inputs = matrix.inputs, .outputs = matrix.outputs};
}

LinearWeights RoleFinder::linear(const std::string& name, WantedSize inputs, WantedSize outputs, bool has_bias,
                                 bool is_as_used) {
    const std::string weight = name + ".weight";
    ModelTensor* matrix = is_as_used ? tensor(weight, {inputs, outputs}) : tensor(weight, {outputs, inputs});
    LinearWeights linear =
        linear_of(matrix, matrix_of(is_as_used ? MatrixLayout::as_used : MatrixLayout::transposed, inputs, outputs));
    if (has_bias) linear.bias = tensor(name + ".bias", {outputs});
    return linear;
}

void RoleFinder::embed(const std::string& name) {
    model.weights.token_embedding = token_embedding_ = tensor(name, {vocabulary(), width()});
    float& scale = model.config.embedding_scale;
    if (token_embedding_ != nullptr && scale != 1) scale = nearest_of(*token_embedding_->filed().tensor.type, scale);
}

bool RoleFinder::some_layer_has(std::string_view before, std::string_view after) const {
    for (int layer = 0; layer < config_.num_layers; ++layer)
        if (has(concat(before, layer, after))) return true;
    return false;
}

bool RoleFinder::unembed(const std::string& name) {
    const bool is_there = leave_prefix(name);
    if (!is_there && !config_.ties_logits) return false;
    ModelTensor* weight = is_there ? tensor(name, {vocabulary(), width()}) : token_embedding_;
    model.weights.unembedding = linear_of(weight, matrix_of(MatrixLayout::transposed, width(), vocabulary()));
    return true;
}

void RoleFinder::refuse_more_layers(std::string_view first_of_layer, std::string_view after) {
    const std::string name = concat(first_of_layer, config_.num_layers, after);
    if (!has(name)) return;
    fail(concat("config.json says that there are ", config_.num_layers, " layers, but the files have the tensor ",
                attn::quoted(prefix_ + name), " of one more."));
}

std::string RoleFinder::missing(const std::string& name) const {
    if (!has_config_)
        return concat("The tensor ", attn::quoted(name), " is in no file, and the others are those of ",
                      kind_name(config_.kind), ", which has it.");
    for (const TensorKind& kind : kTensorKinds) {
        for (const FiledTensor& filed : files_.tensors()) {
            if (!filed.tensor.name.ends_with(kind.mark) || name.ends_with(kind.mark)) continue;
            if (has_names_of(config_.kind, kind.kind)) continue;
            return concat("config.json describes ", kind_name(config_.kind), ", but the files have the tensor ",
                          attn::quoted(filed.tensor.name), " of ", kind.words, " and no ", attn::quoted(name), ".");
        }
    }
    return concat("The tensor ", attn::quoted(name), " is in no file, and config.json describes ",
                  kind_name(config_.kind), ", which has it.");
}

void RoleFinder::compare_shape(const StoredTensor& tensor, std::initializer_list<WantedSize> wanted) {
    std::vector<std::int64_t> shape;
    std::string why;
    for (const WantedSize& one : wanted) {
        shape.push_back(one.size);
        if (why.find(one.why) == std::string::npos) why += concat(why.empty() ? "" : " and ", one.why);
    }
    if (tensor.shape == shape) return;
    fail(concat(has_config_ ? "config.json says " : "The other tensors say ", why, ", so the tensor ",
                attn::quoted(tensor.name), " should be ", tensor_shape_text(shape), ", but in its file it is ",
                tensor_shape_text(tensor.shape), "."));
}

}  // namespace attn
