// One run of the model after the other, each with other heads off.
#include "model/roles/ablation.h"

#include <algorithm>
#include <utility>

#include "core/ground/check.h"

namespace attn {
namespace {

double at_token(const std::vector<float>& probabilities, int token) {
    return static_cast<double>(probabilities[static_cast<std::size_t>(token)]);
}

}  // namespace

double ablation_numbers(const ModelConfig& config) {
    const double heads = config.num_heads;
    return (1 + config.num_layers * heads + heads * (heads - 1) / 2) * config.vocabulary;
}

double ablation_cost(const Model& model, int num_tokens) {
    const ModelConfig& config = model.config;
    const double heads = config.num_heads, layers = config.num_layers, width = config.width;
    const double matrices =
        2.0 * (config.attention_width() + config.kv_width()) + (config.is_gated ? 3.0 : 2.0) * config.mlp_width;
    // All layers once; those from a head's on for each head; the last one for each two of its heads.
    const double num_layers_run = layers + heads * layers * (layers + 1) / 2 + heads * (heads - 1) / 2;
    return num_layers_run * num_tokens * width * (matrices + 2.0 * num_tokens) + ablation_numbers(config) * width;
}

AblationWork::AblationWork(const Model& model, ModelInput input, int row) : row_(row) {
    ATTN_CHECK(row >= 0 && row < input.num_tokens(), "row ", row);
    const int num_layers = model.config.num_layers, num_heads = model.config.num_heads;
    result_.num_layers = num_layers;
    result_.num_heads = num_heads;
    waiting_.emplace_back();
    for (int layer = 0; layer < num_layers; ++layer)
        for (int head = 0; head < num_heads; ++head) waiting_.push_back({{layer, head}});
    for (int second = 1; second < num_heads; ++second)
        for (int first = 0; first < second; ++first)
            waiting_.push_back({{num_layers - 1, first}, {num_layers - 1, second}});
    std::ranges::reverse(waiting_);
    input.off.clear();
    whole_ = std::make_shared<ModelRun>(model, std::move(input));
    logits_.emplace(whole_, row_);
}

void AblationWork::begin_next() {
    ModelInput input = whole_->input();
    input.off = waiting_.back();
    const int layer = input.off.front().layer;
    logits_.emplace(std::make_shared<ModelRun>(*whole_, std::move(input), layer), row_);
}

bool AblationWork::advance(std::int64_t multiply_adds) {
    if (waiting_.empty()) return true;
    if (!logits_->advance(multiply_adds)) return false;
    std::vector<float> probabilities = probabilities_of(logits_->logits());
    const std::size_t num_off = waiting_.back().size();
    waiting_.pop_back();
    if (num_off == 0) {
        result_.whole = std::move(probabilities);
    } else {
        (num_off == 1 ? result_.alone : result_.pairs).push_back(std::move(probabilities));
    }
    logits_.reset();
    if (!waiting_.empty()) begin_next();
    return waiting_.empty();
}

bool DecidingHeads::decides() const {
    return lost() >= kDecidingShare * before && before > 0;
}

DecidingHeads deciding_heads(const Ablations& ablations, int layer, int token) {
    const double before = at_token(ablations.whole, token);
    DecidingHeads most = {.heads = {0}, .before = before, .after = at_token(ablations.without(layer, 0), token)};
    const auto try_heads = [&](std::vector<int> heads, const std::vector<float>& probabilities) {
        const double after = at_token(probabilities, token);
        if (after < most.after) most = {.heads = std::move(heads), .before = before, .after = after};
    };
    for (int head = 1; head < ablations.num_heads; ++head) try_heads({head}, ablations.without(layer, head));
    if (most.decides() || layer + 1 != ablations.num_layers) return most;
    for (int second = 1; second < ablations.num_heads; ++second)
        for (int first = 0; first < second; ++first) try_heads({first, second}, ablations.without_pair(first, second));
    return most;
}

}  // namespace attn
