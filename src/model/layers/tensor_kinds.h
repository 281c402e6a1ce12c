// Which kind of model the names of a file's tensors tell, and which of its sizes their shapes. Knows no config.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/files/tensor_files.h"

namespace attn {

// A kind of model by its tensors, without their prefix. `N` below is the number of a layer.
struct TensorKind {
    std::string_view mark;                        // the tensor by which it is known
    std::string_view words;                       // as sentences name the kind
    std::string_view type;                        // "model_type" of its config
    std::string_view token, position, type_rows;  // (vocabulary, width), (positions, width), (types, width)
    std::string_view layer, norm;                 // "h." N ".ln_1.weight"
    std::string_view mlp;                         // (mlp_width, width), or the other way round
};
inline constexpr std::array kTensorKinds = {
    TensorKind{"h.0.attn.c_attn.weight", "GPT-2", "gpt2", "wte.weight", "wpe.weight", "", "h.", ".ln_1.weight",
               "h.0.mlp.c_fc.weight"},
    TensorKind{"h.0.attn.attention.q_proj.weight", "GPT-Neo", "gpt_neo", "wte.weight", "wpe.weight", "", "h.",
               ".ln_1.weight", "h.0.mlp.c_fc.weight"},
    TensorKind{"encoder.layer.0.attention.self.query.weight", "BERT", "bert", "embeddings.word_embeddings.weight",
               "embeddings.position_embeddings.weight", "embeddings.token_type_embeddings.weight", "encoder.layer.",
               ".attention.self.query.weight", "encoder.layer.0.intermediate.dense.weight"},
    TensorKind{"layers.0.self_attn.q_proj.weight", "a model like Llama", "llama", "embed_tokens.weight", "", "",
               "layers.", ".self_attn.q_proj.weight", "layers.0.mlp.gate_proj.weight"},
    TensorKind{"blocks.0.attn.W_Q", "an attention-only model", "", "embed.W_E", "pos_embed.W_pos", "", "blocks.",
               ".attn.W_Q", ""},
    TensorKind{"trf_blocks.0.att.W_query.weight", "GPTModel", "gpt2", "tok_emb.weight", "pos_emb.weight", "",
               "trf_blocks.", ".norm1.scale", "trf_blocks.0.ff.layers.0.weight"}};
inline constexpr std::string_view kGptModelMark = kTensorKinds[5].mark;  // of Raschka 2024, in GPT-2's architecture

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

// The first of the tensors' names by which they are those of one attention module, "in_proj_weight" or "key.weight";
// empty where they are not.
std::string_view module_tensor(const TensorFiles& files);

}  // namespace attn
