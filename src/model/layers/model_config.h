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
    silu,  // x / (1 + e^-x)
};

// Where the norms around a part f of a layer are, f being the attention or the MLP.
enum class NormPlace {
    inputs,              // x + f(norm(x))
    sums,                // norm(x + f(x)), as in BERT
    outputs,             // x + norm(f(x)), as in OLMo 2 (2501.00656)
    inputs_and_outputs,  // x + norm(f(norm(x))), as in Gemma 2 (2408.00118)
};

// What a query or a key is normed over, before it is turned: its root mean square (rms_norm.h), times weights.
enum class QueryKeyNorm {
    none,
    heads,  // over a head's numbers, the weights of all heads the same: Qwen3, Gemma 3
    whole,  // over the numbers of all heads: OLMo 2
};

enum class PositionKind {
    learned,           // a row for each position is added to the token's
    rotary,            // queries and keys are turned by their position (Su et al. 2021)
    alibi,             // scores lose what is farther away (Press et al. 2022)
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
    NormPlace norm_place = NormPlace::inputs;
    bool is_parallel = false;  // x + attention(norm(x)) + MLP(norm(x)): the MLP does not wait for the attention
    float norm_offset = 0;     // is added to each weight of a norm: 1 in Gemma's files
    Activation activation = Activation::gelu_tanh;
    bool is_gated = false;  // the MLP's: activation(gate) * sum (Shazeer 2020, 2002.05202), else activation(sum)
    PositionKind positions = PositionKind::learned;
    int first_position = 0;        // learned: the row of the first token's; those before it mean something else
    int padding_token = -1;        // learned: tokens that all have the row before the first, and do not count
    RopeScaling rope = {};         // rotary: how far queries and keys are turned
    RopeScaling window_rope = {};  // the same in layers with a window; dim 0: as in the others
    RotaryPairs pairs = RotaryPairs::halves;
    std::vector<int> turned;    // rotary: [num_layers], 0 for layers without positions; empty: all are turned
    float embedding_scale = 1;  // the tokens' vectors are multiplied by it: Gemma's
    bool ties_logits = true;    // files without a head for logits mean the token embeddings
    Activation head_activation = Activation::gelu_exact;  // of a head for masked words
    float logit_scale = 1;                                // logits are multiplied by it
    float logit_cap = 0;  // > 0: logits become cap * tanh(logit / cap) (core/attention/score_changes.h)
    QueryKeyNorm query_key_norm = QueryKeyNorm::none;
    Mask mask = Mask::causal;
    Scale scale = Scale::sqrt;
    float temperature = 1;     // scores are divided by it, too
    float score_cap = 0;       // > 0: scaled scores are capped, too
    std::vector<int> windows;  // [num_layers], keys that a query sees; 0: all

    int attention_width() const { return num_heads * head_dim; }
    int kv_width() const { return num_kv_heads * head_dim; }
    int position_rows() const { return first_position + max_positions; }  // of the table of learned positions
    bool norms_inputs() const { return norm_place == NormPlace::inputs || norm_place == NormPlace::inputs_and_outputs; }
    bool norms_sums() const { return norm_place == NormPlace::sums; }
    bool norms_outputs() const {
        return norm_place == NormPlace::outputs || norm_place == NormPlace::inputs_and_outputs;
    }
    const RopeScaling& rope_of(int layer) const {
        return window_rope.dim != 0 && windows[static_cast<std::size_t>(layer)] != 0 ? window_rope : rope;
    }
    bool turns(int layer) const {
        return positions == PositionKind::rotary && (turned.empty() || turned[static_cast<std::size_t>(layer)] != 0);
    }
};

// A kind that is read, by its config's "model_type", which attention_only has not.
struct ReadKind {
    ModelKind kind;
    std::string_view type;
    std::string_view name;  // as people call it
};
inline constexpr std::array kReadKinds = {ReadKind{ModelKind::gpt2, "gpt2", "GPT-2"},
                                          ReadKind{ModelKind::gpt_neo, "gpt_neo", "GPT-Neo"},
                                          ReadKind{ModelKind::bert, "bert", "BERT"},
                                          ReadKind{ModelKind::roberta, "roberta", "RoBERTa"},
                                          ReadKind{ModelKind::roberta, "xlm-roberta", "XLM-R"},
                                          ReadKind{ModelKind::roberta, "camembert", "CamemBERT"},
                                          ReadKind{ModelKind::distilbert, "distilbert", "DistilBERT"},
                                          ReadKind{ModelKind::llama, "llama", "Llama"},
                                          ReadKind{ModelKind::llama, "mistral", "Mistral"},
                                          ReadKind{ModelKind::qwen2, "qwen2", "Qwen2"},
                                          ReadKind{ModelKind::qwen3, "qwen3", "Qwen3"},
                                          ReadKind{ModelKind::gpt_neox, "gpt_neox", "GPT-NeoX"},
                                          ReadKind{ModelKind::gemma, "gemma", "Gemma"},
                                          ReadKind{ModelKind::gemma2, "gemma2", "Gemma 2"},
                                          ReadKind{ModelKind::gemma3, "gemma3_text", "Gemma 3"},
                                          ReadKind{ModelKind::smollm3, "smollm3", "SmolLM3"},
                                          ReadKind{ModelKind::phi3, "phi3", "Phi-3"},
                                          ReadKind{ModelKind::olmo2, "olmo2", "OLMo 2"},
                                          ReadKind{ModelKind::opt, "opt", "OPT"},
                                          ReadKind{ModelKind::phi, "phi", "Phi"},
                                          ReadKind{ModelKind::stablelm, "stablelm", "StableLM"},
                                          ReadKind{ModelKind::cohere, "cohere", "Cohere"},
                                          ReadKind{ModelKind::gptj, "gptj", "GPT-J"},
                                          ReadKind{ModelKind::bloom, "bloom", "BLOOM"},
                                          ReadKind{ModelKind::starcoder2, "starcoder2", "StarCoder2"},
                                          ReadKind{ModelKind::attention_only, "", "attention-only"}};

// "GPT-2", "Llama" ...: as sentences name it. Of several rows of a kind the first counts.
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
