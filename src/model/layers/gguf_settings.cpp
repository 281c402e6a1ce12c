// A GGUF file's settings as the text of a config.json. Settings that no reader uses are refused, unless their value
// changes nothing.
#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <set>

#include "core/ground/check.h"
#include "core/ground/decimal.h"
#include "core/words/code_points.h"
#include "model/layers/config_reader.h"
#include "model/layers/gguf_model.h"

namespace attn {
namespace {

// The shortest decimal number that is this float, as a config.json has it: "1e-5".
std::string shortest_text(float number) {
    if (number == 0) return "0";
    const double size = std::fabs(static_cast<double>(number));
    std::string text;
    for (int decimals = 0; decimals < 12; ++decimals) {  // a float needs 9 digits at most
        const Scientific parts = scientific(size, decimals);
        text = concat(number < 0 ? "-" : "", parts.mantissa, "e", parts.exponent);
        std::string digits = parts.mantissa;
        std::erase(digits, '.');
        if (static_cast<float>(nearest_double({.digits = digits, .point = parts.exponent + 1})) == std::fabs(number))
            break;
    }
    return text;
}

std::string text_of_number(const GgufValue& value) {
    if (const std::optional<std::uint64_t> whole = value.whole()) return concat(*whole);
    return shortest_text(static_cast<float>(value.number));
}

// Settings that change no number that is shown, and those that change none where they have this value.
constexpr std::array<std::string_view, 6> kHarmless = {
    "vocab_size",   "rope.scaling.finetuned", "rope.scaling.original_context_length",
    "pooling_type", "rope.scaling.factor",    "tensor_data_layout"};
constexpr std::array<std::string_view, 5> kHarmlessAsOne = {"rope.scaling.attn_factor", "rope.scaling.yarn_attn_factor",
                                                            "residual_scale", "embedding_scale", "logit_scale"};

class SettingsReader {
public:
    SettingsReader(const Gguf& gguf, GgufModel& model) : gguf_(gguf), kind_(*model.kind), model_(model) {}
    std::string problem;  // the first: a whole sentence

    void read_all() {
        add("model_type", concat('"', type(), '"'));
        read_sizes();
        if (const GgufValue* value =
                number(is_rms() ? "attention.layer_norm_rms_epsilon" : "attention.layer_norm_epsilon"))
            add_number(kind_.epsilon, *value);
        const bool has_head = has_tensor("output.weight");
        add("tie_word_embeddings", has_head ? "false" : "true");
        if (kind_.type == "gpt_neox" || kind_.type == "stablelm")
            copy_flag("use_parallel_residual", "use_parallel_residual");
        if (kind_.type == "cohere") copy_number("logit_scale", "logit_scale");
        want_causal();
        if (kind_.has_rope) read_rope();
        if (kind_.is_gemma) read_gemma();
        if (kind_.type == "llama" || kind_.type == "phi3" || kind_.type == "starcoder2") read_window();
        refuse_others();
        model_.config = "{" + json_ + "}";
        model_.head_dim = head_dim_ <= kMaxWidth ? static_cast<int>(head_dim_) : 0;
    }

private:
    bool is_rms() const { return kind_.epsilon == "rms_norm_eps"; }
    std::string key_of(std::string_view name) const { return concat(kind_.architecture, ".", name); }
    bool has_tensor(std::string_view name) const {
        return std::ranges::find(gguf_.tensors, name, &StoredTensor::name) != gguf_.tensors.end();
    }
    // A llama that has a window is what transformers calls mistral.
    std::string_view type() const {
        const GgufValue* window = gguf_.find(key_of("attention.sliding_window"));
        return kind_.type == "llama" && window != nullptr && window->number > 0 ? "mistral" : kind_.type;
    }
    void fail(std::string_view what) {
        if (problem.empty()) problem = concat("The file ", attn::quoted(gguf_.file), " ", what, ".");
    }

