// Layers in their order, then the head.
#include "model/layers/model_run.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <ranges>
#include <utility>

#include "core/attention/score_changes.h"
#include "core/ground/check.h"
#include "core/ground/portable_math.h"
#include "model/layers/activations.h"

namespace attn {
namespace {

constexpr std::int64_t kNoBound = std::numeric_limits<std::int64_t>::max();

Matrix rows_from(const Matrix& matrix, int first, int end) {
    Matrix rows = unset<Matrix>(end - first, matrix.shape(1));
    std::copy_n(row_of(matrix, first).begin(), rows.size(), rows.begin());
    return rows;
}

// What a patch takes over of a layer of the other text that is done.
std::vector<float> numbers_of(const Model& model, const LayerTrace& other, const Patch& patch) {
    const auto head = static_cast<std::ptrdiff_t>(patch.head),
               head_dim = static_cast<std::ptrdiff_t>(model.config.head_dim);
    if (patch.of == PatchOf::mlp) {
        const std::span<const float> row = row_of(other.mlp_added, patch.row);
        return {row.begin(), row.end()};
    }
    if (patch.of == PatchOf::head) {
        const auto first = row_of(other.merged, patch.row).begin() + head * head_dim;
        return {first, first + head_dim};
    }
    const std::span<const float> row = row_of(other.attention.weights, patch.head, patch.row);
    return {row.begin(), row.end()};
}

}  // namespace

int tokens_in_common(const Model& model, const ModelInput& earlier, const ModelInput& now) {
    const bool mixes_rows = !now.off.empty() && now.off_by == OffBy::mean;
    if (!earlier.patches.empty() || !now.patches.empty()) return 0;
    if (model.config.mask != Mask::causal || mixes_rows || !now.edits.empty() || !earlier.edits.empty()) return 0;
    if (earlier.off != now.off || (!now.off.empty() && earlier.off_by != now.off_by)) return 0;
    if (!earlier.types.empty() || !now.types.empty()) return 0;
    for (const RopeScaling* rope : {&model.config.rope, &model.config.window_rope})
        if (turns_otherwise(*rope, earlier.num_tokens(), now.num_tokens())) return 0;
    const auto place = std::ranges::mismatch(earlier.ids, now.ids).in2;
    return static_cast<int>(place - now.ids.begin());
}

ModelRun::ModelRun(const Model& model, ModelInput input, const ModelRun* earlier, std::shared_ptr<ModelRun> other)
    : model_(&model), input_(std::move(input)), other_(std::move(other)) {
    const std::string problem = find_input_problem(model.config, input_);
    ATTN_CHECK(problem.empty(), problem);
    ATTN_CHECK(!other_ || (!input_.other.empty() && other_->input() == input_.other[0]), "a run of another text");
    if (!other_ && !input_.patches.empty()) other_ = std::make_shared<ModelRun>(model, input_.other[0]);
    embeds();
    if (earlier == nullptr) return;
    ATTN_CHECK(earlier->model_ == model_, "a run of another model");
    // One row at least is left to compute.
    num_taken_over_ = std::min(tokens_in_common(model, earlier->input_, input_), input_.num_tokens() - 1);
    if (num_taken_over_ > 0) earlier_ = earlier->layers_;
}

ModelRun::ModelRun(const ModelRun& whole, ModelInput input, int layer, std::shared_ptr<ModelRun> other)
    : model_(whole.model_), input_(std::move(input)), other_(std::move(other)) {
    ATTN_CHECK(layer >= 0 && layer <= whole.num_layers_done(), "layer ", layer, " is not computed");
    const auto is_below = [&](const auto& one) { return one.layer < layer; };
    const auto below = [&](const auto& list) { return list | std::views::filter(is_below); };
    ATTN_CHECK(input_.ids == whole.input_.ids && input_.types == whole.input_.types &&
                   input_.edits == whole.input_.edits && input_.off_by == whole.input_.off_by,
               "another text");
    ATTN_CHECK(std::ranges::equal(below(input_.off), below(whole.input_.off)) &&
                   std::ranges::equal(below(input_.patches), below(whole.input_.patches)),
               "other heads are off, or patched, below layer ", layer);
    const std::string problem = find_input_problem(model_->config, input_);
    ATTN_CHECK(problem.empty(), problem);
    if (!other_) other_ = whole.other_;
    ATTN_CHECK(input_.patches.empty() || (other_ && other_->input() == input_.other[0]), "a run of another text");
    ATTN_CHECK(!has_patch(layer, true) || other_->num_layers_done() >= layer, "the other text is not computed");
    const auto num_below = static_cast<std::ptrdiff_t>(layer);
    layers_.streams.assign(whole.layers_.streams.begin(), whole.layers_.streams.begin() + num_below + 1);
    layers_.kept.assign(whole.layers_.kept.begin(), whole.layers_.kept.begin() + num_below);
    num_taken_layers_ = std::min(whole.num_taken_layers_, layer);
    std::ranges::copy_if(whole.taken_, std::back_inserter(taken_),
                         [&](const TakenRow& row) { return row.patch.layer < num_taken_layers_; });
    if (has_patch(layer, true)) {
        Matrix patched = stream(layer);
        take_stream(layer, patched);
        layers_.streams.back() = std::make_shared<const Matrix>(std::move(patched));
    }
}

bool ModelRun::embeds() {
    if (!layers_.streams.empty()) return true;
    if (has_patch(0, true) && !other_->embeds()) return false;
    const std::int64_t width = model_->config.width;
    bool is_there = true;
    for (const int id : input_.ids)
        is_there = model_->weights.token_embedding->asks_for_numbers(id * width, width) && is_there;
    if (!is_there) return false;
    Matrix first = embed(*model_, input_);
    take_stream(0, first);
    layers_.streams.push_back(std::make_shared<const Matrix>(std::move(first)));
    return true;
}

bool ModelRun::has_patch(int layer, bool is_of_stream) const {
    return std::ranges::any_of(input_.patches, [&](const Patch& patch) {
        return patch.layer == layer && (patch.of == PatchOf::stream) == is_of_stream;
    });
}

void ModelRun::take_stream(int layer, Matrix& stream) const {
    for (const Patch& patch : input_.patches)
        if (patch.of == PatchOf::stream && patch.layer == layer)
            std::ranges::copy(row_of(other_->stream(layer), patch.row), row_of(stream, patch.row).begin());
}

bool ModelRun::takes_rows(int layer, std::int64_t& multiply_adds) {
    for (; num_taken_layers_ <= layer; ++num_taken_layers_) {
        const int at = num_taken_layers_;
        if (!has_patch(at, false)) continue;
        if (!other_->has_inside(at, multiply_adds)) return false;
        for (const Patch& patch : input_.patches)
            if (patch.layer == at && patch.of != PatchOf::stream)
                taken_.push_back({patch, numbers_of(*model_, other_->inside_->trace(), patch)});
    }
    return true;
}

bool ModelRun::has_inside(int layer, std::int64_t& multiply_adds) {
    if (inside_ && inside_layer_ == layer && inside_->is_done()) return true;
    if (!go_to(layer, multiply_adds)) return false;
    if (inside_layer_ != layer) inside_.reset();
    if (!inside_ && !asks_for_attention(model_->weights.layers[static_cast<std::size_t>(layer)])) return false;
    if (!inside_) inside_.emplace(layer_work(layer));
    inside_layer_ = layer;
    return inside_->advance(multiply_adds);
}

TakenRows ModelRun::taken_rows(int layer) const {
    ATTN_CHECK(layer < num_taken_layers_ || !has_patch(layer, false), "the rows of layer ", layer, " are not there");
    TakenRows rows;
    std::ranges::copy_if(taken_, std::back_inserter(rows),
                         [&](const TakenRow& row) { return row.patch.layer == layer; });
    return rows;
}

LayerWork ModelRun::layer_work(int layer) const {
    ATTN_CHECK(layer <= num_layers_done(), "layer ", layer, " cannot be computed yet");
    return {*model_, input_, layer, stream(layer), taken_rows(layer)};
}

LayerWork ModelRun::next_work() const {
    const int layer = num_layers_done();
    if (!input_.edits.empty()) return layer_work(layer);
    const std::shared_ptr<const KeysAndValues> kept = taken_over(layer);
    const int first = kept ? num_taken_over_ : 0;
    return LayerWork::of_last_rows(*model_, input_, layer, rows_from(stream(layer), first, input_.num_tokens()), kept,
                                   taken_rows(layer));
}

std::shared_ptr<const KeysAndValues> ModelRun::taken_over(int layer) const {
    const auto at = static_cast<std::size_t>(layer);
    return at < earlier_.kept.size() ? earlier_.kept[at] : nullptr;
}

void ModelRun::finish_layer() {
    const int layer = num_layers_done();
    const auto at = static_cast<std::size_t>(layer);
    Matrix after = std::move(work_->trace().after);
    std::shared_ptr<const KeysAndValues> kept;
    if (input_.edits.empty()) kept = std::make_shared<const KeysAndValues>(std::move(work_->keys_and_values()));
    if (taken_over(layer)) {
        Matrix all = unset<Matrix>(input_.num_tokens(), after.shape(1));
        const Matrix& first = *earlier_.streams[at + 1];
        const std::size_t size = static_cast<std::size_t>(num_taken_over_) * after.shape(1);
        std::ranges::copy(after, std::copy_n(first.begin(), size, all.begin()));
        after = std::move(all);
        earlier_.kept[at].reset();
        earlier_.streams[at + 1].reset();
    }
    take_stream(layer + 1, after);
    layers_.streams.push_back(std::make_shared<const Matrix>(std::move(after)));
    layers_.kept.push_back(std::move(kept));
    work_.reset();
    if (is_done()) earlier_ = Layers();
}

bool ModelRun::go_to(int layer, std::int64_t& multiply_adds) {
    if (!embeds()) return false;
    while (num_layers_done() < layer && multiply_adds > 0) {
        const int next = num_layers_done();
        if (!takes_rows(next, multiply_adds)) return false;
        if (has_patch(next + 1, true) && !other_->go_to(next + 1, multiply_adds)) return false;
        const LayerWeights& weights = model_->weights.layers[static_cast<std::size_t>(num_layers_done())];
        if (!work_ && !asks_for_attention(weights)) return false;
        if (!work_) ask_for_mlp(weights);
        if (!work_) work_.emplace(next_work());
        if (work_->advance(multiply_adds)) finish_layer();
    }
    return num_layers_done() >= layer && (layer == model_->config.num_layers || takes_rows(layer, multiply_adds));
}

std::int64_t multiply_adds_of_layer(const ModelConfig& config, int num_tokens) {
    const std::int64_t T = num_tokens, width = config.width;
    const std::int64_t gates = config.is_gated ? 3 : 2;
    const std::int64_t matrices =
        width * (2 * config.attention_width() + 2 * config.kv_width() + gates * config.mlp_width);
    return std::max<std::int64_t>(T, BlockedProduct::kReading) * matrices + 2 * T * T * config.attention_width();
}

std::int64_t ModelRun::multiply_adds_to(int layer) const {
    const int num_left = std::max(layer - std::max(num_layers_done(), 0), 0);
    return num_left * multiply_adds_of_layer(model_->config, input_.num_tokens()) +
           (other_ ? other_->multiply_adds_to(layer) : 0);
}

ModelProgress ModelRun::progress() const {
    return {.num_layers_done = std::max(num_layers_done(), 0),
            .num_layers = model_->config.num_layers,
            .num_logits = model_->weights.unembedding.outputs};
}

Matrix ModelRun::final_stream() const {
    ATTN_CHECK(is_done(), "only ", num_layers_done(), " layers are computed");
    return norm_last(*model_, stream(model_->config.num_layers));
}

Matrix ModelRun::final_row(int row) const {
    ATTN_CHECK(is_done(), "only ", num_layers_done(), " layers are computed");
    return lens_row(model_->config.num_layers, row);
}

Matrix ModelRun::lens_row(int layer, int row) const {
    return norm_last(*model_, rows_from(stream(layer), row, row + 1));
}

Matrix logit_input(const Model& model, const Matrix& rows) {
    const ModelWeights& weights = model.weights;
    ATTN_CHECK(weights.unembedding.is_there(), "this model has no logits");
    if (!weights.head_dense.is_there()) return rows;
    Matrix dense = multiply(rows, weights.head_dense);
    finish_logit_input(model, dense);
    return dense;
}

LogitsWork::LogitsWork(const Model& model, const Matrix& rows)
    : config_(&model.config), head_(logit_input(model, rows)), product_(model.weights.unembedding) {}

bool LogitsWork::advance(std::int64_t multiply_adds) {
    if (product_.is_done()) return true;
    if (!product_.advance(head_, logits_, multiply_adds)) return false;
    if (config_->logit_scale != 1)
        for (float& one : elements(logits_)) one *= config_->logit_scale;
    if (config_->logit_cap > 0) cap_row(config_->logit_cap, logits_.size(), logits_.data());
    return true;
}

float logit_of(const Model& model, const Matrix& row, int token) {
    const ModelConfig& config = model.config;
    LinearWeights column = model.weights.unembedding;
    column.first_output += token;
    column.outputs = 1;
    float logit = multiply(logit_input(model, row), column)(0, 0);
    if (config.logit_scale != 1) logit *= config.logit_scale;
    if (config.logit_cap > 0) cap_row(config.logit_cap, 1, &logit);
    return logit;
}

RowLogits::RowLogits(std::shared_ptr<ModelRun> run, int row) : run_(std::move(run)), row_(row) {
    ATTN_CHECK(row >= 0 && row < run_->input().num_tokens(), "row ", row);
}

bool RowLogits::advance(std::int64_t multiply_adds) {
    if (logits_) return logits_->advance(multiply_adds);
    if (!run_->advance(multiply_adds)) return false;
    logits_.emplace(run_->model(), run_->final_row(row_));
    return false;
}

ModelProgress RowLogits::progress() const {
    ModelProgress progress = run_->progress();
    if (logits_) progress.num_logits_done = logits_->num_done();
    return progress;
}

std::span<const float> RowLogits::logits() const {
    ATTN_CHECK(is_done(), "the logits are still being computed");
    return elements(logits_->logits());
}

float SoftmaxOfRow::probability(float logit) const {
    return static_cast<float>(portable::exp(static_cast<double>(logit) - most) / sum);
}

SoftmaxOfRow softmax_of_row(std::span<const float> logits) {
    SoftmaxOfRow row{.most = -std::numeric_limits<double>::infinity()};
    for (const float logit : logits)
        row.most = std::isnan(logit) ? NAN : std::max(row.most, static_cast<double>(logit));
    for (const float logit : logits) row.sum += portable::exp(static_cast<double>(logit) - row.most);
    return row;
}

std::vector<float> SoftmaxOfRow::probabilities(std::span<const float> logits) const {
    std::vector<float> all;
    for (const float logit : logits) all.push_back(probability(logit));
    return all;
}

std::vector<float> probabilities_of(std::span<const float> logits) {
    return softmax_of_row(logits).probabilities(logits);
}

Matrix logits_of(const Model& model, const ModelInput& input) {
    ModelRun run(model, input);
    run.advance(kNoBound);
    LogitsWork work(model, run.final_stream());
    work.advance(kNoBound);
    return work.logits();
}

}  // namespace attn
