// Names as the files of transformers have them. "" where a kind has no such tensor.
#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>

#include "core/ground/check.h"
#include "model/layers/role_finder.h"

namespace attn {
namespace {

struct DecoderNames {
    ModelKind kind;
    std::string_view prefix = "model.", token = "embed_tokens.weight", position = "", token_norm = "",
                     layers = "layers.";
    std::string_view norm_1 = ".input_layernorm", out_norm_1 = "";
    std::string_view query = ".self_attn.q_proj", key = ".self_attn.k_proj", value = ".self_attn.v_proj";
    std::string_view stacked = "";  // queries, keys and values in one matrix, in the place of the three
    bool is_in_groups = false;      // there head by head, else one after the other
    std::string_view query_norm = "", key_norm = "";
    std::string_view out = ".self_attn.o_proj";
    std::string_view norm_2 = ".post_attention_layernorm", out_norm_2 = "";  // norm_2 "": the MLP reads norm_1's
    std::string_view gate = ".mlp.gate_proj", up = ".mlp.up_proj", down = ".mlp.down_proj";
    std::string_view gate_and_up = "";  // in one matrix, in the place of the two
    std::string_view final_norm = "norm", head = "lm_head.weight", head_bias = "";
    bool shares_norm_if_parallel = false;  // the MLP reads norm_1's, where it does not wait for the attention
    bool needs_role_biases = false;        // of queries, keys and values
};

constexpr DecoderNames with_head_norms(DecoderNames names) {
    names.query_norm = ".self_attn.q_norm";
    names.key_norm = ".self_attn.k_norm";
    return names;
}

constexpr DecoderNames with_four_norms(DecoderNames names) {
    names.out_norm_1 = ".post_attention_layernorm";
    names.norm_2 = ".pre_feedforward_layernorm";
    names.out_norm_2 = ".post_feedforward_layernorm";
    return names;
}

constexpr std::array kDecoderNames = {
    DecoderNames{.kind = ModelKind::llama},
    DecoderNames{.kind = ModelKind::qwen2, .needs_role_biases = true},
    with_head_norms({.kind = ModelKind::qwen3}),
    DecoderNames{.kind = ModelKind::gemma},
    with_four_norms({.kind = ModelKind::gemma2}),
    with_four_norms(with_head_norms({.kind = ModelKind::gemma3})),
    DecoderNames{.kind = ModelKind::smollm3},
    DecoderNames{.kind = ModelKind::phi3, .stacked = ".self_attn.qkv_proj", .gate_and_up = ".mlp.gate_up_proj"},
    with_head_norms({.kind = ModelKind::olmo2,
                     .out_norm_1 = ".post_attention_layernorm",
                     .out_norm_2 = ".post_feedforward_layernorm"}),
    DecoderNames{.kind = ModelKind::opt,
                 .prefix = "model.decoder.",
                 .position = "embed_positions.weight",
                 .norm_1 = ".self_attn_layer_norm",
                 .out = ".self_attn.out_proj",
                 .norm_2 = ".final_layer_norm",
                 .up = ".fc1",
                 .down = ".fc2",
                 .final_norm = "final_layer_norm"},
    DecoderNames{.kind = ModelKind::phi,
                 .out = ".self_attn.dense",
                 .norm_2 = "",
                 .up = ".mlp.fc1",
                 .down = ".mlp.fc2",
                 .final_norm = "final_layernorm",
                 .head_bias = "lm_head.bias"},
    DecoderNames{.kind = ModelKind::stablelm, .shares_norm_if_parallel = true},
    DecoderNames{.kind = ModelKind::cohere, .norm_2 = ""},
    DecoderNames{.kind = ModelKind::starcoder2, .up = ".mlp.c_fc", .down = ".mlp.c_proj"},
    DecoderNames{.kind = ModelKind::gptj,
                 .prefix = "transformer.",
                 .token = "wte.weight",
                 .layers = "h.",
                 .norm_1 = ".ln_1",
                 .query = ".attn.q_proj",
                 .key = ".attn.k_proj",
                 .value = ".attn.v_proj",
                 .out = ".attn.out_proj",
                 .norm_2 = "",
                 .up = ".mlp.fc_in",
                 .down = ".mlp.fc_out",
                 .final_norm = "ln_f",
                 .head_bias = "lm_head.bias"},
    DecoderNames{.kind = ModelKind::bloom,
                 .prefix = "transformer.",
                 .token = "word_embeddings.weight",
                 .token_norm = "word_embeddings_layernorm",
                 .layers = "h.",
                 .stacked = ".self_attention.query_key_value",
                 .is_in_groups = true,
                 .out = ".self_attention.dense",
                 .up = ".mlp.dense_h_to_4h",
                 .down = ".mlp.dense_4h_to_h",
                 .final_norm = "ln_f"},
    DecoderNames{.kind = ModelKind::gpt_neox,
                 .prefix = "gpt_neox.",
                 .token = "embed_in.weight",
                 .stacked = ".attention.query_key_value",
                 .is_in_groups = true,
                 .out = ".attention.dense",
                 .gate = "",
                 .up = ".mlp.dense_h_to_4h",
                 .down = ".mlp.dense_4h_to_h",
                 .final_norm = "final_layer_norm",
                 .head = "embed_out.weight"},
};

const DecoderNames* names_of(ModelKind kind) {
    const auto row = std::ranges::find(kDecoderNames, kind, &DecoderNames::kind);
    return row == kDecoderNames.end() ? nullptr : &*row;
}

class DecoderFinder {
public:
    DecoderFinder(RoleFinder& find, const DecoderNames& names)
        : find_(find), config_(find.model.config), names_(names) {}

