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

void add_row(const ModelTensor* table, int row, std::span<float> to) {
    if (table == nullptr) return;
    std::vector<float> numbers(to.size());
    table->copy(std::int64_t{row} * static_cast<std::int64_t>(to.size()), numbers);
    for (std::size_t c = 0; c < to.size(); ++c) to[c] += numbers[c];
}

Matrix add(const Matrix& a, const Matrix& b) {
    Matrix sum = a;
    for (std::size_t i = 0; i < sum.size(); ++i) sum.data()[i] += b.data()[i];
    return sum;
}

}  // namespace

Matrix embed(const Model& model, const ModelInput& input) {
    const ModelWeights& weights = model.weights;
    Matrix x = zeros<Matrix>(input.num_tokens(), model.config.width);
    for (int i = 0; i < input.num_tokens(); ++i) {
        const std::size_t at = static_cast<std::size_t>(i);
        add_row(weights.token_embedding, input.ids[at], row_of(x, i));
        if (model.config.positions == PositionKind::learned) add_row(weights.position_embedding, i, row_of(x, i));
        add_row(weights.type_embedding, input.types.empty() ? 0 : input.types[at], row_of(x, i));
    }
    return weights.embedding_norm.weight == nullptr ? x : norm_rows(model.config, weights.embedding_norm, x);
}

LayerWork::LayerWork(const Model& model, const ModelInput& input, int layer, Matrix before)
    : model_(&model), input_(&input), layer_(layer), edited_(model, layer, input.edits) {
    ATTN_CHECK(layer >= 0 && layer < model.config.num_layers, "layer is ", layer);
    trace_.before = std::move(before);
}

LayerWork LayerWork::of_last_rows(const Model& model, const ModelInput& input, int layer, Matrix before,
                                  std::shared_ptr<const KeysAndValues> kept) {
    ATTN_CHECK(input.edits.empty(), "an edited layer is computed as a whole");
    LayerWork work(model, input, layer, std::move(before));
    work.has_last_rows_alone_ = true;
    work.kept_ = std::move(kept);
    return work;
}

bool LayerWork::has_heads_off() const {
    return std::any_of(input_->off.begin(), input_->off.end(), [&](const HeadOff& off) { return off.layer == layer_; });
}

void LayerWork::begin_rows() {
    const ModelConfig& config = model_->config;
    Matrix input = config.norms_after ? trace_.before : norm_rows(config, weights().norm_1, trace_.before);
    rows_.emplace(*model_, weights(), layer_, std::move(input), input_->num_tokens(), kept_.get());
}

void LayerWork::switch_heads_off() {
    const int T = length(trace_.merged, 0), head_dim = model_->config.head_dim;
    for (int h = 0; h < model_->config.num_heads; ++h) {
        if (!input_->is_off(layer_, h)) continue;
        for (int column = h * head_dim; column < (h + 1) * head_dim; ++column) {
            double sum = 0;
            for (int i = 0; i < T; ++i) sum += static_cast<double>(trace_.merged(i, column));
            const float instead = input_->off_by == OffBy::mean ? static_cast<float>(sum / T) : 0.0F;
            for (int i = 0; i < T; ++i) trace_.merged(i, column) = instead;
        }
    }
}

void LayerWork::finish_attention() {
    const ModelConfig& config = model_->config;
    trace_.middle = add(trace_.before, trace_.attention_added);
    if (config.norms_after) trace_.middle = norm_rows(config, weights().norm_1, trace_.middle);
    if (config.mlp_width == 0) {
        trace_.after = trace_.middle;
        step_ = Step::done;
        return;
    }
    trace_.mlp_input = config.norms_after ? trace_.middle : norm_rows(config, weights().norm_2, trace_.middle);
    step_ = weights().mlp_gate.is_there() ? Step::mlp_gate : Step::mlp_in;
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
            switch_heads_off();
            step_ = Step::output;
            return;
        }
        case Step::output:
            if (trace_.attention.output.size() != 0 && !has_heads_off()) {
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
            if (!multiply_into(weights().mlp_out, trace_.mlp_hidden, trace_.mlp_added, Step::done, multiply_adds))
                return;
            trace_.after = add(trace_.middle, trace_.mlp_added);
            if (model_->config.norms_after) trace_.after = norm_rows(model_->config, weights().norm_2, trace_.after);
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
