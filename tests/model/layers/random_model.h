// Small checkpoints of every kind with random numbers, as files: config.json and safetensors.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "core/ground/check.h"
#include "model/layers/checkpoint.h"
#include "model/layers/family_checkpoints.h"

namespace attn::test {

// All of width 12 and two layers of 3 heads, but for Llama's kind (4 heads of 6 on 2 key heads, wider than the stream).
inline Checkpoint random_gpt2(const std::string& prefix = "") {
    Checkpoint made{
        .config = R"({"model_type":"gpt2","n_embd":12,"n_layer":2,"n_head":3,"vocab_size":17,"n_positions":9,
        "layer_norm_epsilon":1e-5,"activation_function":"gelu_new"})",
        .shapes = {{prefix + "wte.weight", {17, 12}}, {prefix + "wpe.weight", {9, 12}}}};
    for (const std::string layer : {"0", "1"}) {
        const std::string name = prefix + "h." + layer + ".";
        for (const std::string norm : {"ln_1", "ln_2"}) {
            made.shapes[name + norm + ".weight"] = made.shapes[name + norm + ".bias"] = {12};
        }
        made.shapes[name + "attn.c_attn.weight"] = {12, 36};
        made.shapes[name + "attn.c_attn.bias"] = {36};
        made.shapes[name + "attn.bias"] = {1, 1, 9, 9};  // the mask, which is no parameter
        made.shapes[name + "attn.c_proj.weight"] = {12, 12};
        made.shapes[name + "attn.c_proj.bias"] = {12};
        made.shapes[name + "mlp.c_fc.weight"] = {12, 48};
        made.shapes[name + "mlp.c_fc.bias"] = {48};
        made.shapes[name + "mlp.c_proj.weight"] = {48, 12};
        made.shapes[name + "mlp.c_proj.bias"] = {12};
    }
    made.shapes[prefix + "ln_f.weight"] = made.shapes[prefix + "ln_f.bias"] = {12};
    return made;
}

inline Checkpoint random_gpt_neo() {
    Checkpoint made{.config = R"({"model_type":"gpt_neo","hidden_size":12,"num_layers":2,"num_heads":3,"vocab_size":17,
        "max_position_embeddings":9,"window_size":3,"attention_types":[[["global","local"],1]],
        "intermediate_size":null,"activation_function":"gelu_new"})",
                    .shapes = {{"transformer.wte.weight", {17, 12}},
                               {"transformer.wpe.weight", {9, 12}},
                               {"transformer.ln_f.weight", {12}},
                               {"transformer.ln_f.bias", {12}},
                               {"lm_head.weight", {17, 12}}}};
    for (const std::string layer : {"0", "1"}) {
        const std::string name = "transformer.h." + layer + ".";
        for (const std::string norm : {"ln_1", "ln_2"}) {
            made.shapes[name + norm + ".weight"] = made.shapes[name + norm + ".bias"] = {12};
        }
        for (const std::string role : {"q_proj", "k_proj", "v_proj", "out_proj"})
            made.shapes[name + "attn.attention." + role + ".weight"] = {12, 12};
        made.shapes[name + "attn.attention.out_proj.bias"] = {12};
        made.shapes[name + "mlp.c_fc.weight"] = {48, 12};
        made.shapes[name + "mlp.c_fc.bias"] = {48};
        made.shapes[name + "mlp.c_proj.weight"] = {12, 48};
        made.shapes[name + "mlp.c_proj.bias"] = {12};
    }
    return made;
}

inline Checkpoint random_bert(bool has_head = true, bool is_old = false) {
    Checkpoint made{.config = R"({"model_type":"bert","hidden_size":12,"num_hidden_layers":2,"num_attention_heads":3,
        "vocab_size":17,"max_position_embeddings":9,"intermediate_size":20,"type_vocab_size":2,"hidden_act":"gelu"})",
                    .shapes = {{"bert.embeddings.word_embeddings.weight", {17, 12}},
                               {"bert.embeddings.position_embeddings.weight", {9, 12}},
                               {"bert.embeddings.token_type_embeddings.weight", {2, 12}}}};
    const auto norm = [&](const std::string& name) {
        made.shapes[name + (is_old ? ".gamma" : ".weight")] = made.shapes[name + (is_old ? ".beta" : ".bias")] = {12};
    };
    const auto linear = [&](const std::string& name, std::int64_t out, std::int64_t in) {
        made.shapes[name + ".weight"] = {out, in};
        made.shapes[name + ".bias"] = {out};
    };
    norm("bert.embeddings.LayerNorm");
    for (const std::string layer : {"0", "1"}) {
        const std::string name = "bert.encoder.layer." + layer + ".";
        for (const std::string role : {"query", "key", "value"}) linear(name + "attention.self." + role, 12, 12);
        linear(name + "attention.output.dense", 12, 12);
        norm(name + "attention.output.LayerNorm");
        linear(name + "intermediate.dense", 20, 12);
        linear(name + "output.dense", 12, 20);
        norm(name + "output.LayerNorm");
    }
    if (!has_head) return made;
    linear("cls.predictions.transform.dense", 12, 12);
    norm("cls.predictions.transform.LayerNorm");
    made.shapes["cls.predictions.bias"] = {17};
    return made;
}