    void find_all() {
        find_.set_prefix(names_.prefix, names_.token);
        ModelWeights& weights = find_.model.weights;
        find_.embed(std::string(names_.token));
        if (!names_.position.empty())
            weights.position_embedding = find_.tensor(std::string(names_.position), {find_.positions(), find_.width()});
        has_norm_biases_ = find_.some_layer_has(names_.layers, concat(names_.norm_1, ".bias"));
        if (!names_.token_norm.empty()) weights.embedding_norm = find_.norm(std::string(names_.token_norm));
        for (std::size_t l = 0; l < weights.layers.size(); ++l) find_layer(l, weights.layers[l]);
        find_.refuse_more_layers(names_.layers,
                                 concat(config_.norms_outputs() ? names_.out_norm_1 : names_.norm_1, ".weight"));
        if (!config_.norms_sums()) weights.final_norm = find_.norm(std::string(names_.final_norm), has_norm_biases_);
        if (find_.unembed(std::string(names_.head)) && !names_.head_bias.empty())
            weights.unembedding.bias = find_.tensor_if_there(std::string(names_.head_bias), {find_.vocabulary()});
    }

private:
    std::string name(std::size_t layer, std::string_view of) const { return concat(names_.layers, layer, of); }
    LinearWeights linear(std::size_t layer, std::string_view of, WantedSize inputs, WantedSize outputs,
                         bool needs_bias = false) {
        const bool has_bias = needs_bias || find_.some_layer_has(names_.layers, concat(of, ".bias"));
        return find_.linear(name(layer, of), inputs, outputs, has_bias);
    }
    NormWeights norm(std::size_t layer, std::string_view of) {
        return of.empty() ? NormWeights() : find_.norm(name(layer, of), has_norm_biases_);
    }
    NormWeights role_norm(std::size_t layer, std::string_view of, WantedSize of_heads) {
        if (of.empty()) return {};
        const bool is_whole = config_.query_key_norm == QueryKeyNorm::whole;
        return find_.norm_of(name(layer, of), is_whole ? of_heads : find_.head_dim());
    }

