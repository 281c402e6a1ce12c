// What kind of model it is, and how large: read from config.json. The tensors are held to it by model_weights.h.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "core/attention/attention.h"
#include "core/ground/result.h"
#include "model/layers/model_kind.h"
#include "model/layers/rope_scaling.h"

namespace attn {

enum class NormKind {
    none,
    layer,  // (x - mean) / sqrt(variance + eps) * weight + bias (Ba et al. 2016)
    rms,    // x / sqrt(mean of x^2 + eps) * weight (Zhang and Sennrich 2019)
};

enum class Activation {
    gelu_tanh,   // x / 2 * (1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3))) (Hendrycks and Gimpel 2016)
    gelu_exact,  // x * (the share of a standard normal below x)
    relu,
    silu_gated,  // SwiGLU: gate / (1 + e^-gate) * up (Shazeer 2020)
};

enum class PositionKind {
    learned,           // a row for each position is added to the token's
    rotary,            // queries and keys are turned by their position (Su et al. 2021)
    queries_and_keys,  // learned rows are added to what queries and keys are made of alone (Press et al. 2020)
};

struct ModelConfig {
    ModelKind kind = ModelKind::gpt2;
    int vocabulary = 0;  // tokens
    int width = 0;       // of the residual stream
    int num_layers = 0;
    int num_heads = 0;        // a layer
    int num_kv_heads = 0;     // divides num_heads
    int head_dim = 0;         // num_heads * head_dim need not be the width
    int mlp_width = 0;        // 0: no MLP
    int max_positions = 0;    // tokens it can take at a time
    int num_token_types = 0;  // 0: no token types
    NormKind norm = NormKind::layer;
    double norm_eps = 1e-5;
    bool norms_after = false;  // norm(x + f(x)) in the place of x + f(norm(x))
    Activation activation = Activation::gelu_tanh;
    PositionKind positions = PositionKind::learned;
    RopeScaling rope = {};            // rotary: how far queries and keys are turned
    std::vector<int> turned;          // rotary: [num_layers], 0 for layers without positions; empty: all are turned
    bool ties_logits = true;          // files without a head for logits mean the token embeddings
    bool has_query_key_norm = false;  // RMS norm of each head's queries and keys, before they are turned
    Mask mask = Mask::causal;
    Scale scale = Scale::sqrt;
    std::vector<int> windows;  // [num_layers], keys that a query sees; 0: all

    int attention_width() const { return num_heads * head_dim; }
    int kv_width() const { return num_kv_heads * head_dim; }
    bool turns(int layer) const {
        return positions == PositionKind::rotary && (turned.empty() || turned[static_cast<std::size_t>(layer)] != 0);
    }
};

// A kind that is read, by its config's "model_type", which attention_only has not.
struct ReadKind {
    ModelKind kind;
    std::string_view type;
    std::string_view name;  // as sentences name it
};
inline constexpr std::array kReadKinds = {
    ReadKind{ModelKind::gpt2, "gpt2", "GPT-2"},     ReadKind{ModelKind::gpt_neo, "gpt_neo", "GPT-Neo"},
    ReadKind{ModelKind::bert, "bert", "BERT"},      ReadKind{ModelKind::llama, "llama", "Llama"},
    ReadKind{ModelKind::llama, "mistral", "Llama"}, ReadKind{ModelKind::qwen2, "qwen2", "Qwen2"},
    ReadKind{ModelKind::qwen3, "qwen3", "Qwen3"},   ReadKind{ModelKind::attention_only, "", "attention-only"}};

// "GPT-2", "Llama" ...: as sentences name it.
std::string_view kind_name(ModelKind kind);

struct TensorFacts;

// What config.json and the tensors say together.
struct ReadConfig {
    ModelConfig config;
    std::vector<std::string> remarks = {};  // what people should know of how it was read
    bool is_guessed = false;                // the kind is that of the tensors: no config says it
};

// Reads config.json of Hugging Face's transformers, or of TransformerLens for attention_only. Fails with a sentence: no
// JSON, a key that is missing, what is out of bounds, and what this program would compute wrongly (another activation,
// scaled rotary positions, ...), by its key. Of a model that also sees or hears ("text_config") the part that reads
// text is meant. A config that does not say the kind, or "" for none, gets it and missing sizes from `facts` of the
// tensors; what those cannot tell is assumed, with a remark, but the number of heads.
Result<ReadConfig> read_config(std::string_view json, const TensorFacts& facts);

// The same of a config that says everything.
Result<ModelConfig> read_model_config(std::string_view json);

}  // namespace attn
