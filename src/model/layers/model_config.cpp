// One function for each kind of file, all on one reader, which remembers the first thing that is wrong.
#include "model/layers/model_config.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <utility>

#include "core/ground/check.h"
#include "core/words/code_points.h"
#include "model/files/json_tree.h"
#include "model/layers/config_reader.h"

namespace attn {
namespace {

// Bounds that keep all products of two of them far below 2^63.
constexpr int kMaxWidth = 1 << 16;
constexpr int kMaxLayers = 1 << 10;
constexpr int kMaxHeads = 1 << 10;
constexpr int kMaxVocabulary = 1 << 24;
constexpr int kMaxPositions = 1 << 24;

Activation read_activation(ConfigReader& reader, std::string_view key, std::string_view fallback) {
    const std::optional<JsonValue> value = reader.find(key);
    if (!value) reader.assume(key, concat('"', fallback, '"'));
    const std::string_view name = value ? value->text() : fallback;
    if (name == "gelu_new" || name == "gelu_pytorch_tanh" || name == "gelu_fast") return Activation::gelu_tanh;
    if (name == "gelu") return Activation::gelu_exact;
    if (name == "relu") return Activation::relu;
    reader.fail(concat("config.json says \"", key, "\": ", attn::quoted(name),
                       "; this program computes \"gelu_new\", \"gelu\" and \"relu\"."));
    return Activation::gelu_tanh;
}

// Heads share the width evenly.
void cut_into_heads(ConfigReader& reader, ModelConfig& config, std::string_view width, std::string_view heads) {
    if (config.width % config.num_heads != 0) {
        reader.fail(concat("config.json contradicts itself: \"", heads, "\" is ", config.num_heads,
                           ", which does not divide \"", width, "\", ", config.width, "."));
    }
    config.num_kv_heads = config.num_heads;
    config.head_dim = config.width / config.num_heads;
}

// nanoGPT and the book's GPTModel call the sizes otherwise, and say no kind.
void read_gpt2(ConfigReader& reader, ModelConfig& config) {
    config.width = reader.whole(reader.either("n_embd", "emb_dim"), kMaxWidth);
    config.num_layers = reader.whole(reader.either("n_layer", "n_layers"), kMaxLayers);
    const std::string_view heads = reader.either("n_head", "n_heads");
    config.num_heads = reader.heads(heads);
    config.vocabulary = reader.whole("vocab_size", kMaxVocabulary);
    const std::string_view positions = reader.either("n_positions", "block_size");
    config.max_positions = reader.whole(reader.either(positions, "context_length"), kMaxPositions);
    config.mlp_width = reader.whole("n_inner", 4 * kMaxWidth, 4 * config.width);
    config.norm_eps = reader.positive("layer_norm_epsilon", 1e-5);
    config.activation = read_activation(reader, "activation_function",
                                        reader.facts() == nullptr ? "gelu_new" : reader.facts()->activation);
    reader.want_flag("scale_attn_by_inverse_layer_idx", false);
    config.scale = reader.flag("scale_attn_weights", true) ? Scale::sqrt : Scale::none;
    cut_into_heads(reader, config, reader.either("n_embd", "emb_dim"), heads);
}

// "attention_types": [[["global", "local"], 6]] is global and local in turns, 12 layers.
void read_windows(ConfigReader& reader, ModelConfig& config) {
    const int window = reader.whole("window_size", kMaxPositions, 256);
    const std::optional<JsonValue> types = reader.find("attention_types");
    config.windows.clear();
    const auto add = [&](std::string_view name) {
        if (name == "global" || name == "local") config.windows.push_back(name == "local" ? window : 0);
    };
    if (types && types->is(JsonKind::list)) {
        for (const JsonValue group : *types) {
            if (group.count() != 2) continue;
            const JsonValue names = *group.begin();
            const std::uint64_t times = (*++group.begin()).whole().value_or(0);
            for (std::uint64_t i = 0; i < std::min<std::uint64_t>(times, kMaxLayers); ++i) {
                for (const JsonValue name : names) {
                    if (config.windows.size() <= kMaxLayers) add(name.text());
                }
            }
        }
    } else {
        for (int layer = 0; layer < config.num_layers; ++layer) add(layer % 2 == 0 ? "global" : "local");
    }
    if (std::cmp_not_equal(config.windows.size(), config.num_layers)) {
        reader.fail(concat("config.json contradicts itself: \"num_layers\" is ", config.num_layers,
                           ", and \"attention_types\" says \"global\" or \"local\" for ", config.windows.size(), "."));
    }
}

void read_gpt_neo(ConfigReader& reader, ModelConfig& config) {
    config.width = reader.whole("hidden_size", kMaxWidth);
    config.num_layers = reader.whole("num_layers", kMaxLayers);
    config.num_heads = reader.heads("num_heads");
    config.vocabulary = reader.whole("vocab_size", kMaxVocabulary);
    config.max_positions = reader.whole("max_position_embeddings", kMaxPositions);
    config.mlp_width = reader.whole("intermediate_size", 4 * kMaxWidth, 4 * config.width);
    config.norm_eps = reader.positive("layer_norm_epsilon", 1e-5);
    config.activation = read_activation(reader, "activation_function", "gelu_new");
    config.scale = Scale::none;
    cut_into_heads(reader, config, "hidden_size", "num_heads");
    read_windows(reader, config);
}

void read_bert(ConfigReader& reader, ModelConfig& config) {
    config.width = reader.whole("hidden_size", kMaxWidth);
    config.num_layers = reader.whole("num_hidden_layers", kMaxLayers);
    config.num_heads = reader.heads("num_attention_heads");
    config.vocabulary = reader.whole("vocab_size", kMaxVocabulary);
    config.max_positions = reader.whole("max_position_embeddings", kMaxPositions);
    config.mlp_width = reader.whole("intermediate_size", 4 * kMaxWidth);
    config.num_token_types = reader.whole("type_vocab_size", kMaxVocabulary, 2);
    config.norm_eps = reader.positive("layer_norm_eps", 1e-12);
    config.activation = read_activation(reader, "hidden_act", "gelu");
    config.norms_after = true;
    config.mask = Mask::none;
    reader.want_text("position_embedding_type", "absolute");
    reader.want_flag("is_decoder", false);
    cut_into_heads(reader, config, "hidden_size", "num_attention_heads");
}

// Base, share of the head that is turned, and how angles are stretched: of the whole config, or of the part about
// rotary positions that newer files have.
void read_rope(ConfigReader& reader, ModelConfig& config) {
    std::optional<JsonValue> part = reader.find("rope_parameters");
    if (!part) part = reader.find("rope_scaling");
    double share = 1;
    bool has_base = false;
    const auto read_both = [&](ConfigReader& from) {
        if (from.find("rope_theta")) {
            config.rope.base = from.positive("rope_theta", config.rope.base);
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
    if (!has_base) config.rope.base = reader.positive("rope_theta", config.rope.base);
    config.rope.dim = static_cast<int>(config.head_dim * std::min(share, 1.0));
    if (share > 1 || config.rope.dim < 2 || config.rope.dim % 2 != 0)
        reader.fail(concat("config.json turns ", config.rope.dim, " of the ", config.head_dim,
                           " numbers of a head; rotary positions need an even number of them."));
    if (reader.find("original_max_position_embeddings"))
        config.rope.original_positions = reader.whole("original_max_position_embeddings", kMaxPositions);
    config.rope.max_positions = config.max_positions;
    if (part && reader.problem.empty()) reader.fail(read_rope_scaling(*part, config.rope));
}

// Layers without positions (SmolLM3): a list that says 1 for those that are turned, or every so manieth one is not.
void read_turned_layers(ConfigReader& reader, ModelConfig& config) {
    if (const std::optional<JsonValue> list = reader.find("no_rope_layers"); list && list->count() > 0) {
        for (const JsonValue one : *list) config.turned.push_back(one.number() != 0 ? 1 : 0);
        if (std::cmp_not_equal(config.turned.size(), config.num_layers))
            reader.fail(concat("config.json contradicts itself: \"num_hidden_layers\" is ", config.num_layers,
                               ", and \"no_rope_layers\" has ", config.turned.size(), "."));
    } else if (reader.find("no_rope_layer_interval")) {
        const int interval = reader.whole("no_rope_layer_interval", kMaxLayers);
        for (int layer = 0; layer < config.num_layers; ++layer)
            config.turned.push_back((layer + 1) % interval != 0 ? 1 : 0);
    }
}

void read_layer_windows(ConfigReader& reader, ModelConfig& config) {
    const std::optional<JsonValue> type = reader.find("model_type");
    const bool is_mistral = type && type->text() == "mistral";
    const int window = reader.find("sliding_window") ? reader.whole("sliding_window", kMaxPositions) : 0;
    const bool uses = reader.flag("use_sliding_window", is_mistral);
    const std::optional<JsonValue> types = reader.find("layer_types");
    if (types && types->is(JsonKind::list) && std::cmp_not_equal(types->count(), config.num_layers)) {
        reader.fail(concat("config.json contradicts itself: \"num_hidden_layers\" is ", config.num_layers,
                           ", and \"layer_types\" has ", types->count(), "."));
        return;
    }
    if (types && types->is(JsonKind::list)) {
        config.windows.clear();
        for (const JsonValue one : *types) {
            const bool is_full = one.text() == "full_attention";
            if (!is_full && (one.text() != "sliding_attention" || window == 0)) {
                reader.fail(concat("config.json has a layer of the type ", attn::quoted(one.text()),
                                   ", which this program does not compute."));
            }
            config.windows.push_back(is_full ? 0 : window);
        }
        return;
    }
    const int first = is_mistral || !reader.find("max_window_layers") ? 0 : reader.whole("max_window_layers", 1 << 20);
    if (!uses) return;
    for (int layer = first; layer < config.num_layers; ++layer)
        config.windows[static_cast<std::size_t>(layer)] = window;
}

void read_llama(ConfigReader& reader, ModelConfig& config) {
    config.width = reader.whole("hidden_size", kMaxWidth);
    config.num_layers = reader.whole("num_hidden_layers", kMaxLayers);
    config.num_heads = reader.heads("num_attention_heads");
    config.num_kv_heads = reader.whole("num_key_value_heads", kMaxHeads, config.num_heads);
    config.vocabulary = reader.whole("vocab_size", kMaxVocabulary);
    config.max_positions = reader.whole("max_position_embeddings", kMaxPositions);
    config.mlp_width = reader.whole("intermediate_size", 4 * kMaxWidth);
    config.head_dim = reader.whole("head_dim", kMaxWidth, std::max(1, config.width / config.num_heads));
    config.norm = NormKind::rms;
    config.norm_eps = reader.positive("rms_norm_eps", 1e-6);
    config.activation = Activation::silu_gated;
    config.positions = PositionKind::rotary;
    config.has_query_key_norm = config.kind == ModelKind::qwen3;
    reader.want_text("hidden_act", "silu");
    config.windows.assign(static_cast<std::size_t>(config.num_layers), 0);
    read_rope(reader, config);
    read_turned_layers(reader, config);
    read_layer_windows(reader, config);
    if (!reader.find("head_dim") && config.width % config.num_heads != 0) {
        reader.fail(concat("config.json contradicts itself: \"num_attention_heads\" is ", config.num_heads,
                           ", which does not divide \"hidden_size\", ", config.width,
                           ", and there is no \"head_dim\"."));
    }
    if (config.num_heads % config.num_kv_heads != 0) {
        reader.fail(concat("config.json contradicts itself: \"num_key_value_heads\" is ", config.num_kv_heads,
                           ", which does not divide \"num_attention_heads\", ", config.num_heads, "."));
    }
}

void read_attention_only(ConfigReader& reader, ModelConfig& config) {
    if (!reader.flag("attn_only", false)) {
        reader.fail(
            "config.json has no \"model_type\", and not the \"attn_only\": true of TransformerLens' small models.");
        return;
    }
    config.width = reader.whole("d_model", kMaxWidth);
    config.num_layers = reader.whole("n_layers", kMaxLayers);
    config.num_heads = config.num_kv_heads = reader.whole("n_heads", kMaxHeads);
    config.head_dim = reader.whole("d_head", kMaxWidth);
    config.vocabulary = reader.whole("d_vocab", kMaxVocabulary);
    config.max_positions = reader.whole("n_ctx", kMaxPositions);
    config.norm_eps = reader.positive("eps", 1e-5);
    config.scale = reader.flag("use_attn_scale", true) ? Scale::sqrt : Scale::none;
    const std::optional<JsonValue> norm = reader.find("normalization_type");
    config.norm = norm ? NormKind::layer : NormKind::none;
    reader.want_text("normalization_type", "LN");
    const std::optional<JsonValue> positions = reader.find("positional_embedding_type");
    const std::string_view name = positions ? positions->text() : "standard";
    config.positions = name == "shortformer" ? PositionKind::queries_and_keys : PositionKind::learned;
    if (name != "standard" && name != "shortformer") {
        reader.fail(concat("config.json says \"positional_embedding_type\": ", attn::quoted(name),
                           "; this program computes \"standard\" and \"shortformer\"."));
    }
}

}  // namespace

std::string_view kind_name(ModelKind kind) {
    return std::ranges::find(kReadKinds, kind, &ReadKind::kind)->name;
}

Result<ReadConfig> read_config(std::string_view json, const TensorFacts& facts) {
    const auto refuse = [](std::string sentence) { return Result<ReadConfig>::failure(std::move(sentence)); };
    const Result<JsonTree> tree = JsonTree::read(json.empty() ? "{}" : json, "config.json");
    if (!tree) return refuse(tree.error());
    if (!tree->root().is(JsonKind::object)) return refuse("config.json is no object of settings.");
    ReadConfig read;
    ModelConfig& config = read.config;
    const std::optional<JsonValue> part = tree->root().find("text_config");
    const bool is_part = part && part->is(JsonKind::object);
    if (is_part)
        read.remarks.emplace_back("the files are of a model that does more than read text: this is the part that does");
    const JsonValue root = is_part ? *part : tree->root();
    const std::optional<JsonValue> type = root.find("model_type");
    std::string_view name = type ? type->text() : "";
    read.is_guessed = name.empty() && !facts.type.empty();
    if (name.empty() && !facts.why_not.empty()) return refuse(facts.why_not);
    if (read.is_guessed) {
        name = facts.type;
        if (facts.kind->type == "llama" && !root.find("hidden_size")) {
            return refuse(
                "The tensors are those of a model like Llama. They do not tell how many heads there are, how far "
                "positions turn them, and whether it is Llama, Gemma or another of the same names: bring the model's "
                "config.json with the others.");
        }
        read.remarks.push_back(
            concat("no file says what kind of model it is: its tensors are those of ", facts.kind->words));
    }
    ConfigReader reader(root, read.is_guessed ? &facts : nullptr);
    const auto kind = std::ranges::find(kReadKinds, name, &ReadKind::type);
    if (kind == kReadKinds.end()) {
        std::string known;  // attention_only, the last row, has no such type
        for (std::size_t i = 0; i + 1 < kReadKinds.size(); ++i)
            known += concat(i == 0 ? "" : i + 2 < kReadKinds.size() ? ", " : " and ", kReadKinds[i].type);
        return refuse(
            concat("config.json says \"model_type\": ", attn::quoted(name), "; this program knows ", known, "."));
    }
    config.kind = kind->kind;
    switch (config.kind) {
        case ModelKind::gpt2:
            read_gpt2(reader, config);
            break;
        case ModelKind::gpt_neo:
            read_gpt_neo(reader, config);
            break;
        case ModelKind::bert:
            read_bert(reader, config);
            break;
        case ModelKind::llama:
        case ModelKind::qwen2:
        case ModelKind::qwen3:
            read_llama(reader, config);
            break;
        case ModelKind::attention_only:
            read_attention_only(reader, config);
            break;
    }
    // As the classes of transformers have it, where the config says nothing.
    const bool is_gated = config.activation == Activation::silu_gated;
    const ConfigReader whole(tree->root());
    const std::optional<JsonValue> ties = whole.find("tie_word_embeddings");
    const bool ties_all = ties && ties->is(JsonKind::boolean) ? ties->boolean() : !is_gated;
    config.ties_logits = reader.flag("tie_word_embeddings", ties_all);
    if (!reader.problem.empty()) return refuse(reader.problem);
    if (!reader.taken.empty()) read.remarks.push_back(concat("the tensors' shapes say ", reader.taken));
    if (!reader.assumed.empty())
        read.remarks.push_back(concat("assumed, as no file says it: ", reader.assumed,
                                      "; if the model was trained with something else, say it in config.json"));
    config.windows.resize(static_cast<std::size_t>(config.num_layers), 0);
    return read;
}

Result<ModelConfig> read_model_config(std::string_view json) {
    Result<ReadConfig> read = read_config(json, TensorFacts());
    if (!read) return Result<ModelConfig>::failure(read.error());
    return std::move(read->config);
}

}  // namespace attn