    // Null where it is not there.
    const GgufValue* find(std::string_view name) {
        const std::string key = key_of(name);
        asked_.insert(key);
        return gguf_.find(key);
    }
    const GgufValue* number(std::string_view name) {
        const GgufValue* value = find(name);
        if (value == nullptr || (value->is_number() && std::isfinite(static_cast<float>(value->number)))) return value;
        fail(concat("has the setting ", attn::quoted(key_of(name)), ", which is no number"));
        return nullptr;
    }
    // Of a list with a number for each layer that one, if all are the same.
    std::optional<std::uint64_t> whole(std::string_view name) {
        const GgufValue* value = find(name);
        if (value == nullptr) return std::nullopt;
        GgufValue one = *value;
        const std::vector<double>& all = value->numbers;
        if (value->type == GgufType::list && !all.empty() &&
            std::ranges::all_of(all, [&](double each) { return each == all.front(); }))
            one = {.type = value->elements, .number = all.front()};
        const std::optional<std::uint64_t> number = one.whole();
        if (!number)
            fail(concat("has the setting ", attn::quoted(key_of(name)),
                        ", which is no whole number that all layers share; this program reads no others"));
        return number;
    }
    std::uint64_t needed(std::string_view name) {
        const std::optional<std::uint64_t> number = whole(name);
        if (!number) fail(concat("has no setting ", attn::quoted(key_of(name)), " that is a whole number"));
        return number.value_or(0);
    }

    void add(std::string_view key, std::string_view value) {
        json_ += concat(json_.empty() ? "\"" : ",\"", key, "\":", value);
    }
    void add_from(std::string_view key, std::string_view name, std::uint64_t value) {
        add(key, concat(value));
        model_.keys.emplace_back(key, key_of(name));
    }
    void add_number(std::string_view key, const GgufValue& value) { add(key, text_of_number(value)); }
    void copy_number(std::string_view name, std::string_view key) {
        const GgufValue* value = number(name);
        if (value == nullptr) return;
        add_number(key, *value);
        model_.keys.emplace_back(key, key_of(name));
    }
    void copy_flag(std::string_view name, std::string_view key) {
        const GgufValue* value = find(name);
        if (value == nullptr) return;
        if (value->type != GgufType::boolean)
            return fail(concat("has the setting ", attn::quoted(key_of(name)), ", which is neither true nor false"));
        add(key, value->number != 0 ? "true" : "false");
    }

    // Rows of a table of vectors; 0 without it.
    std::int64_t rows_of(std::string_view table) const {
        const auto found = std::ranges::find(gguf_.tensors, table, &StoredTensor::name);
        return found == gguf_.tensors.end() || found->shape.size() != 2 ? 0 : found->shape.front();
    }

    void read_sizes() {
        const SizeKeys& keys = *kind_.keys;
        const std::uint64_t width = needed("embedding_length"), heads = needed("attention.head_count");
        layers_ = needed("block_count");
        add_from(keys.width, "embedding_length", width);
        add_from(keys.layers, "block_count", layers_);
        add_from(keys.heads, "attention.head_count", heads);
        add_from(keys.positions, "context_length", needed("context_length"));
        const std::uint64_t mlp = needed("feed_forward_length");
        if (keys.mlp.find(' ') == std::string_view::npos)
            add_from(keys.mlp, "feed_forward_length", mlp);
        else if (mlp != 4 * width)
            fail(concat("has a ", attn::quoted(key_of("feed_forward_length")), " of ", mlp, ", not four times its ",
                        attn::quoted(key_of("embedding_length"))));
        const std::int64_t vectors = rows_of("token_embd.weight");
        if (vectors == 0) fail("has no tensor \"token_embd.weight\" with a vector for each token");
        add(keys.vocabulary, concat(vectors));
        const GgufValue* tokens = gguf_.find("tokenizer.ggml.tokens");
        if (tokens != nullptr && vectors > 0 && std::cmp_greater(tokens->texts.size(), vectors))
            fail(concat("has a tokenizer of ", tokens->texts.size(), " tokens and vectors of ", vectors,
                        " in \"token_embd.weight\""));
        if (kind_.type == "bert") {
            const std::int64_t types = rows_of("token_types.weight");
            if (types == 0)
                fail(
                    "has no tensor \"token_types.weight\": of this architecture BERT is computed, which has it, and "
                    "neither DistilBERT nor others without");
            add(keys.types, concat(types));
        }
        const std::uint64_t kv_heads = whole("attention.head_count_kv").value_or(heads);
        const std::uint64_t even = heads == 0 ? 0 : width / heads;
        head_dim_ = whole("attention.key_length").value_or(even);
        if (whole("attention.value_length").value_or(even) != head_dim_)
            fail("has values of another length than keys, which this program does not compute");
        const bool has_own_heads = keys.heads != keys.kv_heads && kind_.type != "bert";
        if (has_own_heads) {
            add_from(keys.kv_heads, "attention.head_count_kv", kv_heads);
            add_from("head_dim", "attention.key_length", head_dim_);
        } else if (kv_heads != heads || head_dim_ != even) {
            fail(concat("has heads of keys or lengths of them that ", kind_.architecture, " has not"));
        }
        even_head_ = even;
    }