    // Parts of one matrix, one after the other or head by head.
    void cut(LinearWeights whole, std::initializer_list<LinearWeights*> parts, std::initializer_list<int> outputs) {
        int column = 0;
        const int* size = outputs.begin();
        for (LinearWeights* part : parts) {
            *part = whole;
            part->outputs = *size;
            part->first_output = std::exchange(column, column + *size++);
        }
    }

    void find_roles_of(std::size_t l, LayerWeights& layer) {
        // Files that keep a matrix for each role have no stacked one (gguf_model.h).
        if (names_.stacked.empty() || (names_.is_in_groups && find_.has(name(l, names_.query) + ".weight"))) {
            layer.query = linear(l, names_.query, find_.width(), find_.heads(), names_.needs_role_biases);
            layer.key = linear(l, names_.key, find_.width(), find_.kv_heads(), names_.needs_role_biases);
            layer.value = linear(l, names_.value, find_.width(), find_.kv_heads(), names_.needs_role_biases);
            return;
        }
        const int heads = config_.attention_width(), kv_heads = config_.kv_width();
        const WantedSize outputs = find_.all_roles();
        FiledMatrix matrix = RoleFinder::matrix_of(
            names_.is_in_groups ? MatrixLayout::in_groups : MatrixLayout::transposed, find_.width(), outputs);
        if (names_.is_in_groups) {
            matrix.head_dim = config_.head_dim;
            matrix.roles = 3;
        }
        LinearWeights whole =
            find_.linear_of(find_.tensor(name(l, names_.stacked) + ".weight", {outputs, find_.width()}), matrix);
        if (find_.some_layer_has(names_.layers, concat(names_.stacked, ".bias")))
            whole.bias = find_.tensor(name(l, names_.stacked) + ".bias", {outputs});
        cut(whole, {&layer.query, &layer.key, &layer.value}, {heads, kv_heads, kv_heads});
    }

    void find_layer(std::size_t l, LayerWeights& layer) {
        const bool shares_norm = names_.norm_2.empty() || (names_.shares_norm_if_parallel && config_.is_parallel);
        const bool norms_more = config_.norms_inputs() || config_.norms_sums();
        if (norms_more) layer.norm_1 = norm(l, names_.norm_1);
        find_roles_of(l, layer);
        layer.out = linear(l, names_.out, find_.heads(), find_.width());
        layer.query_norm = role_norm(l, names_.query_norm, find_.heads());
        layer.key_norm = role_norm(l, names_.key_norm, find_.kv_heads());
        if (norms_more) layer.norm_2 = shares_norm ? layer.norm_1 : norm(l, names_.norm_2);
        if (config_.norms_outputs()) {
            layer.out_norm_1 = norm(l, names_.out_norm_1);
            layer.out_norm_2 = norm(l, names_.out_norm_2);
        }
        if (!names_.gate_and_up.empty()) {
            const LinearWeights whole = linear(l, names_.gate_and_up, find_.width(), find_.mlp(2));
            cut(whole, {&layer.mlp_gate, &layer.mlp_in}, {config_.mlp_width, config_.mlp_width});
        } else {
            if (config_.is_gated) layer.mlp_gate = linear(l, names_.gate, find_.width(), find_.mlp());
            layer.mlp_in = linear(l, names_.up, find_.width(), find_.mlp());
        }
        layer.mlp_out = linear(l, names_.down, find_.mlp(), find_.width());
    }

    RoleFinder& find_;
    const ModelConfig& config_;
    const DecoderNames& names_;
    bool has_norm_biases_ = false;
};

}  // namespace

void find_decoder(RoleFinder& find) {
    const DecoderNames* names = names_of(find.model.config.kind);
    ATTN_CHECK(names != nullptr, "no names of ", kind_name(find.model.config.kind));
    DecoderFinder(find, *names).find_all();
}

}  // namespace attn
