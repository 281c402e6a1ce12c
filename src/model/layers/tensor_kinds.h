// Which kind of model the names of a file's tensors tell, and which of its sizes their shapes. Reads no config.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/files/tensor_files.h"
#include "model/layers/model_kind.h"

namespace attn {

// What the config of a kind calls the sizes.
struct SizeKeys {
    std::string_view width, layers, vocabulary, positions, mlp, types, heads, kv_heads;
};
inline constexpr SizeKeys kGpt2Keys = {"n_embd",  "n_layer", "vocab_size", "n_positions",
                                       "n_inner", "",        "n_head",     "n_head"};
inline constexpr SizeKeys kUsualKeys = {
    "hidden_size",       "num_hidden_layers", "vocab_size",          "max_position_embeddings",
    "intermediate_size", "type_vocab_size",   "num_attention_heads", "num_key_value_heads"};
inline constexpr SizeKeys kDistilBertKeys = {"dim",        "n_layers", "vocab_size", "max_position_embeddings",
                                             "hidden_dim", "",         "n_heads",    "n_heads"};
inline constexpr SizeKeys kBloomKeys = {"hidden_size",     "n_layer", "vocab_size", "seq_length",
                                        "4 * hidden_size", "",        "n_head",     "n_head"};
inline constexpr SizeKeys kOptKeys = {
    "hidden_size",         "num_hidden_layers",  "vocab_size", "max_position_embeddings", "ffn_dim", "",
    "num_attention_heads", "num_attention_heads"};
inline constexpr SizeKeys kNeoKeys = {"hidden_size",       "num_layers", "vocab_size", "max_position_embeddings",
                                      "intermediate_size", "",           "num_heads",  "num_heads"};
inline constexpr SizeKeys kAttentionOnlyKeys = {"d_model", "n_layers", "d_vocab", "n_ctx",
                                                "",        "",         "n_heads", "n_heads"};

// A kind of model by its tensors, without their prefix. `N` below is the number of a layer.
struct TensorKind {
    ModelKind kind;
    std::string_view mark;   // the tensor by which it is known
    std::string_view words;  // as sentences name the kind
    std::string_view type;   // "model_type" of its config
    SizeKeys keys;
    std::string_view token, position, type_rows;  // (vocabulary, width), (positions, width), (types, width)
    std::string_view layer, norm;                 // "h." N ".ln_1.weight"
    std::string_view mlp;                         // (mlp_width, width), or the other way round
};
inline constexpr std::string_view kGpt2Mark = "h.0.attn.c_attn.weight";
inline constexpr std::string_view kGptModelMark = "trf_blocks.0.att.W_query.weight";  // of Raschka 2024: GPT-2's kind
inline constexpr std::string_view kEarlyMinGptMark = "blocks.0.attn.key.weight";      // the same
inline constexpr std::array kTensorKinds = {
    TensorKind{ModelKind::gpt2, kGpt2Mark, "GPT-2", "gpt2", kGpt2Keys, "wte.weight", "wpe.weight", "", "h.",
               ".ln_1.weight", "h.0.mlp.c_fc.weight"},
    TensorKind{ModelKind::gpt_neo, "h.0.attn.attention.q_proj.weight", "GPT-Neo", "gpt_neo", kNeoKeys, "wte.weight",
               "wpe.weight", "", "h.", ".ln_1.weight", "h.0.mlp.c_fc.weight"},
    TensorKind{ModelKind::bert, "encoder.layer.0.attention.self.query.weight", "BERT", "bert", kUsualKeys,
               "embeddings.word_embeddings.weight", "embeddings.position_embeddings.weight",
               "embeddings.token_type_embeddings.weight", "encoder.layer.", ".attention.self.query.weight",
               "encoder.layer.0.intermediate.dense.weight"},
    TensorKind{ModelKind::llama, "layers.0.self_attn.q_proj.weight", "a model like Llama", "llama", kUsualKeys,
               "embed_tokens.weight", "", "", "layers.", ".self_attn.q_proj.weight", "layers.0.mlp.gate_proj.weight"},
    TensorKind{ModelKind::attention_only, "blocks.0.attn.W_Q", "an attention-only model", "", kAttentionOnlyKeys,
               "embed.W_E", "pos_embed.W_pos", "", "blocks.", ".attn.W_Q", ""},
    TensorKind{ModelKind::gpt2, kGptModelMark, "GPTModel", "gpt2", kGpt2Keys, "tok_emb.weight", "pos_emb.weight", "",
               "trf_blocks.", ".norm1.scale", "trf_blocks.0.ff.layers.0.weight"},
    TensorKind{ModelKind::gpt2, kEarlyMinGptMark, "minGPT of 2020", "gpt2", kGpt2Keys, "tok_emb.weight", "pos_emb", "",
               "blocks.", ".ln1.weight", "blocks.0.mlp.0.weight"}};
// What the config of a kind calls the sizes.
const SizeKeys& size_keys_of(ModelKind kind);
// Whether tensors of `kind` have the names by which those of a row of kTensorKinds are known, as Qwen's have Llama's.
bool has_names_of(ModelKind kind, ModelKind known);

// Whether `name` is `end`, behind a prefix or none: "module.wte.weight" is "wte.weight".
bool is_name_behind(std::string_view name, std::string_view end);

// The tensor of this name that the shortest prefix has; null without one.
const FiledTensor* find_behind(const TensorFiles& files, std::string_view end);

// What the tensors say where config.json does not.
struct TensorFacts {
    const TensorKind* kind = nullptr;  // null: no kind that is known
    std::string_view type;             // "model_type": "gpt2", "bert", "qwen3" ...; empty where they do not tell
    std::string why_not;               // a sentence, where they look like another kind's
    std::vector<std::pair<std::string_view, int>> sizes = {};  // by the config's keys: "n_embd" 768
    std::string_view activation;                               // GPT-2's, where no config says it
};
TensorFacts facts_of_tensors(const TensorFiles& files);

// Whether no number of the tensor is learned, by its name: masks, positions.
bool is_buffer_tensor(std::string_view name);

// The first of the tensors' names by which they are those of attention modules, one or several, and of no kind of model
// that is known: "in_proj_weight", "key.weight". Empty where they are not.
std::string_view module_tensor(const TensorFiles& files);

}  // namespace attn
