// One function for each family of names; RoleFinder compares shapes and remembers the first contradiction.
#include "model/layers/tensor_roles.h"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <utility>
#include <vector>

#include "core/ground/check.h"
#include "core/words/code_points.h"

namespace attn {
namespace {

// A size that a tensor should have, and the config's words for it.
struct WantedSize {
    std::int64_t size;
    std::string_view why;  // "\"n_embd\": 768"
};

// What the sizes are called in the config of each kind.
struct SizeKeys {
    std::string_view width, vocabulary, positions, mlp, types, heads, kv_heads;
};
SizeKeys size_keys(ModelKind kind) {
    if (kind == ModelKind::gpt2) return {"n_embd", "vocab_size", "n_positions", "n_inner", "", "n_head", "n_head"};
    if (kind == ModelKind::attention_only) return {"d_model", "d_vocab", "n_ctx", "", "", "n_heads", "n_heads"};
    return {"hidden_size",        "vocab_size",      "max_position_embeddings",
            "intermediate_size",  "type_vocab_size", kind == ModelKind::gpt_neo ? "num_heads" : "num_attention_heads",
            "num_key_value_heads"};
}

// A tensor by which a kind of file is known, without its prefix.
struct Mark {
    std::string_view end, kind;
};
constexpr std::array kMarks = {Mark{"h.0.attn.c_attn.weight", "GPT-2"},
                               Mark{"h.0.attn.attention.q_proj.weight", "GPT-Neo"},
                               Mark{"encoder.layer.0.attention.self.query.weight", "BERT"},
                               Mark{"layers.0.self_attn.q_proj.weight", "a model like Llama"},
                               Mark{"blocks.0.attn.W_Q", "an attention-only model"}};

class RoleFinder {
public:
    RoleFinder(const ModelConfig& config, const TensorFiles& files) : config_(config), files_(files) {
        const SizeKeys keys = size_keys(config.kind);
        const auto why = [](std::string_view key, int value) { return concat('"', key, "\": ", value); };
        width_ = why(keys.width, config.width);
        vocabulary_ = why(keys.vocabulary, config.vocabulary);
        positions_ = why(keys.positions, config.max_positions);
        mlp_ = why(keys.mlp, config.mlp_width);
        types_ = why(keys.types, config.num_token_types);
        heads_ = concat(why(keys.heads, config.num_heads), " of ", config.head_dim, " numbers");
        kv_heads_ = concat(why(keys.kv_heads, config.num_kv_heads), " of ", config.head_dim, " numbers");
        model.config = config;
        model.weights.layers.resize(static_cast<std::size_t>(config.num_layers));
    }

    Model model;
    std::string problem;  // the first, a sentence

    WantedSize width(int times = 1) const { return {std::int64_t{config_.width} * times, width_}; }
    WantedSize vocabulary() const { return {config_.vocabulary, vocabulary_}; }
    WantedSize positions() const { return {config_.max_positions, positions_}; }
    WantedSize mlp() const { return {config_.mlp_width, mlp_}; }
    WantedSize types() const { return {config_.num_token_types, types_}; }
    WantedSize heads() const { return {config_.attention_width(), heads_}; }
    WantedSize kv_heads() const { return {config_.kv_width(), kv_heads_}; }
    WantedSize num_heads() const { return {config_.num_heads, heads_}; }
    WantedSize head_dim() const { return {config_.head_dim, heads_}; }

    void set_prefix(std::string_view prefix, std::string_view first) {
        prefix_ = files_.find(concat(prefix, first)) != nullptr ? prefix : "";
    }
    bool has(const std::string& name) const { return files_.find(concat(prefix_, name)) != nullptr; }
    bool has_whole(const std::string& name) const { return files_.find(name) != nullptr; }

