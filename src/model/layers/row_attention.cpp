// Projections of the rows, then head after head over all keys that are kept.
#include "model/layers/row_attention.h"

#include <algorithm>
#include <span>
#include <utility>

#include "core/attention/rms_norm.h"
#include "core/attention/rotary.h"
#include "core/ground/check.h"
#include "core/ground/memory_room.h"
#include "model/layers/activations.h"

namespace attn {
namespace {

// Of rows that are mixed without a break: some milliseconds in a browser.
constexpr std::int64_t kMultiplyAddsAtOnce = 1 << 26;
constexpr std::int64_t kFewestRows = 16;  // whole tiles

std::size_t as_size(int n) {
    return static_cast<std::size_t>(n);
}

}  // namespace

Matrix placed_rows(const Model& model, Matrix rows, int first) {
    if (model.config.positions != PositionKind::queries_and_keys) return rows;
    std::vector<float> position(rows.shape(1));
    for (int i = 0; i < length(rows, 0); ++i) {
        model.weights.position_embedding->copy(std::int64_t{first + i} * length(rows, 1), position);
        const std::span<float> row = row_of(rows, i);
        for (std::size_t c = 0; c < row.size(); ++c) row[c] += position[c];
    }
    return rows;
}

void finish_role(const ModelConfig& config, const NormWeights& norm, const RowsOfText& at, Matrix& rows) {
    const bool turns = config.turns(at.layer);
    if (!turns && config.query_key_norm == QueryKeyNorm::none) return;
    const std::vector<float> weight = norm.weights();
    const RopeScaling& rope = config.rope_of(at.layer);
    const auto head_dim = static_cast<std::size_t>(config.head_dim);
    for (int i = 0; i < length(rows, 0); ++i) {
        const std::span<float> row = row_of(rows, i);
        const Rotation rotation = turns ? rope_rotation(rope, at.first + i, at.num_tokens) : Rotation();
        if (config.query_key_norm == QueryKeyNorm::whole) rms_norm(row, weight, config.norm_eps, row);
        for (std::size_t begin = 0; begin < row.size(); begin += head_dim) {
            const std::span<float> head = row.subspan(begin, head_dim);
            if (config.query_key_norm == QueryKeyNorm::heads) rms_norm(head, weight, config.norm_eps, head);
            if (turns) rotate(config.pairs, rotation, head.first(static_cast<std::size_t>(rope.dim)));
        }
    }
}

RowAttention::RowAttention(const Model& model, const LayerWeights& weights, int layer, Matrix input, int num_tokens,
                           const KeysAndValues* kept)
    : model_(&model),
      weights_(&weights),
      layer_(layer),
      first_(num_tokens - length(input, 0)),
      num_tokens_(num_tokens),
      kept_(kept),
      input_(std::move(input)) {
    ATTN_CHECK(first_ == 0 || (kept != nullptr && kept->num_tokens() >= first_), "nothing is kept of ", first_,
               " tokens");
    if (model.config.positions == PositionKind::queries_and_keys) placed_ = placed_rows(model, input_, first_);
}

bool RowAttention::project(const LinearWeights& linear, const Matrix& x, Matrix& rows, std::int64_t& multiply_adds) {
    if (!product_) product_.emplace(linear);
    if (!product_->advance(x, rows, multiply_adds)) return false;
    product_.reset();
    return true;
}

// Behind the rows of the tokens before.
void RowAttention::keep(const Matrix& rows, Cube KeysAndValues::* role) {
    const int head_dim = model_->config.head_dim;
    Cube& all = all_kept_.*role;
    all = unset<Cube>(model_->config.num_kv_heads, num_tokens_, head_dim);
    for (int h = 0; h < length(all, 0); ++h) {
        float* to = head_of(all, h).data();
        if (first_ > 0) to = std::ranges::copy(head_of(kept_->*role, h).first(as_size(first_ * head_dim)), to).out;
        for (int i = 0; i < length(rows, 0); ++i)
            to = std::ranges::copy(row_of(rows, i).subspan(as_size(h * head_dim), as_size(head_dim)), to).out;
    }
}

void RowAttention::begin_heads() {
    const ModelConfig& config = model_->config;
    const MaskWindow window = {.keys = config.windows[as_size(layer_)]};
    visible_.assign(as_size(num_tokens_), num_tokens_);
    if (window.keys != 0) {
        hidden_ = make_mask(config.mask, num_tokens_, window);
        for (int i = first_; i < num_tokens_; ++i)
            visible_[as_size(i)] = visible_in(row_of(hidden_, i).data(), as_size(num_tokens_));
    } else if (config.mask == Mask::causal) {
        for (int i = 0; i < num_tokens_; ++i) visible_[as_size(i)] = i + 1;
    }
    queries_.resize(as_size(num_tokens_) * as_size(config.head_dim));
    mixed_.resize(queries_.size());
    merged_ = unset<Matrix>(num_tokens_ - first_, config.attention_width());
    require_memory(attention_.reserve(as_size(num_tokens_), as_size(config.head_dim)));
    row_ = first_;
}

void RowAttention::attend_rows(std::int64_t& multiply_adds) {
    const ModelConfig& config = model_->config;
    const int kv_head = head_ / (config.num_heads / config.num_kv_heads);
    const AttentionSettings settings = {.num_heads = config.num_heads,
                                        .scale = config.scale,
                                        .temperature = config.temperature,
                                        .alibi = {.is_on = config.positions == PositionKind::alibi}};
    const HeadProblem problem = {.num_tokens = as_size(num_tokens_),
                                 .head_dim = as_size(config.head_dim),
                                 .query = queries_.data(),
                                 .key = head_of(std::as_const(all_kept_.keys), kv_head).data(),
                                 .value = head_of(std::as_const(all_kept_.values), kv_head).data(),
                                 .divisor = score_divisor(settings, config.head_dim),
                                 .cap = config.score_cap,
                                 .slope = static_cast<float>(slope_of_head(settings, head_)),
                                 .visible = visible_.data(),
                                 .hidden = hidden_.size() == 0 ? nullptr : hidden_.data()};
    const std::size_t dim = problem.head_dim;
    const auto part_of = [&](Matrix& matrix, int i) {
        return row_of(matrix, i - first_).subspan(as_size(head_) * dim, dim);
    };
    if (row_ == first_) {
        for (int i = first_; i < num_tokens_; ++i) std::ranges::copy(part_of(query_, i), &queries_[as_size(i) * dim]);
        attention_.begin(problem);
    }
    const std::int64_t of_row = 2 * std::int64_t{num_tokens_} * config.head_dim;
    const std::int64_t most = std::max(kFewestRows, kMultiplyAddsAtOnce / of_row / kFewestRows * kFewestRows);
    const int end = static_cast<int>(std::min<std::int64_t>(num_tokens_, row_ + most));
    attention_.make_rows(problem, as_size(row_), as_size(end), {.context = mixed_.data()});
    for (int i = row_; i < end; ++i) std::copy_n(&mixed_[as_size(i) * dim], dim, part_of(merged_, i).data());
    multiply_adds -= of_row * (end - row_);
    row_ = end;
    if (row_ < num_tokens_) return;
    row_ = first_;
    if (++head_ == config.num_heads) step_ = Step::done;
}

void RowAttention::run(std::int64_t& multiply_adds) {
    const Matrix& placed = placed_.size() == 0 ? input_ : placed_;
    switch (step_) {
        case Step::query:
            if (!project(weights_->query, placed, query_, multiply_adds)) return;
            finish_role(model_->config, weights_->query_norm, {layer_, first_, num_tokens_}, query_);
            step_ = Step::key;
            return;
        case Step::key:
            if (!project(weights_->key, placed, key_, multiply_adds)) return;
            finish_role(model_->config, weights_->key_norm, {layer_, first_, num_tokens_}, key_);
            keep(key_, &KeysAndValues::keys);
            step_ = Step::value;
            return;
        case Step::value:
            if (!project(weights_->value, input_, value_, multiply_adds)) return;
            keep(value_, &KeysAndValues::values);
            begin_heads();
            step_ = Step::heads;
            return;
        case Step::heads:
            attend_rows(multiply_adds);
            return;
        case Step::done:
            return;
    }
}

bool RowAttention::advance(std::int64_t& multiply_adds) {
    do run(multiply_adds);
    while (!is_done() && multiply_adds > 0);
    return is_done();
}

}  // namespace attn
