// Matrices come out of their panels some columns at a time, queries and keys out of products in blocks.
#include "model/layers/problem_work.h"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include "core/ground/check.h"
#include "model/layers/activations.h"
#include "model/layers/row_attention.h"

namespace attn {
namespace {

// A number of a matrix is read, widened and written to memory that was not there before while a core makes so many
// multiply-adds.
constexpr int kMultiplyAddsACopy = 16;

bool types_its_queries(const ModelConfig& config) {
    const bool is_placed =
        config.positions == PositionKind::rotary || config.positions == PositionKind::queries_and_keys;
    return is_placed || config.query_key_norm != QueryKeyNorm::none;
}

}  // namespace

ProblemWork::ProblemWork(const Model& model, int layer, const Matrix& before, std::vector<LayerEdit> edits,
                         std::optional<Shared<Projections>> projections)
    : model_(&model),
      layer_(layer),
      before_(&before),
      edits_(std::move(edits)),
      edited_(model, layer, edits_),
      step_(projections ? Step::input : Step::projections) {
    if (projections) problem_.projections = std::move(*projections);
}

void ProblemWork::make_projections(std::int64_t& multiply_adds) {
    struct Target {
        const LinearWeights* linear;
        Matrix* matrix;
        Vector* bias;
    };
    const LayerWeights& weights = edited_.weights();
    const std::array<Target, 4> targets = {{{&weights.query, &made_.w_query, &made_.b_query},
                                            {&weights.key, &made_.w_key, &made_.b_key},
                                            {&weights.value, &made_.w_value, &made_.b_value},
                                            {&weights.out, &made_.w_out, &made_.b_out}}};
    const bool has_out = model_->config.attention_width() == model_->config.width;
    const Target& target = targets[static_cast<std::size_t>(matrix_)];
    const LinearWeights& linear = *target.linear;
    const int first = linear.first_output;
    if (!linear.weight->asks_for_columns(first + column_, 1, first + linear.outputs)) {
        multiply_adds = std::min<std::int64_t>(multiply_adds, 0);
        return;
    }
    if (column_ == 0) *target.matrix = unset<Matrix>(linear.inputs, linear.outputs);
    const int count = std::min(
        {LinearWeights::kColumnsTogether, linear.outputs - column_, linear.weight->columns_in_part(first + column_)});
    linear.copy_columns(column_, count, *target.matrix);
    column_ += count;
    multiply_adds -= std::int64_t{kMultiplyAddsACopy} * linear.inputs * count;
    if (column_ < linear.outputs) return;
    *target.bias = linear.bias_vector();
    column_ = 0;
    if (++matrix_ < (has_out ? 4 : 3)) return;
    problem_.projections = std::move(made_);
    step_ = Step::input;
}

void ProblemWork::make_input() {
    const ModelConfig& config = model_->config;
    problem_.embeddings = config.norms_inputs() ? norm_rows(config, edited_.weights().norm_1, *before_) : *before_;
    edit_attention_input(layer_, edits_, problem_.embeddings);
    AttentionSettings& settings = problem_.settings;
    settings.num_heads = config.num_heads;
    settings.num_kv_heads = config.num_kv_heads == config.num_heads ? 0 : config.num_kv_heads;
    settings.mask = config.mask;
    settings.window.keys = config.windows[static_cast<std::size_t>(layer_)];
    settings.scale = config.scale;
    settings.temperature = config.temperature;
    settings.score_cap = config.score_cap;
    settings.alibi.is_on = config.positions == PositionKind::alibi;
    problem_.hidden = make_mask(settings.mask, length(*before_, 0), settings.window);
    edit_mask(layer_, edits_, problem_.hidden);
    if (types_its_queries(config)) placed_ = placed_rows(*model_, problem_.embeddings, 0);
}

void ProblemWork::type_role(TensorId role, const LinearWeights& linear, const NormWeights& norm, Step next,
                            std::int64_t& multiply_adds) {
    if (!product_) product_.emplace(linear);
    if (!product_->advance(placed_, rows_, multiply_adds)) return;
    product_.reset();
    finish_role(model_->config, norm, {.layer = layer_, .first = 0, .num_tokens = length(rows_, 0)}, rows_);
    for (int i = 0; i < length(rows_, 0); ++i) {
        for (int c = 0; c < length(rows_, 1); ++c)
            problem_.typed_roles.push_back({.role = role, .row = i, .column = c, .value = rows_(i, c)});
    }
    multiply_adds -= std::int64_t{kMultiplyAddsACopy} * static_cast<std::int64_t>(rows_.size());
    step_ = next;
}

void ProblemWork::run(std::int64_t& multiply_adds) {
    const LayerWeights& weights = edited_.weights();
    switch (step_) {
        case Step::projections:
            return make_projections(multiply_adds);
        case Step::input:
            make_input();
            multiply_adds -= static_cast<std::int64_t>(before_->size());
            if (types_its_queries(model_->config)) {
                step_ = Step::queries;
                return;
            }
            break;
        case Step::queries:
            return type_role(TensorId::queries, weights.query, weights.query_norm, Step::keys, multiply_adds);
        case Step::keys:
            type_role(TensorId::keys, weights.key, weights.key_norm, Step::done, multiply_adds);
            if (step_ != Step::done) return;
            break;
        case Step::done:
            return;
    }
    edit_roles(layer_, edits_, problem_.typed_roles);
    step_ = Step::done;
}

bool ProblemWork::advance(std::int64_t& multiply_adds) {
    do run(multiply_adds);
    while (!is_done() && multiply_adds > 0);
    return is_done();
}

AttentionProblem layer_problem(const Model& model, int layer, const Matrix& before, std::span<const LayerEdit> edits) {
    ProblemWork work(model, layer, before, {edits.begin(), edits.end()});
    std::int64_t multiply_adds = std::numeric_limits<std::int64_t>::max();
    const bool is_done = work.advance(multiply_adds);
    ATTN_CHECK(is_done, "the layer's numbers were not asked for");
    return work.take();
}

}  // namespace attn
