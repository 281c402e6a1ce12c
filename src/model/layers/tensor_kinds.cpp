// Looks for the tensors by which the kinds are known, and reads sizes off their shapes.
#include "model/layers/tensor_kinds.h"

#include <algorithm>
#include <cstdint>
#include <span>

#include "core/ground/check.h"
#include "core/words/code_points.h"

namespace attn {
namespace {

// One side of a tensor; 0 where there is no such tensor, or no number that a config could have.
int side_of(const TensorFiles& files, std::string_view name, std::size_t axis) {
    const FiledTensor* filed = name.empty() ? nullptr : find_behind(files, name);
    if (filed == nullptr) return 0;
    std::span<const std::int64_t> shape = filed->tensor.shape;
    if (shape.size() == 3 && shape[0] == 1) shape = shape.subspan(1);  // an axis for the batch
    if (shape.size() != 2) return 0;
    const std::int64_t side = shape[axis];
    return side > 0 && side <= std::int64_t{1} << 24U ? static_cast<int>(side) : 0;
}

int count_layers(const TensorFiles& files, const TensorKind& kind) {
    int count = 0;
    while (count < 1 << 10 && find_behind(files, concat(kind.layer, count, kind.norm)) != nullptr) ++count;
    return count;
}

// Llama's kind has two more, told by more tensors of the same names.
std::string_view type_of_llama(const TensorFiles& files) {
    const auto has = [&](std::string_view end) { return find_behind(files, end) != nullptr; };
    if (has("layers.0.self_attn.q_norm.weight")) return "qwen3";
    const bool has_query_bias = has("layers.0.self_attn.q_proj.bias");
    return has_query_bias && !has("layers.0.self_attn.o_proj.bias") ? "qwen2" : "llama";
}

// RoBERTa and others have BERT's names, behind a word of their own, and count positions in another way.
std::string why_not_bert(const TensorFiles& files, const TensorKind& kind) {
    const std::string_view name = find_behind(files, kind.mark)->tensor.name;
    std::string_view prefix = name.substr(0, name.size() - kind.mark.size());
    for (const std::string_view own : {"bert.", "model.", "module.", "_orig_mod."}) {
        while (prefix.ends_with(own) && is_name_behind(prefix, own)) prefix.remove_suffix(own.size());
    }
    if (prefix.empty() && side_of(files, kind.type_rows, 0) != 1) return "";
    return concat("The tensors have the names of BERT's, ", attn::quoted(name),
                  ", but other models have these names too, such as RoBERTa: config.json has to say which it is, by "
                  "its \"model_type\".");
}

// GPT-2 itself, minGPT and nanoGPT before its fast attention, which keep a mask, compute GELU by tanh; nanoGPT does
// since then as nn.GELU does, exactly.
std::string_view activation_of_gpt2(const TensorFiles& files) {
    const bool is_linear = side_of(files, kGpt2Mark, 0) > side_of(files, kGpt2Mark, 1);
    return is_linear && find_behind(files, "h.0.attn.bias") == nullptr ? "gelu" : "gelu_new";
}

}  // namespace

const SizeKeys& size_keys_of(ModelKind kind) {
    if (kind == ModelKind::distilbert) return kDistilBertKeys;
    if (kind == ModelKind::opt) return kOptKeys;
    if (kind == ModelKind::bloom) return kBloomKeys;
    if (kind == ModelKind::gptj) return kGpt2Keys;
    const auto row = std::ranges::find(kTensorKinds, kind, &TensorKind::kind);
    return row == kTensorKinds.end() ? kUsualKeys : row->keys;
}

bool has_names_of(ModelKind kind, ModelKind known) {
    constexpr std::array kLikeLlama = {ModelKind::qwen2,    ModelKind::qwen3,  ModelKind::gemma,
                                       ModelKind::gemma2,   ModelKind::gemma3, ModelKind::smollm3,
                                       ModelKind::olmo2,    ModelKind::opt,    ModelKind::phi,
                                       ModelKind::stablelm, ModelKind::cohere, ModelKind::starcoder2};
    if (kind == ModelKind::roberta && known == ModelKind::bert) return true;
    return kind == known || (known == ModelKind::llama && std::ranges::find(kLikeLlama, kind) != kLikeLlama.end());
}

bool is_name_behind(std::string_view name, std::string_view end) {
    return name.ends_with(end) && (name.size() == end.size() || name[name.size() - end.size() - 1] == '.');
}

const FiledTensor* find_behind(const TensorFiles& files, std::string_view end) {
    const FiledTensor* found = nullptr;
    for (const FiledTensor& filed : files.tensors()) {
        if (!is_name_behind(filed.tensor.name, end)) continue;
        if (found == nullptr || filed.tensor.name.size() < found->tensor.name.size()) found = &filed;
    }
    return found;
}

TensorFacts facts_of_tensors(const TensorFiles& files) {
    TensorFacts facts;
    const auto kind = std::ranges::find_if(
        kTensorKinds, [&](const TensorKind& one) { return find_behind(files, one.mark) != nullptr; });
    if (kind == kTensorKinds.end()) return facts;
    facts.kind = &*kind;
    facts.type = kind->type == "llama" ? type_of_llama(files) : kind->type;
    facts.activation = "gelu_new";
    if (kind->mark == kGpt2Mark) facts.activation = activation_of_gpt2(files);
    if (kind->mark == kEarlyMinGptMark) facts.activation = "gelu";
    if (kind->type == "bert") facts.why_not = why_not_bert(files, *kind);
    if (!facts.why_not.empty()) facts.type = "";
    const int width = side_of(files, kind->token, 1), rows = side_of(files, kind->mlp, 0);
    const std::pair<std::string_view, int> sizes[] = {
        {kind->keys.width, width},
        {kind->keys.layers, count_layers(files, *kind)},
        {kind->keys.vocabulary, side_of(files, kind->token, 0)},
        {kind->keys.positions, side_of(files, kind->position, 0)},
        {kind->keys.mlp, rows == width ? side_of(files, kind->mlp, 1) : rows},
        {kind->keys.types, side_of(files, kind->type_rows, 0)},
    };
    for (const auto& size : sizes)
        if (size.second > 0) facts.sizes.push_back(size);
    return facts;
}

bool is_buffer_tensor(std::string_view name) {
    return std::ranges::any_of(
        std::array<std::string_view, 10>{"attn.bias", "attn.masked_bias", "attention.bias", "attention.masked_bias",
                                         "att.mask", "attn.mask", "tril", "position_ids", "token_type_ids",
                                         "rotary_emb.inv_freq"},
        [&](std::string_view end) { return is_name_behind(name, end); });
}

std::string_view module_tensor(const TensorFiles& files) {
    if (facts_of_tensors(files).kind != nullptr) return "";
    for (const std::string_view end :
         {"in_proj_weight", "c_attn.weight", "qkv.weight", "to_qkv.weight", "query.weight", "W_query.weight",
          "to_q.weight", "q_proj.weight", "W_q.weight", "w_q.weight", "wq.weight", "W_query", "W_q", "w_query"}) {
        const auto is_it = [&](const FiledTensor& filed) { return is_name_behind(filed.tensor.name, end); };
        const auto found = std::ranges::find_if(files.tensors(), is_it);
        if (found != files.tensors().end()) return found->tensor.name;
    }
    return "";
}

}  // namespace attn
