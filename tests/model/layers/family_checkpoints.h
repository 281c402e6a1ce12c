// Checkpoints of the families of models that came after GPT-2, BERT and Llama, small or of published sizes.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "core/ground/check.h"
#include "model/layers/checkpoint.h"

namespace attn::test {

struct FamilySizes {
    std::int64_t vocabulary = 17, positions = 9, width = 12, layers = 2, heads = 3, kv_heads = 3, head_dim = 4;
    std::int64_t mlp = 20;

    std::int64_t query() const { return heads * head_dim; }
    std::int64_t kv() const { return kv_heads * head_dim; }
    // The usual keys of config.json, with `more` behind them.
    std::string config(const std::string& type, const std::string& more) const {
        return concat(R"({"model_type":")", type, R"(","vocab_size":)", vocabulary, R"(,"max_position_embeddings":)",
                      positions, R"(,"hidden_size":)", width, R"(,"num_hidden_layers":)", layers,
                      R"(,"num_attention_heads":)", heads, R"(,"num_key_value_heads":)", kv_heads, R"(,"head_dim":)",
                      head_dim, R"(,"intermediate_size":)", mlp, more, "}");
    }
};

class ShapeMaker {
public:
    void tensor(const std::string& name, std::vector<std::int64_t> shape) { made.shapes[name] = std::move(shape); }
    void linear(const std::string& name, std::int64_t outputs, std::int64_t inputs, bool has_bias) {
        tensor(name + ".weight", {outputs, inputs});
        if (has_bias) tensor(name + ".bias", {outputs});
    }
    void norm(const std::string& name, std::int64_t size, bool has_bias) {
        tensor(name + ".weight", {size});
        if (has_bias) tensor(name + ".bias", {size});
    }
    Checkpoint made;
};

inline Checkpoint random_gpt_neox(bool is_parallel = true, const FamilySizes& size = {}) {
    ShapeMaker maker;
    maker.made.config =
        size.config("gpt_neox", concat(R"(,"rotary_pct":0.5,"rotary_emb_base":100,"hidden_act":"gelu",)",
                                       R"("use_parallel_residual":)", is_parallel ? "true" : "false"));
    maker.tensor("gpt_neox.embed_in.weight", {size.vocabulary, size.width});
    maker.tensor("embed_out.weight", {size.vocabulary, size.width});
    maker.norm("gpt_neox.final_layer_norm", size.width, true);
    for (std::int64_t layer = 0; layer < size.layers; ++layer) {
        const std::string name = concat("gpt_neox.layers.", layer, ".");
        maker.norm(name + "input_layernorm", size.width, true);
        maker.norm(name + "post_attention_layernorm", size.width, true);
        maker.linear(name + "attention.query_key_value", 3 * size.query(), size.width, true);
        maker.linear(name + "attention.dense", size.width, size.query(), true);
        maker.linear(name + "mlp.dense_h_to_4h", size.mlp, size.width, true);
        maker.linear(name + "mlp.dense_4h_to_h", size.width, size.mlp, true);
    }
    return maker.made;
}

// `type` roberta, xlm-roberta or camembert.
inline Checkpoint random_roberta(const std::string& type = "roberta", int padding = 0,
                                 const FamilySizes& size = {.positions = 12}) {
    ShapeMaker maker;
    maker.made.config = size.config(
        type, concat(R"(,"hidden_act":"gelu","layer_norm_eps":1e-5,"type_vocab_size":1,"pad_token_id":)", padding));
    maker.tensor("roberta.embeddings.word_embeddings.weight", {size.vocabulary, size.width});
    maker.tensor("roberta.embeddings.position_embeddings.weight", {size.positions, size.width});
    maker.tensor("roberta.embeddings.token_type_embeddings.weight", {1, size.width});
    maker.norm("roberta.embeddings.LayerNorm", size.width, true);
    for (std::int64_t layer = 0; layer < size.layers; ++layer) {
        const std::string name = concat("roberta.encoder.layer.", layer, ".");
        for (const std::string role : {"query", "key", "value"})
            maker.linear(name + "attention.self." + role, size.width, size.width, true);
        maker.linear(name + "attention.output.dense", size.width, size.width, true);
        maker.norm(name + "attention.output.LayerNorm", size.width, true);
        maker.linear(name + "intermediate.dense", size.mlp, size.width, true);
        maker.linear(name + "output.dense", size.width, size.mlp, true);
        maker.norm(name + "output.LayerNorm", size.width, true);
    }
    maker.linear("lm_head.dense", size.width, size.width, true);
    maker.norm("lm_head.layer_norm", size.width, true);
    maker.tensor("lm_head.bias", {size.vocabulary});
    return maker.made;
}

inline Checkpoint random_distilbert(const FamilySizes& size = {}) {
    ShapeMaker maker;
    maker.made.config =
        concat(R"({"model_type":"distilbert","activation":"gelu","dim":)", size.width, R"(,"n_layers":)", size.layers,
               R"(,"n_heads":)", size.heads, R"(,"hidden_dim":)", size.mlp, R"(,"vocab_size":)", size.vocabulary,
               R"(,"max_position_embeddings":)", size.positions, "}");
    maker.tensor("distilbert.embeddings.word_embeddings.weight", {size.vocabulary, size.width});
    maker.tensor("distilbert.embeddings.position_embeddings.weight", {size.positions, size.width});
    maker.norm("distilbert.embeddings.LayerNorm", size.width, true);
    for (std::int64_t layer = 0; layer < size.layers; ++layer) {
        const std::string name = concat("distilbert.transformer.layer.", layer, ".");
        for (const std::string role : {"q_lin", "k_lin", "v_lin", "out_lin"})
            maker.linear(name + "attention." + role, size.width, size.width, true);
        maker.norm(name + "sa_layer_norm", size.width, true);
        maker.linear(name + "ffn.lin1", size.mlp, size.width, true);
        maker.linear(name + "ffn.lin2", size.width, size.mlp, true);
        maker.norm(name + "output_layer_norm", size.width, true);
    }
    maker.linear("vocab_transform", size.width, size.width, true);
    maker.norm("vocab_layer_norm", size.width, true);
    maker.tensor("vocab_projector.bias", {size.vocabulary});
    return maker.made;
}

// `type` gemma, gemma2 or gemma3_text: four heads of six numbers on two heads of keys; `more` members of its config.
inline Checkpoint random_gemma(const std::string& type, const std::string& more = "",
                               const FamilySizes& size = {.heads = 4, .kv_heads = 2, .head_dim = 6}) {
    const bool is_3 = type == "gemma3_text", has_four = type != "gemma";
    ShapeMaker maker;
    maker.made.config =
        size.config(type, concat(R"(,"rms_norm_eps":1e-6,"hidden_activation":"gelu_pytorch_tanh")", more));
    maker.tensor("model.embed_tokens.weight", {size.vocabulary, size.width});
    maker.norm("model.norm", size.width, false);
    for (std::int64_t layer = 0; layer < size.layers; ++layer) {
        const std::string name = concat("model.layers.", layer, ".");
        maker.norm(name + "input_layernorm", size.width, false);
        maker.norm(name + "post_attention_layernorm", size.width, false);
        if (has_four) maker.norm(name + "pre_feedforward_layernorm", size.width, false);
        if (has_four) maker.norm(name + "post_feedforward_layernorm", size.width, false);
        maker.linear(name + "self_attn.q_proj", size.query(), size.width, false);
        maker.linear(name + "self_attn.k_proj", size.kv(), size.width, false);
        maker.linear(name + "self_attn.v_proj", size.kv(), size.width, false);
        maker.linear(name + "self_attn.o_proj", size.width, size.query(), false);
        if (is_3) maker.norm(name + "self_attn.q_norm", size.head_dim, false);
        if (is_3) maker.norm(name + "self_attn.k_norm", size.head_dim, false);
        maker.linear(name + "mlp.gate_proj", size.mlp, size.width, false);
        maker.linear(name + "mlp.up_proj", size.mlp, size.width, false);
        maker.linear(name + "mlp.down_proj", size.width, size.mlp, false);
    }
    return maker.made;
}
inline Checkpoint random_gemma_2() {
    return random_gemma("gemma2", R"(,"query_pre_attn_scalar":9,"attn_logit_softcapping":2.5,)"
                                  R"("final_logit_softcapping":3,"sliding_window":3)");
}
inline Checkpoint random_gemma_3() {
    return random_gemma("gemma3_text", R"(,"query_pre_attn_scalar":9,"sliding_window":3,"sliding_window_pattern":2,)"
                                       R"("rope_theta":300,"rope_local_base_freq":20,)"
                                       R"("rope_scaling":{"rope_type":"linear","factor":8})");
}

// `type` smollm3, phi3 or olmo2.
inline Checkpoint random_like_llama(const std::string& type, const std::string& more = "",
                                    const FamilySizes& size = {.heads = 6, .kv_heads = 3, .head_dim = 2}) {
    const bool is_phi = type == "phi3", is_olmo = type == "olmo2";
    ShapeMaker maker;
    maker.made.config = size.config(type, concat(R"(,"hidden_act":"silu")", more));
    maker.tensor("model.embed_tokens.weight", {size.vocabulary, size.width});
    if (type != "smollm3") maker.tensor("lm_head.weight", {size.vocabulary, size.width});
    maker.norm("model.norm", size.width, false);
    for (std::int64_t layer = 0; layer < size.layers; ++layer) {
        const std::string name = concat("model.layers.", layer, ".");
        maker.norm(name + (is_olmo ? "post_feedforward_layernorm" : "input_layernorm"), size.width, false);
        maker.norm(name + "post_attention_layernorm", size.width, false);
        if (is_olmo) maker.norm(name + "self_attn.q_norm", size.query(), false);
        if (is_olmo) maker.norm(name + "self_attn.k_norm", size.kv(), false);
        if (is_phi) {
            maker.linear(name + "self_attn.qkv_proj", size.query() + 2 * size.kv(), size.width, false);
            maker.linear(name + "mlp.gate_up_proj", 2 * size.mlp, size.width, false);
        } else {
            maker.linear(name + "self_attn.q_proj", size.query(), size.width, false);
            maker.linear(name + "self_attn.k_proj", size.kv(), size.width, false);
            maker.linear(name + "self_attn.v_proj", size.kv(), size.width, false);
            maker.linear(name + "mlp.gate_proj", size.mlp, size.width, false);
            maker.linear(name + "mlp.up_proj", size.mlp, size.width, false);
        }
        maker.linear(name + "self_attn.o_proj", size.width, size.query(), false);
        maker.linear(name + "mlp.down_proj", size.width, size.mlp, false);
    }
    return maker.made;
}

inline Checkpoint random_opt(bool is_before = true, const FamilySizes& size = {}) {
    ShapeMaker maker;
    maker.made.config = size.config(
        "opt", concat(R"(,"ffn_dim":)", size.mlp, R"(,"do_layer_norm_before":)", is_before ? "true" : "false"));
    const std::string all = "model.decoder.";
    maker.tensor(all + "embed_tokens.weight", {size.vocabulary, size.width});
    maker.tensor(all + "embed_positions.weight", {size.positions + 2, size.width});
    if (is_before) maker.norm(all + "final_layer_norm", size.width, true);
    for (std::int64_t layer = 0; layer < size.layers; ++layer) {
        const std::string name = concat(all, "layers.", layer, ".");
        for (const std::string role : {"q_proj", "k_proj", "v_proj", "out_proj"})
            maker.linear(name + "self_attn." + role, size.width, size.width, true);
        maker.norm(name + "self_attn_layer_norm", size.width, true);
        maker.linear(name + "fc1", size.mlp, size.width, true);
        maker.linear(name + "fc2", size.width, size.mlp, true);
        maker.norm(name + "final_layer_norm", size.width, true);
    }
    return maker.made;
}

// `type` phi, stablelm, cohere or starcoder2; stablelm without a second norm where `more` makes it parallel.
inline Checkpoint random_beside(const std::string& type, const std::string& more = "",
                                const FamilySizes& size = {.kv_heads = 1}) {
    const bool is_phi = type == "phi", is_cohere = type == "cohere", is_starcoder = type == "starcoder2";
    const bool is_gated = is_cohere || type == "stablelm", is_tied = is_cohere || is_starcoder;
    const bool is_parallel = is_phi || is_cohere || more.find("parallel") != std::string::npos;
    ShapeMaker maker;
    maker.made.config = size.config(type, more);
    maker.tensor("model.embed_tokens.weight", {size.vocabulary, size.width});
    if (!is_tied) maker.linear("lm_head", size.vocabulary, size.width, is_phi);
    maker.norm(is_phi ? "model.final_layernorm" : "model.norm", size.width, !is_cohere);
    for (std::int64_t layer = 0; layer < size.layers; ++layer) {
        const std::string name = concat("model.layers.", layer, ".");
        maker.norm(name + "input_layernorm", size.width, !is_cohere);
        if (!is_parallel) maker.norm(name + "post_attention_layernorm", size.width, true);
        maker.linear(name + "self_attn.q_proj", size.query(), size.width, !is_cohere);
        maker.linear(name + "self_attn.k_proj", size.kv(), size.width, !is_cohere);
        maker.linear(name + "self_attn.v_proj", size.kv(), size.width, !is_cohere);
        maker.linear(name + (is_phi ? "self_attn.dense" : "self_attn.o_proj"), size.width, size.query(), !is_gated);
        if (is_gated) maker.linear(name + "mlp.gate_proj", size.mlp, size.width, false);
        const std::string up = is_phi ? "fc1" : is_starcoder ? "c_fc" : "up_proj";
        const std::string down = is_phi ? "fc2" : is_starcoder ? "c_proj" : "down_proj";
        maker.linear(name + "mlp." + up, size.mlp, size.width, !is_gated);
        maker.linear(name + "mlp." + down, size.width, size.mlp, !is_gated);
    }
    return maker.made;
}

// Its MLP is four times as wide as the stream, as BLOOM's.
inline Checkpoint random_gptj(int rotary_dim = 2, const FamilySizes& size = {.mlp = 48}) {
    ShapeMaker maker;
    maker.made.config = concat(R"({"model_type":"gptj","n_embd":)", size.width, R"(,"n_layer":)", size.layers,
                               R"(,"n_head":)", size.heads, R"(,"n_positions":)", size.positions, R"(,"vocab_size":)",
                               size.vocabulary, R"(,"n_inner":null,"rotary_dim":)", rotary_dim, "}");
    maker.tensor("transformer.wte.weight", {size.vocabulary, size.width});
    maker.norm("transformer.ln_f", size.width, true);
    maker.linear("lm_head", size.vocabulary, size.width, true);
    for (std::int64_t layer = 0; layer < size.layers; ++layer) {
        const std::string name = concat("transformer.h.", layer, ".");
        maker.norm(name + "ln_1", size.width, true);
        for (const std::string role : {"q_proj", "k_proj", "v_proj", "out_proj"})
            maker.linear(name + "attn." + role, size.width, size.width, false);
        maker.linear(name + "mlp.fc_in", size.mlp, size.width, true);
        maker.linear(name + "mlp.fc_out", size.width, size.mlp, true);
    }
    return maker.made;
}

inline Checkpoint random_bloom(const FamilySizes& size = {.mlp = 48}) {
    ShapeMaker maker;
    maker.made.config = concat(R"({"model_type":"bloom","n_embed":)", size.width, R"(,"n_layer":)", size.layers,
                               R"(,"num_attention_heads":)", size.heads, R"(,"seq_length":)", size.positions,
                               R"(,"vocab_size":)", size.vocabulary, "}");
    maker.tensor("word_embeddings.weight", {size.vocabulary, size.width});
    maker.norm("word_embeddings_layernorm", size.width, true);
    maker.norm("ln_f", size.width, true);
    for (std::int64_t layer = 0; layer < size.layers; ++layer) {
        const std::string name = concat("h.", layer, ".");
        maker.norm(name + "input_layernorm", size.width, true);
        maker.norm(name + "post_attention_layernorm", size.width, true);
        maker.linear(name + "self_attention.query_key_value", 3 * size.width, size.width, true);
        maker.linear(name + "self_attention.dense", size.width, size.width, true);
        maker.linear(name + "mlp.dense_h_to_4h", size.mlp, size.width, true);
        maker.linear(name + "mlp.dense_4h_to_h", size.width, size.mlp, true);
    }
    return maker.made;
}

// One of each, by name.
inline std::vector<std::pair<std::string, Checkpoint>> family_checkpoints() {
    return {
        {"roberta", random_roberta()},
        {"distilbert", random_distilbert()},
        {"gemma", random_gemma("gemma", R"(,"rope_theta":50)")},
        {"gemma2", random_gemma_2()},
        {"gemma3", random_gemma_3()},
        {"smollm3", random_like_llama("smollm3", R"(,"no_rope_layers":[1,0])")},
        {"phi3", random_like_llama("phi3", R"(,"sliding_window":3)")},
        {"olmo2", random_like_llama("olmo2", R"(,"rope_theta":50)")},
        {"opt", random_opt()},
        {"opt, norms after", random_opt(false)},
        {"phi", random_beside("phi", R"(,"rope_theta":60)")},
        {"stablelm", random_beside("stablelm", R"(,"partial_rotary_factor":0.5)")},
        {"stablelm, beside", random_beside("stablelm", R"(,"partial_rotary_factor":0.5,"use_parallel_residual":true)")},
        {"cohere", random_beside("cohere", R"(,"logit_scale":0.5,"rope_theta":60)")},
        {"starcoder2", random_beside("starcoder2", R"(,"sliding_window":3)")},
        {"gptj", random_gptj()},
        {"bloom", random_bloom()},
        {"gpt_neox", random_gpt_neox()},
        {"gpt_neox, one after the other", random_gpt_neox(false)}};
}

}  // namespace attn::test
