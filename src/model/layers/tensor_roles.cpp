// One function for each family of names.
#include "model/layers/tensor_roles.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/ground/check.h"
#include "model/layers/role_finder.h"
#include "model/layers/tensor_kinds.h"

namespace attn {
namespace {

// GPT-2 and GPT-Neo differ in the attention's names and in the layout.
void find_gpt(RoleFinder& find) {
    const bool is_neo = find.model.config.kind == ModelKind::gpt_neo;
    find.set_prefix("transformer.", "wte.weight");
    const auto some_have = [&](std::string_view name) { return find.some_layer_has("h.", name); };
    const bool has_norm_biases = is_neo || some_have(".ln_1.bias");
    // nanoGPT and minGPT keep GPT-2's matrices as nn.Linear does, (outputs, inputs).
    const std::int64_t width = find.model.config.width;
    const FiledTensor* stacked = find.find("h.0.attn.c_attn.weight");
    const bool is_as_used = stacked == nullptr || stacked->tensor.shape != std::vector{3 * width, width};
    const auto linear = [&](std::size_t layer, std::string_view name, WantedSize inputs, WantedSize outputs) {
        return find.linear(concat("h.", layer, name), inputs, outputs, some_have(concat(name, ".bias")), is_as_used);
    };
    ModelWeights& weights = find.model.weights;
    find.embed("wte.weight");
    weights.position_embedding = find.tensor("wpe.weight", {find.positions(), find.width()});
    for (std::size_t l = 0; l < weights.layers.size(); ++l) {
        LayerWeights& layer = weights.layers[l];
        const std::string name = concat("h.", l, ".");
        layer.norm_1 = find.norm(name + "ln_1", has_norm_biases);
        if (is_neo) {
            const std::string attention = name + "attn.attention.";
            layer.query = find.linear(attention + "q_proj", find.width(), find.width(), false);
            layer.key = find.linear(attention + "k_proj", find.width(), find.width(), false);
            layer.value = find.linear(attention + "v_proj", find.width(), find.width(), false);
            layer.out = find.linear(attention + "out_proj", find.width(), find.width(), true);
            layer.mlp_in = find.linear(name + "mlp.c_fc", find.width(), find.mlp(), true);
            layer.mlp_out = find.linear(name + "mlp.c_proj", find.mlp(), find.width(), true);
        } else {
            int column = 0;
            for (LinearWeights* part : {&layer.query, &layer.key, &layer.value}) {
                *part = linear(l, ".attn.c_attn", find.width(), find.width(3));
                part->outputs = static_cast<int>(width);
                part->first_output = std::exchange(column, column + static_cast<int>(width));
            }
            layer.out = linear(l, ".attn.c_proj", find.width(), find.width());
            layer.mlp_in = linear(l, ".mlp.c_fc", find.width(), find.mlp());
            layer.mlp_out = linear(l, ".mlp.c_proj", find.mlp(), find.width());
        }
        layer.norm_2 = find.norm(name + "ln_2", has_norm_biases);
    }
    find.refuse_more_layers("h.", ".ln_1.weight");
    weights.final_norm = find.norm("ln_f", has_norm_biases || find.has("ln_f.bias"));
    find.unembed("lm_head.weight");
}

// GPT-2 by other names, with a matrix for each role.
struct GptNames {
    std::string_view mark;  // the tensor by which it is known (kTensorKinds)
    std::string_view position, layers, norm_1, query, key, value, out, norm_2, mlp_in, mlp_out, final_norm, head;
    bool has_batch_axis = false;  // of the positions: (1, positions, width)
};
constexpr std::array kGptNames = {
    GptNames{kGptModelMark, "pos_emb.weight", "trf_blocks.", ".norm1", ".att.W_query", ".att.W_key", ".att.W_value",
             ".att.out_proj", ".norm2", ".ff.layers.0", ".ff.layers.2", "final_norm", "out_head.weight"},
    GptNames{kEarlyMinGptMark, "pos_emb", "blocks.", ".ln1", ".attn.query", ".attn.key", ".attn.value", ".attn.proj",
             ".ln2", ".mlp.0", ".mlp.2", "ln_f", "head.weight", true}};

void find_named_gpt(RoleFinder& find, const GptNames& names) {
    find.set_prefix("", "tok_emb.weight");
    const auto linear = [&](std::size_t layer, std::string_view name, WantedSize inputs, WantedSize outputs) {
        const bool has_bias = find.some_layer_has(names.layers, concat(name, ".bias"));
        return find.linear(concat(names.layers, layer, name), inputs, outputs, has_bias);
    };
    ModelWeights& weights = find.model.weights;
    find.embed("tok_emb.weight");
    const std::string position(names.position);
    weights.position_embedding = names.has_batch_axis
                                     ? find.tensor(position, {{1, "one batch"}, find.positions(), find.width()})
                                     : find.tensor(position, {find.positions(), find.width()});
    for (std::size_t l = 0; l < weights.layers.size(); ++l) {
        LayerWeights& layer = weights.layers[l];
        layer.norm_1 = find.norm(concat(names.layers, l, names.norm_1));
        layer.query = linear(l, names.query, find.width(), find.width());
        layer.key = linear(l, names.key, find.width(), find.width());
        layer.value = linear(l, names.value, find.width(), find.width());
        layer.out = linear(l, names.out, find.width(), find.width());
        layer.norm_2 = find.norm(concat(names.layers, l, names.norm_2));
        layer.mlp_in = linear(l, names.mlp_in, find.width(), find.mlp());
        layer.mlp_out = linear(l, names.mlp_out, find.mlp(), find.width());
    }
    find.refuse_more_layers(names.layers, concat(names.query, ".weight"));
    weights.final_norm = find.norm(std::string(names.final_norm));
    if (find.has(std::string(names.head))) find.unembed(std::string(names.head));
}

// Names of models without a mask, whose norms come after the sums.
struct EncoderNames {
    ModelKind kind;
    std::string_view prefix, layers, query, key, value, out, norm_1, mlp_in, mlp_out, norm_2;
    std::string_view head_dense, head_norm, head, head_bias;  // for masked words
};
constexpr EncoderNames kBertNames = {ModelKind::bert,
                                     "bert.",
                                     "encoder.layer.",
                                     ".attention.self.query",
                                     ".attention.self.key",
                                     ".attention.self.value",
                                     ".attention.output.dense",
                                     ".attention.output.LayerNorm",
                                     ".intermediate.dense",
                                     ".output.dense",
                                     ".output.LayerNorm",
                                     "cls.predictions.transform.dense",
                                     "cls.predictions.transform.LayerNorm",
                                     "cls.predictions.decoder.weight",
                                     "cls.predictions.bias"};
constexpr EncoderNames kRobertaNames = [] {
    EncoderNames names = kBertNames;
    names.kind = ModelKind::roberta;
    names.prefix = "roberta.";
    names.head_dense = "lm_head.dense";
    names.head_norm = "lm_head.layer_norm";
    names.head = "lm_head.decoder.weight";
    names.head_bias = "lm_head.bias";
    return names;
}();
constexpr std::array kEncoderNames = {
    kBertNames, kRobertaNames,
    EncoderNames{ModelKind::distilbert, "distilbert.", "transformer.layer.", ".attention.q_lin", ".attention.k_lin",
                 ".attention.v_lin", ".attention.out_lin", ".sa_layer_norm", ".ffn.lin1", ".ffn.lin2",
                 ".output_layer_norm", "vocab_transform", "vocab_layer_norm", "vocab_projector.weight",
                 "vocab_projector.bias"}};

void find_encoder(RoleFinder& find, const EncoderNames& names) {
    find.set_prefix(names.prefix, "embeddings.word_embeddings.weight");
    ModelWeights& weights = find.model.weights;
    const std::string embeddings = "embeddings.";
    find.embed(embeddings + "word_embeddings.weight");
    weights.position_embedding =
        find.tensor(embeddings + "position_embeddings.weight", {find.positions(), find.width()});
    if (find.model.config.num_token_types > 0)
        weights.type_embedding = find.tensor(embeddings + "token_type_embeddings.weight", {find.types(), find.width()});
    weights.embedding_norm = find.norm(embeddings + "LayerNorm");
    for (std::size_t l = 0; l < weights.layers.size(); ++l) {
        LayerWeights& layer = weights.layers[l];
        const auto name = [&](std::string_view of) { return concat(names.layers, l, of); };
        layer.query = find.linear(name(names.query), find.width(), find.width(), true);
        layer.key = find.linear(name(names.key), find.width(), find.width(), true);
        layer.value = find.linear(name(names.value), find.width(), find.width(), true);
        layer.out = find.linear(name(names.out), find.width(), find.width(), true);
        layer.norm_1 = find.norm(name(names.norm_1));
        layer.mlp_in = find.linear(name(names.mlp_in), find.width(), find.mlp(), true);
        layer.mlp_out = find.linear(name(names.mlp_out), find.mlp(), find.width(), true);
        layer.norm_2 = find.norm(name(names.norm_2));
    }
    find.refuse_more_layers(names.layers, concat(names.query, ".weight"));
    if (!find.leave_prefix(concat(names.head_dense, ".weight"))) return;
    weights.head_dense = find.linear(std::string(names.head_dense), find.width(), find.width(), true);
    weights.head_norm = find.norm(std::string(names.head_norm));
    if (find.unembed(std::string(names.head)))
        weights.unembedding.bias = find.tensor(std::string(names.head_bias), {find.vocabulary()});
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

Result<Model> find_roles(const ModelConfig& config, const TensorFiles& files, bool has_config) {
    RoleFinder find(config, files, has_config);
    switch (config.kind) {
        case ModelKind::gpt2: {
            const auto names = std::ranges::find_if(
                kGptNames, [&](const GptNames& one) { return find_behind(files, one.mark) != nullptr; });
            if (names != kGptNames.end())
                find_named_gpt(find, *names);
            else
                find_gpt(find);
            break;
        }
        case ModelKind::gpt_neo:
            find_gpt(find);
            break;
        case ModelKind::bert:
        case ModelKind::roberta:
        case ModelKind::distilbert:
            find_encoder(find, *std::ranges::find(kEncoderNames, config.kind, &EncoderNames::kind));
            break;
        case ModelKind::attention_only:
            find_attention_only(find);
            break;
        default:
            find_decoder(find);
    }
    if (!find.problem.empty()) return Result<Model>::failure(find.problem);
    return std::move(find.model);
}

}  // namespace attn
