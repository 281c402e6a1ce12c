// Kinds with Llama's keys in config.json, or nearly: sizes, rotary positions and windows are read in one way for all.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>

#include "core/ground/check.h"
#include "core/words/code_points.h"
#include "model/files/json_tree.h"
#include "model/layers/config_reader.h"
#include "model/layers/model_config.h"

namespace attn {

Activation read_activation(ConfigReader& reader, std::string_view key, std::string_view fallback) {
    const std::optional<JsonValue> value = reader.find(key);
    if (!value) reader.assume(key, concat('"', fallback, '"'));
    const std::string_view name = value ? value->text() : fallback;
    if (name == "gelu_new" || name == "gelu_pytorch_tanh" || name == "gelu_fast") return Activation::gelu_tanh;
    if (name == "gelu") return Activation::gelu_exact;
    if (name == "relu") return Activation::relu;
    if (name == "silu" || name == "swish") return Activation::silu;
    reader.fail(concat("config.json says \"", key, "\": ", attn::quoted(name),
                       "; this program computes \"gelu_new\", \"gelu\", \"relu\" and \"silu\"."));
    return Activation::gelu_tanh;
}

void cut_into_heads(ConfigReader& reader, ModelConfig& config, std::string_view width, std::string_view heads) {
    if (config.width % config.num_heads != 0) {
        reader.fail(concat("config.json contradicts itself: \"", heads, "\" is ", config.num_heads,
                           ", which does not divide \"", width, "\", ", config.width, "."));
    }
    config.num_kv_heads = config.num_heads;
    config.head_dim = config.width / config.num_heads;
}

namespace {

// What the classes of transformers take where a config does not say it; 0: it has to.
struct UsualSizes {
    int vocabulary = 0, positions = 0, heads = 0, kv_heads = 0, head_dim = 0;
};

void read_usual_sizes(ConfigReader& reader, ModelConfig& config, const UsualSizes& usual = {}) {
    config.width = reader.whole("hidden_size", kMaxWidth);
    config.num_layers = reader.whole("num_hidden_layers", kMaxLayers);
    config.num_heads = usual.heads == 0 ? reader.heads("num_attention_heads")
                                        : reader.whole("num_attention_heads", kMaxHeads, usual.heads);
    config.num_kv_heads =
        reader.whole("num_key_value_heads", kMaxHeads, usual.kv_heads == 0 ? config.num_heads : usual.kv_heads);
    config.vocabulary = reader.whole("vocab_size", kMaxVocabulary, usual.vocabulary);
    config.max_positions = reader.whole("max_position_embeddings", kMaxPositions, usual.positions);
    config.mlp_width = reader.whole("intermediate_size", 4 * kMaxWidth);
    const int even = std::max(1, config.width / config.num_heads);
    config.head_dim = reader.whole("head_dim", kMaxWidth, usual.head_dim == 0 ? even : usual.head_dim);
    config.windows.assign(static_cast<std::size_t>(config.num_layers), 0);
    if (usual.head_dim == 0 && !reader.find("head_dim") && config.width % config.num_heads != 0) {
        reader.fail(concat("config.json contradicts itself: \"num_attention_heads\" is ", config.num_heads,
                           ", which does not divide \"hidden_size\", ", config.width,
                           ", and there is no \"head_dim\"."));
    }
    if (config.num_heads % config.num_kv_heads != 0) {
        reader.fail(concat("config.json contradicts itself: \"num_key_value_heads\" is ", config.num_kv_heads,
                           ", which does not divide \"num_attention_heads\", ", config.num_heads, "."));
    }
}

// Below 1 the pairs would turn faster and faster, to angles beyond those that have a cosine here (2^20).
void want_base(ConfigReader& reader, const RopeScaling& rope) {
    if (rope.base < 1) reader.fail("config.json has a \"rope_theta\" below 1, which this program does not compute.");
}

// Base, share of the head that is turned, and how angles are stretched: of the whole config, or of `part`, the object
// about rotary positions that newer files have.
void read_rope_part(ConfigReader& reader, const std::optional<JsonValue>& part, const ModelConfig& config,
                    RopeScaling& rope, double share) {
    bool has_base = false;
    const auto read_both = [&](ConfigReader& from) {
        for (const std::string_view key : {"rope_theta", "rotary_emb_base"}) {
            if (!from.find(key)) continue;
            rope.base = from.positive(key, rope.base);
            has_base = true;
        }
        for (const std::string_view key : {"partial_rotary_factor", "rotary_pct"})
            if (from.find(key)) share = from.positive(key, share);
        reader.fail(from.problem);
    };
    read_both(reader);
    if (part) {
        ConfigReader inner(*part);
        read_both(inner);
    }
    if (!has_base) rope.base = reader.positive("rope_theta", rope.base);
    rope.dim = static_cast<int>(config.head_dim * std::min(share, 1.0));
    if (share > 1 || rope.dim < 2 || rope.dim % 2 != 0)
        reader.fail(concat("config.json turns ", rope.dim, " of the ", config.head_dim,
                           " numbers of a head; rotary positions need an even number of them."));
    if (reader.find("original_max_position_embeddings"))
        rope.original_positions = reader.whole("original_max_position_embeddings", kMaxPositions);
    rope.max_positions = config.max_positions;
    if (part && reader.problem.empty()) reader.fail(read_rope_scaling(*part, rope));
    want_base(reader, rope);
}

std::optional<JsonValue> rope_object(const ConfigReader& reader) {
    const std::optional<JsonValue> part = reader.find("rope_parameters");
    return part ? part : reader.find("rope_scaling");
}

// `share` is that of the numbers of a head that are turned, where the config does not say it.
void read_rope(ConfigReader& reader, ModelConfig& config, double share = 1) {
    config.positions = PositionKind::rotary;
    read_rope_part(reader, rope_object(reader), config, config.rope, share);
}

// Layers without positions (SmolLM3): a list that says 1 for those that are turned, or every so manieth one is not.
void read_turned_layers(ConfigReader& reader, ModelConfig& config) {
    const bool is_smollm3 = config.kind == ModelKind::smollm3;
    if (const std::optional<JsonValue> list = reader.find("no_rope_layers"); list && list->count() > 0) {
        for (const JsonValue one : *list) config.turned.push_back(one.number() != 0 ? 1 : 0);
        if (std::cmp_not_equal(config.turned.size(), config.num_layers))
            reader.fail(concat("config.json contradicts itself: \"num_hidden_layers\" is ", config.num_layers,
                               ", and \"no_rope_layers\" has ", config.turned.size(), "."));
    } else if (is_smollm3 || reader.find("no_rope_layer_interval")) {
        const int interval = reader.whole("no_rope_layer_interval", kMaxLayers, is_smollm3 ? 4 : 0);
        for (int layer = 0; layer < config.num_layers; ++layer)
            config.turned.push_back((layer + 1) % interval != 0 ? 1 : 0);
    }
}

// Whether "layer_types" says which layers have the window; then they have it.
bool reads_layer_types(ConfigReader& reader, ModelConfig& config, int window) {
    const std::optional<JsonValue> types = reader.find("layer_types");
    if (!types || !types->is(JsonKind::list)) return false;
    if (std::cmp_not_equal(types->count(), config.num_layers)) {
        reader.fail(concat("config.json contradicts itself: \"num_hidden_layers\" is ", config.num_layers,
                           ", and \"layer_types\" has ", types->count(), "."));
        return true;
    }
    config.windows.clear();
    for (const JsonValue one : *types) {
        const bool is_full = one.text() == "full_attention";
        if (!is_full && (one.text() != "sliding_attention" || window == 0)) {
            reader.fail(concat("config.json has a layer of the type ", attn::quoted(one.text()),
                               ", which this program does not compute."));
        }
        config.windows.push_back(is_full ? 0 : window);
    }
    return true;
}

// `always`: a window that is there is used in all layers, unless "use_sliding_window" says otherwise.
void read_layer_windows(ConfigReader& reader, ModelConfig& config, bool always) {
    const int window = reader.find("sliding_window") ? reader.whole("sliding_window", kMaxPositions) : 0;
    const bool uses = reader.flag("use_sliding_window", always);
    if (reads_layer_types(reader, config, window)) return;
    const int first = always || !reader.find("max_window_layers") ? 0 : reader.whole("max_window_layers", 1 << 20);
    if (!uses) return;
    for (int layer = first; layer < config.num_layers; ++layer)
        config.windows[static_cast<std::size_t>(layer)] = window;
}

void be_like_llama(ConfigReader& reader, ModelConfig& config, double eps) {
    config.norm = NormKind::rms;
    config.norm_eps = reader.positive("rms_norm_eps", eps);
    config.activation = Activation::silu;
    config.is_gated = true;
    config.ties_logits = false;
}

void read_llama(ConfigReader& reader, ModelConfig& config) {
    read_usual_sizes(reader, config);
    const bool is_olmo2 = config.kind == ModelKind::olmo2, is_phi3 = config.kind == ModelKind::phi3;
    be_like_llama(reader, config, is_olmo2 || is_phi3 ? 1e-5 : 1e-6);
    reader.want_text("hidden_act", "silu");
    if (config.kind == ModelKind::qwen3) config.query_key_norm = QueryKeyNorm::heads;
    if (is_olmo2) config.query_key_norm = QueryKeyNorm::whole;
    if (is_olmo2) config.norm_place = NormPlace::outputs;
    if (is_phi3) config.rope.original_positions = 4096;
    if (config.kind == ModelKind::smollm3) config.ties_logits = true;
    read_rope(reader, config);
    read_turned_layers(reader, config);
    const std::optional<JsonValue> type = reader.find("model_type");
    read_layer_windows(reader, config, is_phi3 || (type && type->text() == "mistral"));
}

// Above 0; null says that there is none, and a config without the key means the class's own.
float read_cap(ConfigReader& reader, std::string_view key, double usual) {
    if (!reader.find(key)) return reader.says(key) ? 0 : static_cast<float>(usual);
    return static_cast<float>(reader.positive(key, usual));
}

// Layers with a window but each `every`-th, in files before "layer_types".
void read_window_in_turns(ConfigReader& reader, ModelConfig& config, int every) {
    const int window = reader.whole("sliding_window", kMaxPositions, 4096);
    if (reads_layer_types(reader, config, window)) return;
    for (int layer = 0; layer < config.num_layers; ++layer)
        config.windows[static_cast<std::size_t>(layer)] = (layer + 1) % every == 0 ? 0 : window;
}

// Rotary positions of layers with a window and of the others: two objects in newer files.
void read_two_ropes(ConfigReader& reader, ModelConfig& config) {
    config.positions = PositionKind::rotary;
    config.rope.base = 1'000'000;
    config.window_rope.base = reader.positive("rope_local_base_freq", 10'000);
    const std::optional<JsonValue> part = rope_object(reader);
    const auto of_layers = [&](std::string_view name) {
        const std::optional<JsonValue> own = part ? part->find(name) : std::nullopt;
        return own && own->is(JsonKind::object) ? own : std::nullopt;
    };
    const std::optional<JsonValue> full = of_layers("full_attention"), window = of_layers("sliding_attention");
    read_rope_part(reader, full ? full : part, config, config.rope, 1);
    config.window_rope.dim = config.rope.dim;
    config.window_rope.max_positions = config.max_positions;
    want_base(reader, config.window_rope);
    if (!window) return;
    ConfigReader inner(*window);
    config.window_rope.base = inner.positive("rope_theta", config.window_rope.base);
    reader.fail(inner.problem);
    if (reader.problem.empty()) reader.fail(read_rope_scaling(*window, config.window_rope));
    want_base(reader, config.window_rope);
}

void read_gemma(ConfigReader& reader, ModelConfig& config) {
    const bool is_3 = config.kind == ModelKind::gemma3, is_2 = config.kind == ModelKind::gemma2;
    UsualSizes usual = {.vocabulary = 256000, .positions = 8192, .head_dim = 256};
    if (is_3) usual = {.vocabulary = 262208, .positions = 131072, .heads = 8, .kv_heads = 4, .head_dim = 256};
    read_usual_sizes(reader, config, usual);
    config.norm = NormKind::rms;
    config.norm_eps = reader.positive("rms_norm_eps", 1e-6);
    // GGUF files have added it (gguf_model.h).
    config.norm_offset = static_cast<float>(reader.whole_or_0(kNormOffsetKey, 1, 1));
    config.embedding_scale = static_cast<float>(std::sqrt(static_cast<double>(config.width)));
    config.is_gated = true;
    // Files from before "hidden_activation" say "gelu" and mean its form by tanh.
    config.activation = Activation::gelu_tanh;
    const std::optional<JsonValue> old = reader.find("hidden_act");
    if (reader.find("hidden_activation") || (old && old->text() != "gelu"))
        config.activation =
            read_activation(reader, reader.either("hidden_act", "hidden_activation"), "gelu_pytorch_tanh");
    if (!is_2 && !is_3) return read_rope(reader, config);
    config.norm_place = NormPlace::inputs_and_outputs;
    const double scalar = reader.positive("query_pre_attn_scalar", 256);
    config.temperature = static_cast<float>(std::sqrt(scalar / config.head_dim));
    config.score_cap = read_cap(reader, "attn_logit_softcapping", is_2 ? 50 : 0);
    config.logit_cap = read_cap(reader, "final_logit_softcapping", is_2 ? 30 : 0);
    if (is_2) {
        read_window_in_turns(reader, config, 2);
        return read_rope(reader, config);
    }
    config.query_key_norm = QueryKeyNorm::heads;
    reader.want_flag("use_bidirectional_attention", false);
    read_window_in_turns(reader, config, reader.whole("sliding_window_pattern", kMaxLayers, 6));
    read_two_ropes(reader, config);
}

void read_gpt_neox(ConfigReader& reader, ModelConfig& config) {
    read_usual_sizes(reader, config);
    config.norm_eps = reader.positive("layer_norm_eps", 1e-5);
    config.activation = read_activation(reader, "hidden_act", "gelu");
    config.is_parallel = reader.flag("use_parallel_residual", true);
    config.ties_logits = false;
    read_rope(reader, config, 0.25);
}

void read_opt(ConfigReader& reader, ModelConfig& config) {
    config.width = reader.whole("hidden_size", kMaxWidth);
    config.num_layers = reader.whole("num_hidden_layers", kMaxLayers);
    config.num_heads = reader.heads("num_attention_heads");
    config.vocabulary = reader.whole("vocab_size", kMaxVocabulary);
    config.max_positions = reader.whole("max_position_embeddings", kMaxPositions);
    config.mlp_width = reader.whole("ffn_dim", 4 * kMaxWidth);
    config.first_position = 2;
    config.activation = read_activation(reader, "activation_function", "relu");
    if (!reader.flag("do_layer_norm_before", true)) config.norm_place = NormPlace::sums;
    reader.want_flag("layer_norm_elementwise_affine", true);
    reader.want_flag("_remove_final_layer_norm", false);
    const int projected = reader.whole("word_embed_proj_dim", kMaxWidth, config.width);
    if (projected != config.width)
        reader.fail(concat("config.json says \"word_embed_proj_dim\": ", projected, " and \"hidden_size\": ",
                           config.width, ", and this program computes OPT where both are the same alone."));
    cut_into_heads(reader, config, "hidden_size", "num_attention_heads");
}

// Attention and MLP read one norm in the first two and, where it says so, in StableLM.
void read_phi(ConfigReader& reader, ModelConfig& config) {
    read_usual_sizes(reader, config);
    config.norm_eps = reader.positive("layer_norm_eps", 1e-5);
    config.activation = read_activation(reader, "hidden_act", "gelu_new");
    config.is_parallel = true;
    config.ties_logits = false;
    reader.want_flag("qk_layernorm", false);
    read_rope(reader, config, 0.5);
}

void read_cohere(ConfigReader& reader, ModelConfig& config) {
    read_usual_sizes(reader, config);
    config.norm_eps = reader.positive("layer_norm_eps", 1e-5);
    config.activation = read_activation(reader, "hidden_act", "silu");
    config.is_gated = config.is_parallel = true;
    config.logit_scale = static_cast<float>(reader.positive("logit_scale", 0.0625));
    config.pairs = RotaryPairs::neighbours;
    reader.want_flag("use_qk_norm", false);
    read_rope(reader, config);
}

void read_stablelm(ConfigReader& reader, ModelConfig& config) {
    read_usual_sizes(reader, config);
    config.norm_eps = reader.positive("layer_norm_eps", 1e-5);
    config.activation = read_activation(reader, "hidden_act", "silu");
    config.is_gated = true;
    config.is_parallel = reader.flag("use_parallel_residual", false);
    config.ties_logits = false;
    reader.want_flag("qk_layernorm", false);
    read_rope(reader, config, 0.25);
}

void read_starcoder2(ConfigReader& reader, ModelConfig& config) {
    read_usual_sizes(reader, config);
    config.norm_eps = reader.positive("norm_epsilon", 1e-5);
    config.activation = read_activation(reader, "hidden_act", "gelu_pytorch_tanh");
    read_rope(reader, config);
    read_layer_windows(reader, config, true);
}

void read_gptj(ConfigReader& reader, ModelConfig& config) {
    config.width = reader.whole("n_embd", kMaxWidth);
    config.num_layers = reader.whole("n_layer", kMaxLayers);
    config.num_heads = reader.heads("n_head");
    config.vocabulary = reader.whole("vocab_size", kMaxVocabulary);
    config.max_positions = reader.whole("n_positions", kMaxPositions);
    config.mlp_width = reader.whole("n_inner", 4 * kMaxWidth, 4 * config.width);
    config.norm_eps = reader.positive("layer_norm_epsilon", 1e-5);
    config.activation = read_activation(reader, "activation_function", "gelu_new");
    config.is_parallel = true;
    config.ties_logits = false;
    cut_into_heads(reader, config, "n_embd", "n_head");
    config.positions = PositionKind::rotary;
    config.pairs = RotaryPairs::neighbours;
    config.rope.dim = reader.whole("rotary_dim", kMaxWidth, config.head_dim);
    config.rope.max_positions = config.max_positions;
    if (config.rope.dim % 2 != 0 || config.rope.dim > config.head_dim)
        reader.fail(concat("config.json turns ", config.rope.dim, " of the ", config.head_dim,
                           " numbers of a head; rotary positions need an even number of them."));
}

void read_bloom(ConfigReader& reader, ModelConfig& config) {
    config.width = reader.whole(reader.either("hidden_size", "n_embed"), kMaxWidth);
    config.num_layers = reader.whole(reader.either("n_layer", "num_hidden_layers"), kMaxLayers);
    const std::string_view heads = reader.either("n_head", "num_attention_heads");
    config.num_heads = reader.heads(heads);
    config.vocabulary = reader.whole("vocab_size", kMaxVocabulary);
    config.max_positions = reader.whole("seq_length", kMaxPositions, 2048);
    config.mlp_width = 4 * config.width;
    config.norm_eps = reader.positive("layer_norm_epsilon", 1e-5);
    config.positions = PositionKind::alibi;
    reader.want_flag("apply_residual_connection_post_layernorm", false);
    cut_into_heads(reader, config, "hidden_size", heads);
}

}  // namespace

void read_decoder(ConfigReader& reader, ModelConfig& config) {
    switch (config.kind) {
        case ModelKind::gemma:
        case ModelKind::gemma2:
        case ModelKind::gemma3:
            return read_gemma(reader, config);
        case ModelKind::phi:
            return read_phi(reader, config);
        case ModelKind::cohere:
            return read_cohere(reader, config);
        case ModelKind::stablelm:
            return read_stablelm(reader, config);
        case ModelKind::starcoder2:
            return read_starcoder2(reader, config);
        case ModelKind::gptj:
            return read_gptj(reader, config);
        case ModelKind::bloom:
            return read_bloom(reader, config);
        case ModelKind::opt:
            return read_opt(reader, config);
        case ModelKind::gpt_neox:
            return read_gpt_neox(reader, config);
        default:
            return read_llama(reader, config);
    }
}

}  // namespace attn
