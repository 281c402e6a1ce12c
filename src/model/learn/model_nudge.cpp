// A model with one tensor in another's place, and everything else shared.
#include "model/learn/model_nudge.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "core/ground/check.h"
#include "core/learn/nudge.h"
#include "model/layers/forward_reference.h"

namespace attn {
namespace {

void replace(const ModelTensor*& tensor, const ModelTensor& old, const ModelTensor& by) {
    if (tensor == &old) tensor = &by;
}

void replace(NormWeights& norm, const ModelTensor& old, const ModelTensor& by) {
    replace(norm.weight, old, by);
    replace(norm.bias, old, by);
}

void replace(LinearWeights& linear, const ModelTensor& old, const ModelTensor& by) {
    replace(linear.weight, old, by);
    replace(linear.bias, old, by);
}

// The model's weights with another tensor in the place of one; the others stay the model's.
Model with_tensor(const Model& model, const ModelTensor& old, std::unique_ptr<ModelTensor> tensor) {
    const ModelTensor& by = *tensor;
    Model changed{.config = model.config, .weights = model.weights, .tensors = {}};
    ModelWeights& weights = changed.weights;
    for (const ModelTensor** one : {&weights.token_embedding, &weights.position_embedding, &weights.type_embedding})
        replace(*one, old, by);
    for (NormWeights* one : {&weights.embedding_norm, &weights.final_norm, &weights.head_norm}) replace(*one, old, by);
    for (LinearWeights* one : {&weights.head_dense, &weights.unembedding}) replace(*one, old, by);
    for (LayerWeights& layer : weights.layers) {
        for (NormWeights* one :
             {&layer.norm_1, &layer.norm_2, &layer.out_norm_1, &layer.out_norm_2, &layer.query_norm, &layer.key_norm})
            replace(*one, old, by);
        for (LinearWeights* one :
             {&layer.query, &layer.key, &layer.value, &layer.out, &layer.mlp_gate, &layer.mlp_in, &layer.mlp_out})
            replace(*one, old, by);
    }
    changed.tensors.push_back(std::move(tensor));
    return changed;
}

}  // namespace

std::string find_loss_problem(const Model& model, const ModelInput& input) {
    if (!model.weights.unembedding.is_there()) return "This model has no logits: its files have no head.";
    if (model.config.mask != Mask::causal)
        return "This model does not write on, its tokens see those behind them: so no next word has a loss.";
    if (input.num_tokens() < 2) return "A loss is of next words, and the text has one token alone.";
    return "";
}

double text_loss_reference(const Model& model, const ModelInput& input) {
    const ReferenceForward forward = forward_reference(model, input);
    const int num_next = input.num_tokens() - 1;
    double loss = 0;
    for (int i = 0; i < num_next; ++i) loss += surprise(forward, i, input.ids[static_cast<std::size_t>(i) + 1]);
    return loss / num_next;
}

ModelNudge nudge_model(const Model& model, const ModelInput& input, const ModelTensor& tensor, std::int64_t number) {
    const auto at = static_cast<std::size_t>(number);
    std::vector<float> numbers = numbers_of(&tensor);
    ATTN_CHECK(number >= 0 && at < numbers.size(), "number ", number, " of ", numbers.size());
    const double there = static_cast<double>(numbers[at]);
    const auto up = static_cast<float>(there + kNudge), down = static_cast<float>(there - kNudge);
    const auto loss_with = [&](float moved) {
        numbers[at] = moved;
        return text_loss_reference(with_tensor(model, tensor, tensor.with_numbers(numbers)), input);
    };
    ModelNudge nudge;
    nudge.epsilon = (static_cast<double>(up) - static_cast<double>(down)) / 2;
    nudge.up = loss_with(up);
    nudge.down = loss_with(down);
    return nudge;
}

namespace {

// The layout of what a training learns, where this is such a model.
std::optional<LearnedLayout> learned_layout(const Model& model) {
    const ModelConfig& config = model.config;
    const bool is_plain_llama = config.kind == ModelKind::llama && config.num_kv_heads == config.num_heads &&
                                config.attention_width() == config.width && config.turned.empty() &&
                                config.rope.type == RopeType::plain && config.rope.dim == config.head_dim &&
                                std::ranges::all_of(config.windows, [](int window) { return window == 0; });
    const bool has_own_head = model.weights.unembedding.weight != model.weights.token_embedding;
    const bool is_plain_gpt2 =
        config.kind == ModelKind::gpt2 && config.activation == Activation::gelu_tanh && config.scale == Scale::sqrt;
    if ((!is_plain_gpt2 && !is_plain_llama) || has_own_head) return std::nullopt;
    return LearnedLayout({.kind = config.kind,
                          .vocabulary = config.vocabulary,
                          .positions = config.max_positions,
                          .width = config.width,
                          .num_layers = config.num_layers,
                          .num_heads = config.num_heads,
                          .mlp_width = config.mlp_width,
                          .norm_eps = config.norm_eps,
                          .rope_base = config.rope.base});
}

}  // namespace

std::optional<double> gradient_of_number(const Model& model, const ModelInput& input, const ModelTensor& tensor,
                                         std::int64_t number) {
    if (num_parameters(model) > kMostGradients || !input.edits.empty() || !input.off.empty()) return std::nullopt;
    const std::optional<LearnedLayout> layout = learned_layout(model);
    if (!layout) return std::nullopt;
    constexpr std::string_view kPrefix = "transformer.";
    std::string_view name = tensor.name();
    if (name.starts_with(kPrefix)) name.remove_prefix(kPrefix.size());
    const LearnedTensor* learned = layout->find(name);
    const Result<std::vector<float>> numbers = numbers_of_model(*layout, model);
    if (learned == nullptr || !numbers) return std::nullopt;
    const TextBatch text = {.num_texts = 1, .num_tokens = input.num_tokens() - 1, .ids = input.ids};
    return model_gradients_reference(*layout, *numbers, text)
        .gradients.at(learned->begin + static_cast<std::size_t>(number));
}

}  // namespace attn