    // The tensor of this name, which has to be there and of this shape.
    ModelTensor* tensor(const std::string& name, std::initializer_list<WantedSize> shape, bool has_prefix = true) {
        const std::string whole = has_prefix ? concat(prefix_, name) : name;
        const FiledTensor* filed = files_.find(whole);
        if (filed == nullptr) {
            fail(missing(whole));
            return nullptr;
        }
        const auto known = std::find_if(model.tensors.begin(), model.tensors.end(),
                                        [&](const auto& one) { return one->name() == whole; });
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
    // The same, or null where it is not in the files.
    const ModelTensor* tensor_if_there(const std::string& name, std::initializer_list<WantedSize> shape) {
        return has(name) ? tensor(name, shape) : nullptr;
    }

    NormWeights norm(const std::string& name) {
        const bool is_old = !has(name + ".weight") && has(name + ".gamma");
        NormWeights norm;
        norm.weight = tensor(name + (is_old ? ".gamma" : ".weight"), {width()});
        if (config_.norm == NormKind::layer) norm.bias = tensor(name + (is_old ? ".beta" : ".bias"), {width()});
        return norm;
    }

    // x . w with a tensor, or with none after a problem.
    LinearWeights linear_of(ModelTensor* tensor, const FiledMatrix& matrix) const {
        if (tensor != nullptr && problem.empty()) tensor->become_matrix(matrix);
        return {.weight = tensor, .inputs = matrix.inputs, .outputs = matrix.outputs};
    }
    // nn.Linear's tensor (outputs, inputs), with or without a bias.
    enum class Bias { none, wanted, if_there };
    LinearWeights linear(const std::string& name, WantedSize inputs, WantedSize outputs, Bias bias) {
        LinearWeights linear = linear_of(tensor(name + ".weight", {outputs, inputs}),
                                         matrix_of(MatrixLayout::transposed, inputs, outputs));
        if (bias == Bias::wanted || (bias == Bias::if_there && has(name + ".bias")))
            linear.bias = tensor(name + ".bias", {outputs});
        return linear;
    }
    // Conv1D's tensor (inputs, outputs), with a bias.
    LinearWeights conv(const std::string& name, WantedSize inputs, WantedSize outputs) {
        LinearWeights linear =
            linear_of(tensor(name + ".weight", {inputs, outputs}), matrix_of(MatrixLayout::as_used, inputs, outputs));
        linear.bias = tensor(name + ".bias", {outputs});
        return linear;
    }
    static FiledMatrix matrix_of(MatrixLayout layout, WantedSize inputs, WantedSize outputs) {
        return {.layout = layout, .inputs = static_cast<int>(inputs.size), .outputs = static_cast<int>(outputs.size)};
    }

    void embed(const std::string& name) {
        model.weights.token_embedding = token_embedding_ = tensor(name, {vocabulary(), width()});
    }
    // Logits by a matrix of their own, where the files have it; else by the token embeddings, where the config ties
    // them; else there are none. Returns whether there are logits.
    bool unembed(const std::string& name) {
        if (!has_whole(name) && !config_.ties_logits) return false;
        ModelTensor* weight = has_whole(name) ? tensor(name, {vocabulary(), width()}, false) : token_embedding_;
        model.weights.unembedding = linear_of(weight, matrix_of(MatrixLayout::transposed, width(), vocabulary()));
        return true;
    }

    // A tensor of the layer after the last one that the config has.
    void refuse_more_layers(std::string_view first_of_layer, std::string_view after) {
        const std::string name = concat(first_of_layer, config_.num_layers, after);
        if (!has(name)) return;
        fail(concat("config.json says that there are ", config_.num_layers, " layers, but the files have the tensor ",
                    attn::quoted(concat(prefix_, name)), " of one more."));
    }

    void fail(std::string sentence) {
        if (problem.empty()) problem = std::move(sentence);
    }

private:
    std::string missing(const std::string& name) const {
        for (const Mark& mark : kMarks) {
            for (const FiledTensor& filed : files_.tensors()) {
                if (!filed.tensor.name.ends_with(mark.end) || name.ends_with(mark.end)) continue;
                if (kind_mark() == mark.end) continue;
                return concat("config.json describes ", kind_name(config_.kind), ", but the files have the tensor ",
                              attn::quoted(filed.tensor.name), " of ", mark.kind, " and no ", attn::quoted(name), ".");
            }
        }
        return concat("The tensor ", attn::quoted(name), " is in no file, and config.json describes ",
                      kind_name(config_.kind), ", which has it.");
    }

    std::string_view kind_mark() const {
        switch (config_.kind) {
            case ModelKind::gpt2:
                return kMarks[0].end;
            case ModelKind::gpt_neo:
                return kMarks[1].end;
            case ModelKind::bert:
                return kMarks[2].end;
            case ModelKind::attention_only:
                return kMarks[4].end;
            default:
                return kMarks[3].end;
        }
    }

    void compare_shape(const StoredTensor& tensor, std::initializer_list<WantedSize> wanted) {
        std::vector<std::int64_t> shape;
        std::string why;
        for (const WantedSize& one : wanted) {
            shape.push_back(one.size);
            if (why.find(one.why) == std::string::npos) why += concat(why.empty() ? "" : " and ", one.why);
        }
        if (tensor.shape == shape) return;
        fail(concat("config.json says ", why, ", so the tensor ", attn::quoted(tensor.name), " should be ",
                    tensor_shape_text(shape), ", but in its file it is ", tensor_shape_text(tensor.shape), "."));
    }

    const ModelConfig& config_;
    const TensorFiles& files_;
    ModelTensor* token_embedding_ = nullptr;
    std::string width_, vocabulary_, positions_, mlp_, types_, heads_, kv_heads_, prefix_;
};

using Bias = RoleFinder::Bias;

// GPT-2 and GPT-Neo differ in the attention's names and in the layout.
void find_gpt(RoleFinder& find) {
    const bool is_neo = find.model.config.kind == ModelKind::gpt_neo;
    find.set_prefix("transformer.", "wte.weight");
    ModelWeights& weights = find.model.weights;
    find.embed("wte.weight");
    weights.position_embedding = find.tensor("wpe.weight", {find.positions(), find.width()});
    for (std::size_t l = 0; l < weights.layers.size(); ++l) {
        LayerWeights& layer = weights.layers[l];
        const std::string name = concat("h.", l, ".");
        layer.norm_1 = find.norm(name + "ln_1");
        if (is_neo) {
            const std::string attention = name + "attn.attention.";
            layer.query = find.linear(attention + "q_proj", find.width(), find.width(), Bias::none);
            layer.key = find.linear(attention + "k_proj", find.width(), find.width(), Bias::none);
            layer.value = find.linear(attention + "v_proj", find.width(), find.width(), Bias::none);
            layer.out = find.linear(attention + "out_proj", find.width(), find.width(), Bias::wanted);
            layer.mlp_in = find.linear(name + "mlp.c_fc", find.width(), find.mlp(), Bias::wanted);
            layer.mlp_out = find.linear(name + "mlp.c_proj", find.mlp(), find.width(), Bias::wanted);
        } else {
            const int width = find.model.config.width;
            int column = 0;
            for (LinearWeights* part : {&layer.query, &layer.key, &layer.value}) {
                *part = find.conv(name + "attn.c_attn", find.width(), find.width(3));
                part->outputs = width;
                part->first_output = std::exchange(column, column + width);
            }
            layer.out = find.conv(name + "attn.c_proj", find.width(), find.width());
            layer.mlp_in = find.conv(name + "mlp.c_fc", find.width(), find.mlp());
            layer.mlp_out = find.conv(name + "mlp.c_proj", find.mlp(), find.width());
        }
        layer.norm_2 = find.norm(name + "ln_2");
    }
    find.refuse_more_layers("h.", ".ln_1.weight");
    weights.final_norm = find.norm("ln_f");
    find.unembed("lm_head.weight");
}

void find_bert(RoleFinder& find) {
    find.set_prefix("bert.", "embeddings.word_embeddings.weight");
    ModelWeights& weights = find.model.weights;
    const std::string embeddings = "embeddings.";
    find.embed(embeddings + "word_embeddings.weight");
    weights.position_embedding =
        find.tensor(embeddings + "position_embeddings.weight", {find.positions(), find.width()});
    weights.type_embedding = find.tensor(embeddings + "token_type_embeddings.weight", {find.types(), find.width()});
    weights.embedding_norm = find.norm(embeddings + "LayerNorm");
    for (std::size_t l = 0; l < weights.layers.size(); ++l) {
        LayerWeights& layer = weights.layers[l];
        const std::string name = concat("encoder.layer.", l, ".");
        const std::string self = name + "attention.self.";
        layer.query = find.linear(self + "query", find.width(), find.width(), Bias::wanted);
        layer.key = find.linear(self + "key", find.width(), find.width(), Bias::wanted);
        layer.value = find.linear(self + "value", find.width(), find.width(), Bias::wanted);
        layer.out = find.linear(name + "attention.output.dense", find.width(), find.width(), Bias::wanted);
        layer.norm_1 = find.norm(name + "attention.output.LayerNorm");
        layer.mlp_in = find.linear(name + "intermediate.dense", find.width(), find.mlp(), Bias::wanted);
        layer.mlp_out = find.linear(name + "output.dense", find.mlp(), find.width(), Bias::wanted);
        layer.norm_2 = find.norm(name + "output.LayerNorm");
    }
    find.refuse_more_layers("encoder.layer.", ".attention.self.query.weight");
    const std::string head = "cls.predictions.";
    if (!find.has_whole(head + "transform.dense.weight")) return;
    find.set_prefix("", "");
    weights.head_dense = find.linear(head + "transform.dense", find.width(), find.width(), Bias::wanted);
    weights.head_norm = find.norm(head + "transform.LayerNorm");
    if (find.unembed(head + "decoder.weight"))
        weights.unembedding.bias = find.tensor(head + "bias", {find.vocabulary()});
}

void find_llama(RoleFinder& find) {
    find.set_prefix("model.", "embed_tokens.weight");
    const ModelKind kind = find.model.config.kind;
    const Bias bias = kind == ModelKind::qwen2 ? Bias::wanted : Bias::if_there;
    ModelWeights& weights = find.model.weights;
    find.embed("embed_tokens.weight");
    for (std::size_t l = 0; l < weights.layers.size(); ++l) {
        LayerWeights& layer = weights.layers[l];
        const std::string name = concat("layers.", l, ".");
        const std::string attention = name + "self_attn.";
        layer.norm_1 = find.norm(name + "input_layernorm");
        layer.query = find.linear(attention + "q_proj", find.width(), find.heads(), bias);
        layer.key = find.linear(attention + "k_proj", find.width(), find.kv_heads(), bias);
        layer.value = find.linear(attention + "v_proj", find.width(), find.kv_heads(), bias);
        layer.out = find.linear(attention + "o_proj", find.heads(), find.width(), Bias::if_there);
        if (find.model.config.has_query_key_norm) {
            layer.query_norm.weight = find.tensor(attention + "q_norm.weight", {find.head_dim()});
            layer.key_norm.weight = find.tensor(attention + "k_norm.weight", {find.head_dim()});
        }
        layer.norm_2 = find.norm(name + "post_attention_layernorm");
        layer.mlp_gate = find.linear(name + "mlp.gate_proj", find.width(), find.mlp(), Bias::if_there);
        layer.mlp_in = find.linear(name + "mlp.up_proj", find.width(), find.mlp(), Bias::if_there);
        layer.mlp_out = find.linear(name + "mlp.down_proj", find.mlp(), find.width(), Bias::if_there);
    }
    find.refuse_more_layers("layers.", ".input_layernorm.weight");
    weights.final_norm = find.norm("norm");
    find.unembed("lm_head.weight");
}

void find_attention_only(RoleFinder& find) {
    const bool has_norms = find.model.config.norm != NormKind::none;
    ModelWeights& weights = find.model.weights;
    const auto norm = [&](const std::string& name) {
        NormWeights weights_of_norm;
        if (has_norms) weights_of_norm.weight = find.tensor(name + ".w", {find.width()});
        if (has_norms) weights_of_norm.bias = find.tensor(name + ".b", {find.width()});
        return weights_of_norm;
    };
    find.embed("embed.W_E");
    weights.position_embedding = find.tensor("pos_embed.W_pos", {find.positions(), find.width()});
    for (std::size_t l = 0; l < weights.layers.size(); ++l) {
        LayerWeights& layer = weights.layers[l];
        const std::string name = concat("blocks.", l, ".");
        layer.norm_1 = norm(name + "ln1");
        const auto role = [&](std::string_view letter) {
            FiledMatrix matrix = RoleFinder::matrix_of(MatrixLayout::by_head, find.width(), find.heads());
            matrix.head_dim = find.model.config.head_dim;
            LinearWeights linear = find.linear_of(
                find.tensor(concat(name, "attn.W_", letter), {find.num_heads(), find.width(), find.head_dim()}),
                matrix);
            linear.bias = find.tensor_if_there(concat(name, "attn.b_", letter), {find.num_heads(), find.head_dim()});
            return linear;
        };
        layer.query = role("Q");
        layer.key = role("K");
        layer.value = role("V");
        layer.out =  // (num_heads, head_dim, width), as it is used
            find.linear_of(find.tensor(name + "attn.W_O", {find.num_heads(), find.head_dim(), find.width()}),
                           RoleFinder::matrix_of(MatrixLayout::as_used, find.heads(), find.width()));
        layer.out.bias = find.tensor_if_there(name + "attn.b_O", {find.width()});
    }
    find.refuse_more_layers("blocks.", ".attn.W_Q");
    weights.final_norm = norm("ln_final");
    weights.unembedding = find.linear_of(find.tensor("unembed.W_U", {find.width(), find.vocabulary()}),
                                         RoleFinder::matrix_of(MatrixLayout::as_used, find.width(), find.vocabulary()));
    weights.unembedding.bias = find.tensor_if_there("unembed.b_U", {find.vocabulary()});
}

}  // namespace

Result<Model> find_roles(const ModelConfig& config, const TensorFiles& files) {
    RoleFinder find(config, files);
    switch (config.kind) {
        case ModelKind::gpt2:
        case ModelKind::gpt_neo:
            find_gpt(find);
            break;
        case ModelKind::bert:
            find_bert(find);
            break;
        case ModelKind::attention_only:
            find_attention_only(find);
            break;
        default:
            find_llama(find);
    }
    if (!find.problem.empty()) return Result<Model>::failure(find.problem);
    return std::move(find.model);
}

}  // namespace attn