// `type` llama, mistral, qwen2 or qwen3.
inline Checkpoint random_llama(const std::string& type) {
    Checkpoint made{
        .config = concat(R"({"model_type":")", type,
                         R"(","hidden_size":12,"num_hidden_layers":2,"num_attention_heads":4,"num_key_value_heads":2,
        "head_dim":6,"vocab_size":17,"max_position_embeddings":9,"intermediate_size":20,"rms_norm_eps":1e-6,
        "rope_theta":500.0,"hidden_act":"silu")",
                         type == "mistral" ? ",\"sliding_window\":3}" : "}"),
        .shapes = {{"model.embed_tokens.weight", {17, 12}}, {"model.norm.weight", {12}}, {"lm_head.weight", {17, 12}}}};
    for (const std::string layer : {"0", "1"}) {
        const std::string name = "model.layers." + layer + ".";
        made.shapes[name + "input_layernorm.weight"] = made.shapes[name + "post_attention_layernorm.weight"] = {12};
        made.shapes[name + "self_attn.q_proj.weight"] = {24, 12};
        made.shapes[name + "self_attn.k_proj.weight"] = made.shapes[name + "self_attn.v_proj.weight"] = {12, 12};
        made.shapes[name + "self_attn.o_proj.weight"] = {12, 24};
        if (type == "qwen2") {
            made.shapes[name + "self_attn.q_proj.bias"] = {24};
            made.shapes[name + "self_attn.k_proj.bias"] = made.shapes[name + "self_attn.v_proj.bias"] = {12};
        }
        if (type == "qwen3")
            made.shapes[name + "self_attn.q_norm.weight"] = made.shapes[name + "self_attn.k_norm.weight"] = {6};
        made.shapes[name + "mlp.gate_proj.weight"] = made.shapes[name + "mlp.up_proj.weight"] = {20, 12};
        made.shapes[name + "mlp.down_proj.weight"] = {12, 20};
    }
    return made;
}

// Positions of which everything is special: stretched, of four of six numbers, and in the first layer alone.
inline Checkpoint random_turned() {
    Checkpoint made = random_llama("llama");
    const std::string before = "\"rope_theta\"";
    made.config.replace(made.config.find(before), before.size(),
                        R"("rope_scaling":{"type":"yarn","factor":4,"original_max_position_embeddings":64},)"
                        R"("partial_rotary_factor":0.7,"no_rope_layers":[1,0],"rope_theta")");
    return made;
}

inline Checkpoint random_attention_only(const std::string& positions, bool has_norms) {
    Checkpoint made{.config = concat(R"({"attn_only":true,"d_model":12,"n_layers":2,"n_heads":3,"d_head":4,"d_vocab":17,
        "n_ctx":9,"positional_embedding_type":")",
                                     positions, R"(","normalization_type":)", has_norms ? "\"LN\"" : "null", "}"),
                    .shapes = {{"embed.W_E", {17, 12}}, {"pos_embed.W_pos", {9, 12}}, {"unembed.W_U", {12, 17}}}};
    for (const std::string layer : {"0", "1"}) {
        const std::string name = "blocks." + layer + ".";
        for (const std::string role : {"Q", "K", "V"}) made.shapes[name + "attn.W_" + role] = {3, 12, 4};
        made.shapes[name + "attn.b_Q"] = {3, 4};
        made.shapes[name + "attn.W_O"] = {3, 4, 12};
        made.shapes[name + "attn.b_O"] = {12};
        if (has_norms) made.shapes[name + "ln1.w"] = made.shapes[name + "ln1.b"] = {12};
    }
    if (has_norms) made.shapes["ln_final.w"] = made.shapes["ln_final.b"] = {12};
    return made;
}

// One of each kind, by name.
inline std::vector<std::pair<std::string, Checkpoint>> all_checkpoints() {
    std::vector<std::pair<std::string, Checkpoint>> all = {
        {"gpt2", random_gpt2()},
        {"gpt2 with prefix", random_gpt2("transformer.")},
        {"gpt_neo", random_gpt_neo()},
        {"bert", random_bert()},
        {"bert, old names", random_bert(true, true)},
        {"llama", random_llama("llama")},
        {"llama, turned", random_turned()},
        {"mistral", random_llama("mistral")},
        {"qwen2", random_llama("qwen2")},
        {"qwen3", random_llama("qwen3")},
        {"attention only", random_attention_only("shortformer", false)},
        {"attention only, norms", random_attention_only("standard", true)}};
    for (std::pair<std::string, Checkpoint>& family : family_checkpoints()) all.push_back(std::move(family));
    return all;
}

}  // namespace attn::test
