// Layers in their order, then the head.
#include "model/layers/model_run.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "core/ground/check.h"
#include "core/ground/portable_math.h"
#include "model/layers/activations.h"

namespace attn {
namespace {

constexpr std::int64_t kNoBound = std::numeric_limits<std::int64_t>::max();

// What the unembedding is multiplied with: BERT's head has a layer of its own before it.
Matrix head_rows(const Model& model, const Matrix& rows) {
    const ModelWeights& weights = model.weights;
    ATTN_CHECK(weights.unembedding.is_there(), "this model has no logits");
    if (!weights.head_dense.is_there()) return rows;
    Matrix dense = multiply(rows, weights.head_dense);
    activate(model.config.activation, elements(dense), {});
    return norm_rows(model.config, weights.head_norm, dense);
}

Matrix one_row(const Matrix& matrix, int row) {
    Matrix one = unset<Matrix>(1, matrix.shape(1));
    std::ranges::copy(row_of(matrix, row), one.begin());
    return one;
}

}  // namespace

ModelRun::ModelRun(const Model& model, ModelInput input) : model_(&model), input_(std::move(input)) {
    const std::string problem = find_input_problem(model.config, input_);
    ATTN_CHECK(problem.empty(), problem);
    streams_.push_back(embed(model, input_));
}

LayerWork ModelRun::layer_work(int layer) const {
    ATTN_CHECK(layer <= num_layers_done(), "layer ", layer, " cannot be computed yet");
    return {*model_, input_, layer, stream(layer)};
}

bool ModelRun::advance_to(int layer, std::int64_t multiply_adds) {
    while (num_layers_done() < layer && multiply_adds > 0) {
        if (!work_) work_.emplace(layer_work(num_layers_done()));
        if (!work_->advance(multiply_adds)) continue;
        streams_.push_back(std::move(work_->trace().after));
        work_.reset();
    }
    return num_layers_done() >= layer;
}

Matrix ModelRun::final_stream() const {
    ATTN_CHECK(is_done(), "only ", num_layers_done(), " layers are computed");
    if (model_->config.norms_after) return streams_.back();
    return norm_rows(model_->config, model_->weights.final_norm, streams_.back());
}

LogitsWork::LogitsWork(const Model& model, const Matrix& rows)
    : head_(head_rows(model, rows)), product_(model.weights.unembedding) {}

LogitsWork::LogitsWork(const Model& model, const Matrix& final_stream, int row)
    : LogitsWork(model, one_row(final_stream, row)) {}

bool LogitsWork::advance(std::int64_t multiply_adds) {
    return product_.is_done() || product_.advance(head_, logits_, multiply_adds);
}

RowLogits::RowLogits(const Model& model, ModelInput input, int row)
    : model_(&model), row_(row), run_(std::make_unique<ModelRun>(model, std::move(input))) {
    ATTN_CHECK(row >= 0 && row < run_->input().num_tokens(), "row ", row);
}

bool RowLogits::advance(std::int64_t multiply_adds) {
    if (logits_) return logits_->advance(multiply_adds);
    if (!run_->advance(multiply_adds)) return false;
    logits_.emplace(*model_, run_->final_stream(), row_);
    run_.reset();
    return false;
}

std::span<const float> RowLogits::logits() const {
    ATTN_CHECK(is_done(), "the logits are still being computed");
    return elements(logits_->logits());
}

std::vector<float> probabilities_of(std::span<const float> logits) {
    double most = -std::numeric_limits<double>::infinity();
    for (const float logit : logits) most = std::isnan(logit) ? NAN : std::max(most, static_cast<double>(logit));
    double sum = 0;
    for (const float logit : logits) sum += portable::exp(static_cast<double>(logit) - most);
    std::vector<float> probabilities;
    for (const float logit : logits)
        probabilities.push_back(static_cast<float>(portable::exp(static_cast<double>(logit) - most) / sum));
    return probabilities;
}

Matrix logits_of(const Model& model, const ModelInput& input) {
    ModelRun run(model, input);
    run.advance(kNoBound);
    LogitsWork work(model, run.final_stream());
    work.advance(kNoBound);
    return work.logits();
}

}  // namespace attn
