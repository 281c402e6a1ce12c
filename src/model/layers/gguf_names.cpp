// The rows of the architectures: what a GGUF file calls the parts of a model, and transformers.
#include <algorithm>
#include <array>

#include "model/layers/gguf_model.h"

namespace attn {
namespace {

constexpr std::array kUsualOfLayers = {
    GgufName{"attn_norm", "input_layernorm"},    GgufName{"attn_q", "self_attn.q_proj"},
    GgufName{"attn_k", "self_attn.k_proj"},      GgufName{"attn_v", "self_attn.v_proj"},
    GgufName{"attn_output", "self_attn.o_proj"}, GgufName{"ffn_norm", "post_attention_layernorm"},
    GgufName{"ffn_gate", "mlp.gate_proj"},       GgufName{"ffn_up", "mlp.up_proj"},
    GgufName{"ffn_down", "mlp.down_proj"},       GgufName{"attn_q_norm", "self_attn.q_norm"},
    GgufName{"attn_k_norm", "self_attn.k_norm"}};
constexpr std::span kLikeLlamaOfLayers = std::span(kUsualOfLayers).first<9>();
constexpr std::array kUsualOfModel = {GgufName{"token_embd", "model.embed_tokens"},
                                      GgufName{"output_norm", "model.norm"}, GgufName{"output", "lm_head"}};

// Gemma 2 and 3: norms of what is read and of what is added; 3 those of queries and keys, too.
constexpr auto kGemma3OfLayers = [] {
    std::array<GgufName, 13> names = {};
    std::ranges::copy(kLikeLlamaOfLayers, names.begin());
    names[5].usual = "pre_feedforward_layernorm";
    names[9] = {"post_attention_norm", "post_attention_layernorm"};
    names[10] = {"post_ffw_norm", "post_feedforward_layernorm"};
    std::ranges::copy(std::span(kUsualOfLayers).last<2>(), names.begin() + 11);
    return names;
}();
constexpr std::span kGemma2OfLayers = std::span(kGemma3OfLayers).first<11>();
constexpr auto kOlmoOfLayers = [] {  // no norms of what is read
    std::array<GgufName, 11> names = {};
    std::ranges::copy(std::span(kGemma3OfLayers).subspan<1, 4>(), names.begin());
    std::ranges::copy(std::span(kGemma3OfLayers).last<7>(), names.begin() + 4);
    return names;
}();

constexpr std::array kPhi3OfLayers = {
    GgufName{"attn_norm", "input_layernorm"},    GgufName{"attn_qkv", "self_attn.qkv_proj"},
    GgufName{"attn_output", "self_attn.o_proj"}, GgufName{"ffn_norm", "post_attention_layernorm"},
    GgufName{"ffn_up", "mlp.gate_up_proj"},      GgufName{"ffn_down", "mlp.down_proj"}};

constexpr std::array kPhiOfLayers = {GgufName{"attn_norm", "input_layernorm"},
                                     GgufName{"attn_q", "self_attn.q_proj"},
                                     GgufName{"attn_k", "self_attn.k_proj"},
                                     GgufName{"attn_v", "self_attn.v_proj"},
                                     GgufName{"attn_output", "self_attn.dense"},
                                     GgufName{"ffn_up", "mlp.fc1"},
                                     GgufName{"ffn_down", "mlp.fc2"}};
constexpr std::array kPhiOfModel = {GgufName{"token_embd", "model.embed_tokens"},
                                    GgufName{"output_norm", "model.final_layernorm"}, GgufName{"output", "lm_head"}};

constexpr std::array kStarcoderOfLayers = {GgufName{"attn_norm", "input_layernorm"},
                                           GgufName{"attn_q", "self_attn.q_proj"},
                                           GgufName{"attn_k", "self_attn.k_proj"},
                                           GgufName{"attn_v", "self_attn.v_proj"},
                                           GgufName{"attn_output", "self_attn.o_proj"},
                                           GgufName{"ffn_norm", "post_attention_layernorm"},
                                           GgufName{"ffn_up", "mlp.c_fc"},
                                           GgufName{"ffn_down", "mlp.c_proj"}};

constexpr std::array kGpt2OfLayers = {GgufName{"attn_norm", "ln_1"},          GgufName{"attn_qkv", "attn.c_attn"},
                                      GgufName{"attn_output", "attn.c_proj"}, GgufName{"ffn_norm", "ln_2"},
                                      GgufName{"ffn_up", "mlp.c_fc"},         GgufName{"ffn_down", "mlp.c_proj"}};
constexpr std::array kGpt2OfModel = {GgufName{"token_embd", "wte"}, GgufName{"position_embd", "wpe"},
                                     GgufName{"output_norm", "ln_f"}, GgufName{"output", "lm_head"}};

constexpr std::array kNeoxOfLayers = {
    GgufName{"attn_norm", "input_layernorm"},   GgufName{"attn_qkv", "self_attn."},
    GgufName{"attn_output", "attention.dense"}, GgufName{"ffn_norm", "post_attention_layernorm"},
    GgufName{"ffn_up", "mlp.dense_h_to_4h"},    GgufName{"ffn_down", "mlp.dense_4h_to_h"}};
constexpr std::array kNeoxOfModel = {GgufName{"token_embd", "gpt_neox.embed_in"},
                                     GgufName{"output_norm", "gpt_neox.final_layer_norm"},
                                     GgufName{"output", "embed_out"}};

constexpr auto kBloomOfLayers = [] {
    std::array<GgufName, 6> names = kNeoxOfLayers;
    names[2].usual = "self_attention.dense";
    return names;
}();
constexpr std::array kBloomOfModel = {GgufName{"token_embd", "transformer.word_embeddings"},
                                      GgufName{"token_embd_norm", "transformer.word_embeddings_layernorm"},
                                      GgufName{"output_norm", "transformer.ln_f"}, GgufName{"output", "lm_head"}};

constexpr std::array kBertOfLayers = {GgufName{"attn_q", "attention.self.query"},
                                      GgufName{"attn_k", "attention.self.key"},
                                      GgufName{"attn_v", "attention.self.value"},
                                      GgufName{"attn_output", "attention.output.dense"},
                                      GgufName{"attn_output_norm", "attention.output.LayerNorm"},
                                      GgufName{"ffn_up", "intermediate.dense"},
                                      GgufName{"ffn_down", "output.dense"},
                                      GgufName{"layer_output_norm", "output.LayerNorm"}};
constexpr std::array kBertOfModel = {
    GgufName{"token_embd", "embeddings.word_embeddings"}, GgufName{"position_embd", "embeddings.position_embeddings"},
    GgufName{"token_types", "embeddings.token_type_embeddings"}, GgufName{"token_embd_norm", "embeddings.LayerNorm"}};

constexpr std::string_view kRms = "rms_norm_eps", kLayer = "layer_norm_eps", kLayerOfGpt = "layer_norm_epsilon";
constexpr std::string_view kModelLayers = "model.layers.";

constexpr GgufKind like_llama(std::string_view architecture, std::string_view type) {
    return {.architecture = architecture,
            .type = type,
            .keys = &kUsualKeys,
            .epsilon = kRms,
            .layers = kModelLayers,
            .of_layers = kLikeLlamaOfLayers,
            .of_model = kUsualOfModel};
}
constexpr GgufKind with_layers(GgufKind kind, std::span<const GgufName> of_layers) {
    kind.of_layers = of_layers;
    return kind;
}
constexpr GgufKind with_paired_rows(GgufKind kind) {
    kind.has_paired_rows = true;
    return kind;
}
constexpr GgufKind of_gemma(GgufKind kind) {
    kind.is_gemma = true;
    return kind;
}
constexpr GgufKind with_layer_norms(GgufKind kind, std::string_view epsilon) {
    kind.epsilon = epsilon;
    return kind;
}

constexpr std::array kGgufKinds = {
    with_paired_rows(like_llama("llama", "llama")),
    like_llama("qwen2", "qwen2"),
    with_layers(like_llama("qwen3", "qwen3"), kUsualOfLayers),
    of_gemma(like_llama("gemma", "gemma")),
    of_gemma(with_layers(like_llama("gemma2", "gemma2"), kGemma2OfLayers)),
    of_gemma(with_layers(like_llama("gemma3", "gemma3_text"), kGemma3OfLayers)),
    with_paired_rows(like_llama("smollm3", "smollm3")),
    with_layers(like_llama("phi3", "phi3"), kPhi3OfLayers),
    with_layers(like_llama("olmo2", "olmo2"), kOlmoOfLayers),
    with_layer_norms(like_llama("stablelm", "stablelm"), kLayer),
    with_layer_norms(like_llama("command-r", "cohere"), kLayer),
    with_layer_norms(with_layers(like_llama("starcoder2", "starcoder2"), kStarcoderOfLayers), "norm_epsilon"),
    GgufKind{"phi2", "phi", &kUsualKeys, kLayer, kModelLayers, kPhiOfLayers, kPhiOfModel},
    GgufKind{"gptneox", "gpt_neox", &kUsualKeys, kLayer, "gpt_neox.layers.", kNeoxOfLayers, kNeoxOfModel, false, true},
    GgufKind{"bloom", "bloom", &kBloomKeys, kLayerOfGpt, "transformer.h.", kBloomOfLayers, kBloomOfModel, false, true,
             false, false},
    GgufKind{"gpt2", "gpt2", &kGpt2Keys, kLayerOfGpt, "h.", kGpt2OfLayers, kGpt2OfModel, false, false, false, false},
    GgufKind{"bert", "bert", &kUsualKeys, kLayer, "encoder.layer.", kBertOfLayers, kBertOfModel, false, false, false,
             false}};

}  // namespace

std::span<const GgufKind> gguf_kinds() {
    return kGgufKinds;
}

const GgufKind* gguf_kind_of(std::string_view architecture) {
    const auto found = std::ranges::find(kGgufKinds, architecture, &GgufKind::architecture);
    return found == kGgufKinds.end() ? nullptr : &*found;
}

}  // namespace attn
