// The steps of a layer, one after the other.
#include "model/layers/layer_work.h"

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "core/ground/check.h"
#include "model/layers/activations.h"

namespace attn {
namespace {

Matrix add(const Matrix& a, const Matrix& b) {
    Matrix sum = a;
    for (std::size_t i = 0; i < sum.size(); ++i) sum.data()[i] += b.data()[i];
    return sum;
}

}  // namespace

std::vector<EmbeddedRow> embedded_rows(const Model& model, const ModelInput& input, int token,
                                       std::span<const int> positions) {
    using Of = EmbeddedRow::Of;
    const ModelWeights& weights = model.weights;
    const auto at = static_cast<std::size_t>(token);
    std::vector<EmbeddedRow> rows = {{.of = Of::token,
                                      .table = weights.token_embedding,
                                      .row = input.ids[at],
                                      .scale = model.config.embedding_scale}};
    if (model.config.positions == PositionKind::learned && weights.position_embedding != nullptr)
        rows.push_back({.of = Of::position, .table = weights.position_embedding, .row = positions[at]});
    if (weights.type_embedding != nullptr)
        rows.push_back(
            {.of = Of::type, .table = weights.type_embedding, .row = input.types.empty() ? 0 : input.types[at]});
    return rows;
}

Matrix embed(const Model& model, const ModelInput& input) {
    Matrix x = zeros<Matrix>(input.num_tokens(), model.config.width);
    const std::vector<int> positions = position_rows_of(model.config, input);
    std::vector<float> numbers(static_cast<std::size_t>(model.config.width));
    for (int i = 0; i < input.num_tokens(); ++i) {
        for (const EmbeddedRow& one : embedded_rows(model, input, i, positions)) {
            one.table->copy(std::int64_t{one.row} * model.config.width, numbers);
            const std::span<float> row = row_of(x, i);
            for (std::size_t c = 0; c < row.size(); ++c) row[c] += numbers[c] * one.scale;
        }
    }
    const NormWeights& norm = model.weights.embedding_norm;
    return norm.weight == nullptr ? x : norm_rows(model.config, norm, x);
}

BlockParts block_parts(const Model& model, int layer, bool replaces_heads) {
    const ModelConfig& config = model.config;
    const bool is_last = layer + 1 == config.num_layers;
    return {.is_there = true,
            .norms_inputs = config.norms_inputs(),
            .norms_sums = config.norms_sums(),
            .norms_outputs = config.norms_outputs(),
            .is_parallel = config.is_parallel,
            .has_output = !replaces_heads && config.attention_width() == config.width,
            .mlp_width = config.mlp_width,
            .has_mlp_gate = model.weights.layers[static_cast<std::size_t>(layer)].mlp_gate.is_there(),
            .is_last = is_last,
            .has_own_head = is_last && model.weights.head_dense.is_there()};
}

Matrix norm_last(const Model& model, const Matrix& stream) {
    return model.config.norms_sums() ? stream : norm_rows(model.config, model.weights.final_norm, stream);
}

void finish_logit_input(const Model& model, Matrix& dense) {
    activate(model.config.head_activation, elements(dense), {});
    dense = norm_rows(model.config, model.weights.head_norm, dense);
}

void switch_heads_off(const Model& model, const ModelInput& input, int layer, Matrix& merged) {
    const int T = length(merged, 0), head_dim = model.config.head_dim;
    for (int h = 0; h < model.config.num_heads; ++h) {
        if (!input.is_off(layer, h)) continue;
        for (int column = h * head_dim; column < (h + 1) * head_dim; ++column) {
            double sum = 0;
            for (int i = 0; i < T; ++i) sum += static_cast<double>(merged(i, column));
            const float instead = input.off_by == OffBy::mean ? static_cast<float>(sum / T) : 0.0F;
            for (int i = 0; i < T; ++i) merged(i, column) = instead;
        }
    }
}

int num_taken_keys(const TakenRow& taken, int num_tokens) {
    return std::min(static_cast<int>(taken.numbers.size()), num_tokens);
}

void take_heads(const Model& model, const TakenRows& taken, const Cube& values, Matrix& merged) {
    const ModelConfig& config = model.config;
    for (const TakenRow& one : taken) {
        const Patch& patch = one.patch;
        if (!is_of_head(patch.of)) continue;
        float* to = &merged(patch.row, patch.head * config.head_dim);
        if (patch.of == PatchOf::head) {
            std::ranges::copy(one.numbers, to);
            continue;
        }
        const int kv_head = patch.head / (config.num_heads / config.num_kv_heads);
        for (int c = 0; c < config.head_dim; ++c) {
            double sum = 0;
            for (int key = 0; key < num_taken_keys(one, length(values, 1)); ++key)
                sum += static_cast<double>(one.numbers[static_cast<std::size_t>(key)]) *
                       static_cast<double>(values(kv_head, key, c));
            to[c] = static_cast<float>(sum);
        }
    }
}

LayerWork::LayerWork(const Model& model, const ModelInput& input, int layer, Matrix before, TakenRows taken)
    : model_(&model), input_(&input), layer_(layer), taken_(std::move(taken)), edited_(model, layer, input.edits) {
    ATTN_CHECK(layer >= 0 && layer < model.config.num_layers, "layer is ", layer);
    trace_.before = std::move(before);
}

LayerWork LayerWork::of_last_rows(const Model& model, const ModelInput& input, int layer, Matrix before,
                                  std::shared_ptr<const KeysAndValues> kept, TakenRows taken) {
    ATTN_CHECK(input.edits.empty(), "an edited layer is computed as a whole");
    LayerWork work(model, input, layer, std::move(before), std::move(taken));
    work.has_last_rows_alone_ = true;
    work.kept_ = std::move(kept);
    return work;
}

LayerWork LayerWork::around(const Model& model, const ModelInput& input, int layer, Matrix before,
                            const AttentionTrace& attention, TakenRows taken) {
    LayerWork work(model, input, layer, std::move(before), std::move(taken));
    work.trace_.attention.output = attention.output;
    work.trace_.merged = attention.merged;
    work.replace_heads(attention.value);
    work.step_ = Step::output;
    work.goes_behind_ = layer + 1 == model.config.num_layers;
    return work;
}

void LayerWork::replace_heads(const Cube& values) {
    switch_heads_off(*model_, *input_, layer_, trace_.merged);
    take_heads(*model_, taken_, values, trace_.merged);
}

void LayerWork::begin_rows() {
    const ModelConfig& config = model_->config;
    Matrix input = config.norms_inputs() ? norm_rows(config, weights().norm_1, trace_.before) : trace_.before;
    rows_.emplace(*model_, weights(), layer_, std::move(input), input_->num_tokens(), kept_.get());
}

void LayerWork::finish_attention() {
    const ModelConfig& config = model_->config;
    if (config.norms_outputs()) {
        trace_.attention_out = std::move(trace_.attention_added);
        trace_.attention_added = norm_rows(config, weights().out_norm_1, trace_.attention_out);
    }
    trace_.middle = add(trace_.before, trace_.attention_added);
    if (config.norms_sums()) trace_.middle = norm_rows(config, weights().norm_1, trace_.middle);
    if (config.mlp_width == 0) {
        trace_.after = trace_.middle;
        finish_layer();
        return;
    }
    const Matrix& stream = config.is_parallel ? trace_.before : trace_.middle;
    trace_.mlp_input = config.norms_inputs() ? norm_rows(config, weights().norm_2, stream) : stream;
    step_ = weights().mlp_gate.is_there() ? Step::mlp_gate : Step::mlp_in;
}

void LayerWork::finish_mlp() {
    const ModelConfig& config = model_->config;
    if (config.norms_outputs()) {
        trace_.mlp_out = std::move(trace_.mlp_added);
        trace_.mlp_added = norm_rows(config, weights().out_norm_2, trace_.mlp_out);
    }
    for (const TakenRow& one : taken_)
        if (one.patch.of == PatchOf::mlp)
            std::ranges::copy(one.numbers, row_of(trace_.mlp_added, one.patch.row).begin());
    trace_.after = add(trace_.middle, trace_.mlp_added);
    if (config.norms_sums()) trace_.after = norm_rows(config, weights().norm_2, trace_.after);
    finish_layer();
}

void LayerWork::finish_layer() {
    step_ = Step::done;
    if (!goes_behind_) return;
    trace_.final_stream = norm_last(*model_, trace_.after);
    if (model_->weights.head_dense.is_there()) step_ = Step::head;
}

bool LayerWork::multiply_into(const LinearWeights& linear, const Matrix& x, Matrix& out, Step next,
                              std::int64_t& multiply_adds) {
    if (!product_) product_.emplace(linear);
    if (!product_->advance(x, out, multiply_adds)) return false;
    product_.reset();
    step_ = next;
    return true;
}

void LayerWork::run(std::int64_t& multiply_adds) {
    switch (step_) {
        case Step::problem: {
            if (has_last_rows_alone_) {
                begin_rows();
            } else {
                if (!problem_) problem_.emplace(*model_, layer_, trace_.before, input_->edits);
                if (!problem_->advance(multiply_adds)) return;
                trace_.problem = problem_->take();
                trace_.problem.block = block_parts(*model_, layer_, replaces_heads());
                problem_.reset();
                attention_ = AttentionWork(trace_.problem, trace_.attention, -1);
            }
            multiply_adds -= static_cast<std::int64_t>(trace_.before.size());
            step_ = Step::attention;
            return;
        }
        case Step::attention: {
            if (rows_) {
                if (!rows_->advance(multiply_adds)) return;
                trace_.merged = std::move(rows_->merged());
            } else {
                const std::int64_t done = attention_.multiply_adds_done();
                const bool is_done = attention_.advance(trace_.problem, trace_.attention, multiply_adds);
                multiply_adds -= attention_.multiply_adds_done() - done;
                if (!is_done) return;
                trace_.merged = trace_.attention.merged;
            }
            replace_heads(rows_ ? rows_->keys_and_values().values : trace_.attention.value);
            step_ = Step::output;
            return;
        }
        case Step::output:
            if (trace_.attention.output.size() != 0 && !replaces_heads()) {
                trace_.attention_added = trace_.attention.output;
                finish_attention();
            } else if (multiply_into(weights().out, trace_.merged, trace_.attention_added, Step::output,
                                     multiply_adds)) {
                finish_attention();
            }
            return;
        case Step::mlp_gate:
            multiply_into(weights().mlp_gate, trace_.mlp_input, trace_.mlp_gate, Step::mlp_in, multiply_adds);
            return;
        case Step::mlp_in:
            if (!multiply_into(weights().mlp_in, trace_.mlp_input, trace_.mlp_sums, Step::mlp_out, multiply_adds))
                return;
            trace_.mlp_hidden = trace_.mlp_sums;
            activate(model_->config.activation, elements(trace_.mlp_hidden), elements(trace_.mlp_gate));
            return;
        case Step::mlp_out:
            if (multiply_into(weights().mlp_out, trace_.mlp_hidden, trace_.mlp_added, Step::done, multiply_adds))
                finish_mlp();
            return;
        case Step::head:
            if (multiply_into(model_->weights.head_dense, trace_.final_stream, trace_.logit_input, Step::done,
                              multiply_adds))
                finish_logit_input(*model_, trace_.logit_input);
            return;
        case Step::done:
            return;
    }
}

bool LayerWork::advance(std::int64_t& multiply_adds) {
    do run(multiply_adds);
    while (!is_done() && multiply_adds > 0);
    return is_done();
}

}  // namespace attn