    void want_causal() {
        const bool is_causal = kind_.type != "bert";
        const GgufValue* value = find("attention.causal");
        if (value != nullptr && (value->number != 0) != is_causal)
            fail(concat(
                "has the setting ", attn::quoted(key_of("attention.causal")), ", ",
                is_causal ? "false: this program computes true alone" : "true: this program computes false alone"));
    }

    static std::string list_of(const std::vector<float>& numbers) {
        std::string list = "[";
        for (const float one : numbers)
            list += concat(list.size() > 1 ? "," : "", std::isfinite(one) ? shortest_text(one) : "0");
        return list + "]";
    }
    const std::vector<float>* factors(const std::string& name) const {
        const auto found = gguf_.setting_tensors.find(name);
        return found == gguf_.setting_tensors.end() ? nullptr : &found->second;
    }

    void read_rope() {
        copy_number("rope.freq_base", "rope_theta");
        const std::uint64_t turned = whole("rope.dimension_count").value_or(head_dim_);
        if (turned != head_dim_) {
            if (kind_.has_paired_rows)
                fail(concat("turns ", turned, " of the ", head_dim_, " numbers of a head, and this program computes ",
                            kind_.architecture, " where all are turned"));
            // A half more, so that no rounding of the share makes it one less.
            add("partial_rotary_factor",
                shortest_text(static_cast<float>((static_cast<double>(turned) + 0.5) /
                                                 static_cast<double>(std::max<std::uint64_t>(head_dim_, 1)))));
        } else if (kind_.type == "gpt_neox" || kind_.type == "stablelm" || kind_.type == "phi") {
            add("partial_rotary_factor", "1");  // their classes turn fewer where a config does not say it
        }
        std::string scaling;
        const auto put = [&](std::string_view key, const GgufValue* value) {
            if (value != nullptr) scaling += concat(",\"", key, "\":", text_of_number(*value));
        };
        const GgufValue* named = find("rope.scaling.type");
        const std::string_view type = named == nullptr ? std::string_view() : named->text;
        const std::vector<float>*one = factors("rope_freqs.weight"), *slow = factors("rope_factors_long.weight"),
              *fast = factors("rope_factors_short.weight");
        const std::uint64_t context = std::max<std::uint64_t>(whole("context_length").value_or(2), 2);
        if (one != nullptr || (slow != nullptr && fast != nullptr)) {
            const bool is_known = type.empty() || type == "none" || type == "longrope" || type == "llama3";
            if (!is_known || (one != nullptr && slow != nullptr))
                fail("stretches its rotary positions in two ways, which this program does not compute");
            scaling = concat(R"("rope_type":"longrope","short_factor":)", list_of(one != nullptr ? *one : *fast),
                             R"(,"long_factor":)", list_of(one != nullptr ? *one : *slow));
            if (one != nullptr)  // the same for all lengths
                scaling += concat(R"(,"attention_factor":1,"original_max_position_embeddings":)", context);
            else
                put("attention_factor", number("rope.scaling.attn_factor"));
        } else if (type == "linear" || type == "yarn") {
            scaling = concat(R"("rope_type":")", type, '"');
            put("factor", number("rope.scaling.factor"));
            if (type == "yarn") put("beta_fast", number("rope.scaling.yarn_beta_fast"));
            if (type == "yarn") put("beta_slow", number("rope.scaling.yarn_beta_slow"));
        } else if (!type.empty() && type != "none") {
            fail(concat("stretches its rotary positions by ", attn::quoted(type),
                        "; this program computes \"linear\", \"yarn\" and \"longrope\" with its factors"));
        }
        if (one == nullptr && !scaling.empty() && type != "linear")
            put("original_max_position_embeddings", number("rope.scaling.original_context_length"));
        if (!scaling.empty()) add("rope_scaling", concat("{", scaling, "}"));
    }

