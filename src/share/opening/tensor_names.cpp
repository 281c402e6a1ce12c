// Finds a tensor by the name that another program gave it.
#include "share/opening/tensor_names.h"

#include <algorithm>
#include <iterator>
#include <string>

#include "playground/state/state.h"

namespace attn {
namespace {

struct KnownName {
    std::string_view name;  // lower case, without '_' and '-'
    TensorId tensor;
};

constexpr KnownName kNames[] = {
    {"x", TensorId::embeddings},
    {"embeddings", TensorId::embeddings},
    {"embedding", TensorId::embeddings},
    {"inputs", TensorId::embeddings},
    {"inputembeddings", TensorId::embeddings},
    {"queries", TensorId::queries},
    {"keys", TensorId::keys},
    {"values", TensorId::values},
    {"wquery", TensorId::w_query},
    {"wq", TensorId::w_query},
    {"qproj", TensorId::w_query},
    {"wkey", TensorId::w_key},
    {"wk", TensorId::w_key},
    {"kproj", TensorId::w_key},
    {"wvalue", TensorId::w_value},
    {"wv", TensorId::w_value},
    {"vproj", TensorId::w_value},
    {"wuk", TensorId::w_key},
    {"wuv", TensorId::w_value},
    {"wdownquery", TensorId::w_down_query},
    {"wdq", TensorId::w_down_query},
    {"wdownkv", TensorId::w_down_kv},
    {"wdkv", TensorId::w_down_kv},
    {"wqueryrope", TensorId::w_query_rope},
    {"wqr", TensorId::w_query_rope},
    {"wkeyrope", TensorId::w_key_rope},
    {"wkr", TensorId::w_key_rope},
    {"bquery", TensorId::b_query},
    {"bq", TensorId::b_query},
    {"bkey", TensorId::b_key},
    {"bk", TensorId::b_key},
    {"bvalue", TensorId::b_value},
    {"bv", TensorId::b_value},
    {"wout", TensorId::w_out},
    {"wo", TensorId::w_out},
    {"outproj", TensorId::w_out},
    {"oproj", TensorId::w_out},
    {"bout", TensorId::b_out},
    {"bo", TensorId::b_out},
    {"qnorm", TensorId::q_norm},
    {"knorm", TensorId::k_norm},
    {"sinklogits", TensorId::sink_logits},
    {"sinks", TensorId::sink_logits},  // gpt-oss
    {"mask", TensorId::mask},
    {"attnmask", TensorId::mask},
};

// Layers of lectures and libraries, whose names alone say something else or nothing: "key.weight".
constexpr KnownName kLayers[] = {
    {"query", TensorId::w_query}, {"queries", TensorId::w_query}, {"toq", TensorId::w_query},
    {"qlin", TensorId::w_query},  {"wqs", TensorId::w_query},     {"key", TensorId::w_key},
    {"keys", TensorId::w_key},    {"tok", TensorId::w_key},       {"klin", TensorId::w_key},
    {"wks", TensorId::w_key},     {"value", TensorId::w_value},   {"values", TensorId::w_value},
    {"tov", TensorId::w_value},   {"vlin", TensorId::w_value},    {"wvs", TensorId::w_value},
    {"proj", TensorId::w_out},    {"toout", TensorId::w_out},     {"outlin", TensorId::w_out},
    {"fcout", TensorId::w_out},
};

std::string plain(std::string_view name) {
    std::string text;
    for (const char c : name) {
        if (c == '_' || c == '-') continue;
        text += static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
    }
    return text;
}

std::optional<TensorId> tensor_of(std::string_view name) {
    const std::string wanted = plain(name);
    for (const KnownName& known : kNames) {
        if (known.name == wanted) return known.tensor;
    }
    return std::nullopt;
}

std::optional<TensorId> tensor_of_layer(std::string_view name) {
    const std::string wanted = plain(name);
    const auto known = std::ranges::find_if(kLayers, [&](const KnownName& one) { return one.name == wanted; });
    return known == std::end(kLayers) ? tensor_of(name) : known->tensor;
}

// The bias beside a learned matrix.
std::optional<TensorId> bias_of(TensorId matrix) {
    switch (matrix) {
        case TensorId::w_query:
            return TensorId::b_query;
        case TensorId::w_key:
            return TensorId::b_key;
        case TensorId::w_value:
            return TensorId::b_value;
        case TensorId::w_out:
            return TensorId::b_out;
        default:
            return std::nullopt;
    }
}

// Takes what follows the last `separator` off the end of `name`.
std::string_view take_last(std::string_view& name, char separator) {
    const std::size_t at = name.rfind(separator);
    const std::string_view last = at == std::string_view::npos ? name : name.substr(at + 1);
    name = at == std::string_view::npos ? std::string_view() : name.substr(0, at);
    return last;
}

// "2": the number of a sentence.
std::optional<int> sentence_of(std::string_view text) {
    int number = 0;
    for (const char c : text) {
        if (c < '0' || c > '9' || number > static_cast<int>(kMaxSentences)) return std::nullopt;
        number = number * 10 + (c - '0');
    }
    if (text.empty() || number < 1 || number > static_cast<int>(kMaxSentences)) return std::nullopt;
    return number - 1;
}

}  // namespace

bool is_learned_matrix(TensorId tensor) {
    return is_learned(tensor) && !is_bias(tensor);
}

std::optional<ArrayRole> role_of_name(std::string_view name) {
    ArrayRole role;
    std::string_view folder = name;
    std::string_view rest = take_last(folder, '/');
    if (!folder.empty()) {
        const std::optional<int> sentence = sentence_of(folder);
        if (!sentence) return std::nullopt;
        role.sentence = *sentence;
    }
    std::string_view last = take_last(rest, '.');
    std::string_view module = take_last(rest, '.');
    // nn.MultiheadAttention where queries, keys and values are of several widths has no layers for them.
    constexpr std::string_view kOfThree = "_proj_weight";
    if (last.size() == kOfThree.size() + 1 && last.ends_with(kOfThree)) {
        module = last.substr(0, last.rfind('_'));
        last = "weight";
    }
    if (module == "0") module = take_last(rest, '.');  // "to_out.0": a layer and its dropout
    const bool is_weight = last == "weight", is_bias = last == "bias";
    std::optional<TensorId> tensor = is_weight || is_bias ? tensor_of_layer(module) : tensor_of(last);
    if (!tensor) return std::nullopt;
    const bool is_norm = *tensor == TensorId::q_norm || *tensor == TensorId::k_norm;
    if (is_bias || (is_weight && !is_norm)) {
        const std::optional<TensorId> bias = bias_of(*tensor);
        if (!bias && (is_bias || !has_columns_of_latents(*tensor)))
            return std::nullopt;  // only a layer has a weight and a bias
        if (is_bias) tensor = bias;
        role.is_turned = is_weight;
    }
    role.tensor = *tensor;
    return role;
}

std::optional<ArrayRole> role_of_file(std::string_view file_name) {
    std::string_view stem = file_name.substr(0, file_name.rfind('.'));
    if (stem.ends_with(')')) {
        const std::size_t at = stem.rfind('(');
        const std::string_view inside = at == std::string_view::npos ? stem : stem.substr(at + 1, stem.size() - at - 2);
        const bool is_number = std::all_of(inside.begin(), inside.end(), [](char c) { return c >= '0' && c <= '9'; });
        if (is_number) stem = stem.substr(0, stem.find_last_not_of(" (", at) + 1);
    }
    if (const std::optional<ArrayRole> role = role_of_name(stem)) return role;
    return stem.starts_with("attention-") ? role_of_name(take_last(stem, '-')) : std::nullopt;
}

}  // namespace attn
