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
    config.head_activation = config.activation;
    config.norm_place = NormPlace::sums;
    config.mask = Mask::none;
    reader.want_text("position_embedding_type", "absolute");
    reader.want_flag("is_decoder", false);
    cut_into_heads(reader, config, "hidden_size", "num_attention_heads");
    if (config.kind != ModelKind::roberta) return;
    config.head_activation = Activation::gelu_exact;
    config.padding_token = reader.whole_or_0("pad_token_id", kMaxVocabulary, 1);
    config.first_position = config.padding_token + 1;
    config.max_positions -= config.first_position;
    if (config.max_positions < 1)
        reader.fail(concat("config.json says \"max_position_embeddings\": ", config.position_rows(),
                           " and \"pad_token_id\": ", config.padding_token, ", so no position is left for a token."));
}

void read_distilbert(ConfigReader& reader, ModelConfig& config) {
    config.width = reader.whole("dim", kMaxWidth);
    config.num_layers = reader.whole("n_layers", kMaxLayers);
    config.num_heads = reader.heads("n_heads");
    config.vocabulary = reader.whole("vocab_size", kMaxVocabulary);
    config.max_positions = reader.whole("max_position_embeddings", kMaxPositions);
    config.mlp_width = reader.whole("hidden_dim", 4 * kMaxWidth);
    config.norm_eps = 1e-12;
    config.activation = config.head_activation = read_activation(reader, "activation", "gelu");
    config.norm_place = NormPlace::sums;
    config.mask = Mask::none;
    cut_into_heads(reader, config, "dim", "n_heads");
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

// Why a mixture of experts is not read, in a sentence; nothing for other models.
std::string why_experts(const ConfigReader& reader, std::string_view type) {
    for (const std::string_view key : {"num_local_experts", "num_experts", "n_routed_experts", "moe_num_experts"}) {
        const std::optional<JsonValue> value = reader.find(key);
        const std::uint64_t count = value ? value->whole().value_or(0) : 0;
        if (count > 0)
            return concat("config.json says \"", key, "\": ", count,
                          ", a mixture of experts: this program does not compute those.");
    }
    constexpr std::array<std::string_view, 8> kTypes = {"mixtral", "qwen2_moe",  "qwen3_moe",   "olmoe",
                                                        "gpt_oss", "granitemoe", "deepseek_v2", "deepseek_v3"};
    if (std::ranges::find(kTypes, type) == kTypes.end()) return "";
    return concat("config.json says \"model_type\": \"", type,
                  "\", a mixture of experts: this program does not compute those.");
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
    if (std::string why = why_experts(reader, name); !why.empty()) return refuse(std::move(why));
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
        case ModelKind::roberta:
            read_bert(reader, config);
            break;
        case ModelKind::distilbert:
            read_distilbert(reader, config);
            break;
        case ModelKind::attention_only:
            read_attention_only(reader, config);
            break;
        default:
            read_decoder(reader, config);
    }
    const ConfigReader whole(tree->root());
    const std::optional<JsonValue> ties = whole.find("tie_word_embeddings");
    const bool ties_all = ties && ties->is(JsonKind::boolean) ? ties->boolean() : config.ties_logits;
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