    // True for the layers with a window, or every how manieth has none.
    void read_pattern() {
        const GgufValue* pattern = find("attention.sliding_window_pattern");
        if (pattern == nullptr) return;
        if (pattern->type != GgufType::list) return add("sliding_window_pattern", concat(pattern->whole().value_or(0)));
        std::string types;
        for (const double one : pattern->numbers)
            types += concat(types.empty() ? "\"" : ",\"", one != 0 ? "sliding" : "full", "_attention\"");
        add("layer_types", concat("[", types, "]"));
    }

    void read_window() {
        const std::uint64_t window = whole("attention.sliding_window").value_or(0);
        if (window != 0) add_from("sliding_window", "attention.sliding_window", window);
    }

    void read_gemma() {
        add(kNormOffsetKey, "0");
        if (kind_.type == "gemma") return;
        copy_number("attn_logit_softcapping", "attn_logit_softcapping");
        copy_number("final_logit_softcapping", "final_logit_softcapping");
        read_window();
        read_pattern();
        copy_number("rope.freq_base_swa", "rope_local_base_freq");
        // The files do not say it: the largest of each kind (27B) divides by the root of width / heads, others by that
        // of a head's length.
        const bool is_largest = layers_ == (kind_.type == "gemma2" ? 46U : 62U);
        const GgufValue* scale = number("attention.scale");
        const double squared = scale == nullptr ? 0 : scale->number * scale->number;
        const bool has_scale = squared > 1e-12 && squared < 1e12;
        add("query_pre_attn_scalar",
            has_scale ? shortest_text(static_cast<float>(1 / squared)) : concat(is_largest ? even_head_ : head_dim_));
    }

    void refuse_others() {
        for (const auto& [key, value] : gguf_.settings) {
            const std::string before = key_of("");
            if (!key.starts_with(before) || asked_.contains(key)) continue;
            const std::string_view name = std::string_view(key).substr(before.size());
            const bool says_nothing = value.number == 0 && value.text.empty() && value.numbers.empty() &&
                                      value.texts.empty() && value.lists.empty();
            if (says_nothing || std::ranges::find(kHarmless, name) != kHarmless.end()) continue;
            if (value.number == 1 && std::ranges::find(kHarmlessAsOne, name) != kHarmlessAsOne.end()) continue;
            if (name.starts_with("expert"))
                return fail(concat("has the setting ", attn::quoted(key),
                                   ": it is a mixture of experts, and this program does not compute those"));
            fail(concat("has the setting ", attn::quoted(key), ", which this program does not know"));
        }
    }

    const Gguf& gguf_;
    const GgufKind& kind_;
    GgufModel& model_;
    std::string json_;
    std::set<std::string> asked_;
    std::uint64_t head_dim_ = 0, even_head_ = 0, layers_ = 0;
};

}  // namespace

std::string read_gguf_settings(const Gguf& gguf, GgufModel& model) {
    SettingsReader reader(gguf, model);
    reader.read_all();
    return reader.problem;
}

}  // namespace attn
