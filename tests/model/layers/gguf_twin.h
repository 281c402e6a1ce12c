// The GGUF file of a checkpoint, as llama.cpp's convert_hf_to_gguf.py makes it: its names, settings and the order of
// its rows, written once more from the other side than src/model/layers/gguf_names.cpp.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/ground/check.h"
#include "model/files/gguf_bytes.h"
#include "model/files/json_tree.h"
#include "model/layers/checkpoint.h"
#include "model/layers/family_checkpoints.h"
#include "model/layers/random_model.h"

namespace attn::test {

using Renames = std::vector<std::pair<std::string, std::string>>;

struct GgufTwin {
    std::string architecture;
    Checkpoint checkpoint;
    Renames renames;                 // in order: what stands there becomes this
    bool has_paired_rows = false;    // of queries and keys
    bool has_roles_by_head = false;  // in query_key_value
    bool turns_matrices = false;     // Conv1D's
};

inline const Renames& usual_renames() {
    static const Renames all = {{"model.embed_tokens", "token_embd"},
                                {"model.norm", "output_norm"},
                                {"lm_head", "output"},
                                {"model.layers.", "blk."},
                                {"self_attn.q_proj", "attn_q"},
                                {"self_attn.k_proj", "attn_k"},
                                {"self_attn.v_proj", "attn_v"},
                                {"self_attn.o_proj", "attn_output"},
                                {"self_attn.q_norm", "attn_q_norm"},
                                {"self_attn.k_norm", "attn_k_norm"},
                                {"self_attn.qkv_proj", "attn_qkv"},
                                {"self_attn.dense", "attn_output"},
                                {"input_layernorm", "attn_norm"},
                                {"mlp.gate_up_proj", "ffn_up"},
                                {"mlp.gate_proj", "ffn_gate"},
                                {"mlp.up_proj", "ffn_up"},
                                {"mlp.down_proj", "ffn_down"},
                                {"mlp.fc1", "ffn_up"},
                                {"mlp.fc2", "ffn_down"},
                                {"mlp.c_fc", "ffn_up"},
                                {"mlp.c_proj", "ffn_down"},
                                {"model.final_layernorm", "output_norm"}};
    return all;
}
inline Renames with(Renames first, const Renames& more) {
    first.insert(first.end(), more.begin(), more.end());
    return first;
}

// Gemma 2's and 3's.
inline Renames four_norm_renames() {
    return with({{"post_attention_layernorm", "post_attention_norm"},
                 {"pre_feedforward_layernorm", "ffn_norm"},
                 {"post_feedforward_layernorm", "post_ffw_norm"}},
                usual_renames());
}

inline std::vector<GgufTwin> gguf_twins() {
    const Renames& usual = usual_renames();
    const Renames one_norm = with({{"post_attention_layernorm", "ffn_norm"}}, usual);
    const Renames four_norms = four_norm_renames();
    const Renames gpt2 = {{"wte", "token_embd"},  {"wpe", "position_embd"},   {"ln_f", "output_norm"},
                          {"ln_1", "attn_norm"},  {"ln_2", "ffn_norm"},       {"attn.c_attn", "attn_qkv"},
                          {"mlp.c_fc", "ffn_up"}, {"mlp.c_proj", "ffn_down"}, {"attn.c_proj", "attn_output"},
                          {"h.", "blk."}};
    const Renames bert = {{"bert.", ""},
                          {"embeddings.word_embeddings", "token_embd"},
                          {"embeddings.position_embeddings", "position_embd"},
                          {"embeddings.token_type_embeddings", "token_types"},
                          {"embeddings.LayerNorm", "token_embd_norm"},
                          {"encoder.layer.", "blk."},
                          {"attention.self.query", "attn_q"},
                          {"attention.self.key", "attn_k"},
                          {"attention.self.value", "attn_v"},
                          {"attention.output.dense", "attn_output"},
                          {"attention.output.LayerNorm", "attn_output_norm"},
                          {"intermediate.dense", "ffn_up"},
                          {"output.dense", "ffn_down"},
                          {"output.LayerNorm", "layer_output_norm"}};
    const Renames neox = {{"gpt_neox.embed_in", "token_embd"},
                          {"gpt_neox.final_layer_norm", "output_norm"},
                          {"embed_out", "output"},
                          {"gpt_neox.layers.", "blk."},
                          {"input_layernorm", "attn_norm"},
                          {"post_attention_layernorm", "ffn_norm"},
                          {"attention.query_key_value", "attn_qkv"},
                          {"attention.dense", "attn_output"},
                          {"mlp.dense_h_to_4h", "ffn_up"},
                          {"mlp.dense_4h_to_h", "ffn_down"}};
    const Renames bloom = with({{"word_embeddings_layernorm", "token_embd_norm"},
                                {"word_embeddings", "token_embd"},
                                {"ln_f", "output_norm"},
                                {"h.", "blk."},
                                {"self_attention.", "attention."}},
                               neox);
    // Scores are divided by the root of a head's length: files do not say another number.
    const std::string gemma_2 = R"(,"query_pre_attn_scalar":6,"attn_logit_softcapping":2.5,)"
                                R"("final_logit_softcapping":3,"sliding_window":3)";
    const std::string gemma_3 = R"(,"query_pre_attn_scalar":6,"sliding_window":3,"sliding_window_pattern":2,)"
                                R"("rope_theta":300,"rope_local_base_freq":20,)"
                                R"("rope_scaling":{"rope_type":"linear","factor":8})";
    const std::string yarn =
        R"("rope_scaling":{"type":"yarn","factor":4,"original_max_position_embeddings":64},"rope_theta")";
    Checkpoint turned = random_llama("llama");
    turned.config.replace(turned.config.find("\"rope_theta\""), 12, yarn);
    Checkpoint biased = random_llama("qwen2");  // as some of Llama's kind, with biases of queries and keys
    biased.config.replace(biased.config.find("qwen2"), 5, "llama");
    return {{"llama", random_llama("llama"), one_norm, true},
            {"llama", turned, one_norm, true},
            {"llama", biased, one_norm, true},
            {"llama", random_llama("mistral"), one_norm, true},
            {"qwen2", random_llama("qwen2"), one_norm},
            {"qwen3", random_llama("qwen3"), one_norm},
            {"gemma", random_gemma("gemma", R"(,"rope_theta":50)"), one_norm},
            {"gemma2", random_gemma("gemma2", gemma_2), four_norms},
            {"gemma3", random_gemma("gemma3_text", gemma_3), four_norms},
            {"smollm3", random_like_llama("smollm3", "", {}), one_norm, true},
            {"phi3", random_like_llama("phi3", R"(,"sliding_window":3)"), one_norm},
            {"olmo2", random_like_llama("olmo2", R"(,"rope_theta":50)"), four_norms},
            {"phi2", random_beside("phi", R"(,"rope_theta":60)"), one_norm},
            {"stablelm", random_beside("stablelm", R"(,"partial_rotary_factor":0.5)"), one_norm},
            {"stablelm", random_beside("stablelm", R"(,"partial_rotary_factor":0.5,"use_parallel_residual":true)"),
             one_norm},
            {"command-r", random_beside("cohere", R"(,"logit_scale":0.5,"rope_theta":60)"), one_norm},
            {"starcoder2", random_beside("starcoder2", R"(,"sliding_window":3)"), one_norm},
            {"gptneox", random_gpt_neox(), neox, false, true},
            {"bloom", random_bloom(), bloom, false, true},
            {"gpt2", random_gpt2(), gpt2, false, false, true},
            {"bert", random_bert(false), bert}};
}

// Settings that config.json has, by the names of both.
inline void put_gguf_settings(const GgufTwin& twin, GgufMaker& maker) {
    const Result<JsonTree> tree = JsonTree::read(twin.checkpoint.config, "config.json");
    ATTN_CHECK(static_cast<bool>(tree), tree.error());
    const JsonValue root = tree->root();
    const auto find = [&](std::initializer_list<std::string_view> keys) {
        for (const std::string_view key : keys)
            if (const std::optional<JsonValue> value = root.find(key); value && !value->is(JsonKind::null))
                return value;
        return std::optional<JsonValue>();
    };
    const auto key_of = [&](std::string_view name) { return concat(twin.architecture, ".", name); };
    const auto whole = [&](std::string_view name, std::initializer_list<std::string_view> keys) {
        const auto value = find(keys);
        if (value) maker.whole(key_of(name), *value->whole());
        return value ? static_cast<int>(*value->whole()) : 0;
    };
    const auto number = [&](std::string_view name, std::initializer_list<std::string_view> keys) {
        if (const auto value = find(keys)) maker.number(key_of(name), static_cast<float>(value->number()));
    };
    maker.text("general.architecture", twin.architecture);
    const int width = whole("embedding_length", {"hidden_size", "n_embd", "n_embed"});
    const int heads = whole("attention.head_count", {"num_attention_heads", "n_head"});
    whole("block_count", {"num_hidden_layers", "n_layer"});
    whole("context_length", {"max_position_embeddings", "n_positions", "seq_length"});
    if (whole("feed_forward_length", {"intermediate_size"}) == 0)
        maker.whole(key_of("feed_forward_length"), static_cast<std::uint64_t>(4 * width));
    whole("attention.head_count_kv", {"num_key_value_heads"});
    const int head_dim = whole("attention.key_length", {"head_dim"});
    if (head_dim > 0) maker.whole(key_of("attention.value_length"), static_cast<std::uint64_t>(head_dim));
    number("attention.layer_norm_rms_epsilon", {"rms_norm_eps"});
    number("attention.layer_norm_epsilon", {"layer_norm_eps", "layer_norm_epsilon", "norm_epsilon"});
    number("rope.freq_base", {"rope_theta", "rotary_emb_base"});
    if (twin.architecture != "gpt2" && twin.architecture != "bloom" && twin.architecture != "bert") {
        const auto share = find({"partial_rotary_factor", "rotary_pct"});
        const double turned = (head_dim > 0 ? head_dim : width / heads) * (share ? share->number()
                                                                           : twin.architecture == "phi2" ? 0.5
                                                                                                         : 1);
        maker.whole(key_of("rope.dimension_count"), static_cast<std::uint64_t>(turned));
    }
    if (const auto scaling = find({"rope_scaling"})) {
        const auto type = scaling->find("rope_type") ? scaling->find("rope_type") : scaling->find("type");
        maker.text(key_of("rope.scaling.type"), type->text());
        maker.number(key_of("rope.scaling.factor"), static_cast<float>(scaling->find("factor")->number()));
        if (const auto original = scaling->find("original_max_position_embeddings"))
            maker.whole(key_of("rope.scaling.original_context_length"), *original->whole());
    }
    number("rope.freq_base_swa", {"rope_local_base_freq"});
    whole("attention.sliding_window", {"sliding_window"});
    whole("attention.sliding_window_pattern", {"sliding_window_pattern"});
    number("attn_logit_softcapping", {"attn_logit_softcapping"});
    number("final_logit_softcapping", {"final_logit_softcapping"});
    number("logit_scale", {"logit_scale"});
    if (const auto parallel = find({"use_parallel_residual"}))
        maker.flag(key_of("use_parallel_residual"), parallel->boolean());
    if (twin.architecture == "bert") maker.flag(key_of("attention.causal"), false);
}

// Rows of (…, rows) numbers each in another order: new row i is old row order(i).
template <class Order>
std::vector<float> with_rows(const std::vector<float>& numbers, std::int64_t rows, const Order& order) {
    const std::size_t size = numbers.size() / static_cast<std::size_t>(rows);
    std::vector<float> moved;
    for (std::int64_t row = 0; row < rows; ++row) {
        const auto from = numbers.begin() + static_cast<std::ptrdiff_t>(static_cast<std::size_t>(order(row)) * size);
        moved.insert(moved.end(), from, from + static_cast<std::ptrdiff_t>(size));
    }
    return moved;
}

inline GgufMaker gguf_of(const GgufTwin& twin, int head_dim) {
    GgufMaker maker;
    put_gguf_settings(twin, maker);
    const Result<TensorFiles> files = TensorFiles::open(sources({{"model.safetensors", twin.checkpoint.file()}}));
    ATTN_CHECK(static_cast<bool>(files), files.error());
    for (const FiledTensor& filed : files->tensors()) {
        std::string name = filed.tensor.name;
        if (name.ends_with(".attn.bias")) continue;  // GPT-2's mask
        std::vector<std::int64_t> shape = filed.tensor.shape;
        std::vector<float> numbers(static_cast<std::size_t>(filed.tensor.num_numbers()));
        ATTN_CHECK(files->read(filed, 0, {reinterpret_cast<std::uint8_t*>(numbers.data()), numbers.size() * 4}).empty(),
                   name);
        const bool is_turned = name.find("q_proj") != name.npos || name.find("k_proj") != name.npos;
        if (twin.has_paired_rows && is_turned) {
            numbers = with_rows(numbers, shape.front(), [&](std::int64_t row) {
                const std::int64_t in_head = row % head_dim;
                return row - in_head + in_head % 2 * (head_dim / 2) + in_head / 2;
            });
        }
        if (twin.has_roles_by_head && name.find("query_key_value") != name.npos) {
            const std::int64_t heads = shape.front() / 3 / head_dim;
            numbers = with_rows(numbers, shape.front(), [&](std::int64_t row) {
                const std::int64_t role = row / (heads * head_dim), head = row / head_dim % heads;
                return (head * 3 + role) * head_dim + row % head_dim;
            });
        }
        if (twin.turns_matrices && shape.size() == 2 && !name.starts_with("w")) {
            const std::vector<float> before = numbers;
            const auto rows = static_cast<std::size_t>(shape[0]), columns = static_cast<std::size_t>(shape[1]);
            for (std::size_t r = 0; r < rows; ++r)
                for (std::size_t c = 0; c < columns; ++c) numbers[c * rows + r] = before[r * columns + c];
            std::swap(shape[0], shape[1]);
        }
        if (twin.architecture.starts_with("gemma") && name.ends_with("norm.weight"))
            for (float& one : numbers) one += 1;
        for (const auto& [from, to] : twin.renames)
            if (const std::size_t at = name.find(from); at != name.npos) name.replace(at, from.size(), to);
        maker.floats(name, shape, numbers);
    }
    return maker;
}

}  // namespace attn::test
