// Each part of the stream at one token, through the last norm, times the token's column of the unembedding.
#include "model/roles/votes.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <span>
#include <utility>

#include "core/ground/check.h"
#include "core/ground/portable_math.h"
#include "model/layers/activations.h"

namespace attn {
namespace {

constexpr std::int64_t kUnlimited = std::numeric_limits<std::int64_t>::max();

std::vector<double> doubles_of(const ModelTensor* tensor, std::size_t size, double otherwise) {
    if (tensor == nullptr) return std::vector<double>(size, otherwise);
    std::vector<float> floats(size);
    tensor->copy(0, floats);
    return {floats.begin(), floats.end()};
}

// The column of one output.
std::vector<double> column_of(const LinearWeights& linear, int output) {
    std::vector<float> numbers(static_cast<std::size_t>(linear.inputs));
    linear.weight->copy_column(linear.first_output + output, numbers);
    return {numbers.begin(), numbers.end()};
}

// What a norm of a sum makes of one of its parts, but for the bias: the mean and the scale of the sum stay as they are.
void norm_part_of_sum(const ModelConfig& config, const NormWeights& norm, std::span<const float> sum,
                      std::span<double> part) {
    const NormScale by = norm_scale(config.norm, sum, config.norm_eps);
    const std::vector<float> weight = norm.weights();
    double mean = 0;
    for (const double one : part) mean += config.norm == NormKind::layer ? one / static_cast<double>(part.size()) : 0;
    for (std::size_t c = 0; c < part.size(); ++c)
        part[c] = (part[c] - mean) * by.scale * static_cast<double>(weight[c]);
}

// What a part of the stream adds to the logit: scale * (part - its own mean) . (weight * column).
class Reader {
public:
    Reader(const Model& model, std::span<const float> stream, int token) {
        const ModelWeights& weights = model.weights;
        const std::size_t width = stream.size();
        const NormKind kind = model.config.norm;
        by_ = norm_scale(kind, stream, model.config.norm_eps);
        has_mean_ = kind == NormKind::layer;
        column_ = column_of(weights.unembedding, token);
        const std::vector<double> bias = doubles_of(weights.final_norm.bias, width, 0);
        for (std::size_t c = 0; c < width; ++c) constant_ += bias[c] * column_[c];
        const std::vector<float> weight = weights.final_norm.weights();
        for (std::size_t c = 0; c < weight.size(); ++c) column_[c] *= static_cast<double>(weight[c]);
        const auto scale = static_cast<double>(model.config.logit_scale);
        for (double& one : column_) one *= scale;
        if (weights.unembedding.bias != nullptr) {
            float number = 0;
            weights.unembedding.bias->copy(token, {&number, 1});
            constant_ += static_cast<double>(number);
        }
        constant_ *= scale;
    }
    double constant() const { return constant_; }

    double read(std::span<const double> part) const {
        double mean = 0, sum = 0;
        for (const double one : part) mean += one / static_cast<double>(part.size());
        for (std::size_t c = 0; c < part.size(); ++c) sum += (part[c] - (has_mean_ ? mean : 0)) * column_[c];
        return sum * by_.scale;
    }

private:
    NormScale by_;
    bool has_mean_ = false;
    std::vector<double> column_;
    double constant_ = 0;
};

}  // namespace

std::string find_votes_problem(const ModelConfig& config, const ModelWeights& weights) {
    if (!weights.unembedding.is_there()) return "This model has no logits: its files have no head.";
    if (config.norms_sums())
        return "This model's norms come after its sums, so a logit is no sum of what heads and MLPs add.";
    return "";
}

StreamParts::StreamParts(const Model& model, int row, std::span<const float> embedded) : row_(row) {
    const std::string problem = find_votes_problem(model.config, model.weights);
    ATTN_CHECK(problem.empty(), problem);
    parts_.push_back({.from = Vote::From::embeddings, .added = {embedded.begin(), embedded.end()}});
}

std::vector<StreamPart> parts_of_attention(const Model& model, int layer, const LayerTrace& trace, int row) {
    const ModelConfig& config = model.config;
    const LayerWeights& weights = model.weights.layers[static_cast<std::size_t>(layer)];
    const Projections& used = trace.problem.projections;  // with the numbers that somebody changed
    const bool has_out = used.w_out.size() != 0;
    const Matrix w_out = has_out ? used.w_out : weights.out.matrix();  // (attention_width, width)
    const Vector bias = has_out ? used.b_out : weights.out.bias_vector();
    const auto width = static_cast<std::size_t>(config.width);
    std::vector<StreamPart> parts;
    const auto add = [&](Vote::From from, int head, std::vector<double> part) {
        if (config.norms_outputs())
            norm_part_of_sum(config, weights.out_norm_1, row_of(trace.attention_out, row), part);
        parts.push_back({.from = from, .layer = layer, .head = head, .added = std::move(part)});
    };
    for (int h = 0; h < config.num_heads; ++h) {
        std::vector<double> part(width, 0);
        for (int k = h * config.head_dim; k < (h + 1) * config.head_dim; ++k) {
            const auto context = static_cast<double>(trace.merged(row, k));
            for (std::size_t c = 0; c < width; ++c) part[c] += context * static_cast<double>(w_out(k, c));
        }
        add(Vote::From::head, h, std::move(part));
    }
    if (bias.size() != 0) add(Vote::From::attention_bias, 0, {bias.begin(), bias.end()});
    return parts;
}

void StreamParts::add_layer(const Model& model, const LayerTrace& trace) {
    const ModelConfig& config = model.config;
    ATTN_CHECK(num_layers_ < config.num_layers, "the model has ", config.num_layers, " layers");
    const int layer = num_layers_++;
    std::ranges::move(parts_of_attention(model, layer, trace, row_), std::back_inserter(parts_));
    if (config.mlp_width > 0) {
        const std::span<const float> added = row_of(trace.mlp_added, row_);
        parts_.push_back({.from = Vote::From::mlp, .layer = layer, .added = {added.begin(), added.end()}});
    }
}

Votes StreamParts::votes_for(const Model& model, std::span<const float> stream, std::span<const float> final_stream,
                             int token) const {
    ATTN_CHECK(num_layers_ == model.config.num_layers, "only ", num_layers_, " layers were added");
    ATTN_CHECK(token >= 0 && token < model.config.vocabulary, "token ", token);
    const Reader reader(model, stream, token);
    Votes result;
    const auto add = [&](Vote::From from, int layer, int head, double logit) {
        result.votes.push_back({.from = from, .layer = layer, .head = head, .logit = logit});
        result.sum += logit;
    };
    for (const StreamPart& part : parts_) add(part.from, part.layer, part.head, reader.read(part.added));
    add(Vote::From::final_bias, 0, 0, reader.constant());

    const std::vector<double> column = column_of(model.weights.unembedding, token);
    for (std::size_t c = 0; c < column.size(); ++c) result.logit += static_cast<double>(final_stream[c]) * column[c];
    if (model.weights.unembedding.bias != nullptr) {
        float number = 0;
        model.weights.unembedding.bias->copy(token, {&number, 1});
        result.logit += static_cast<double>(number);
    }
    result.logit *= static_cast<double>(model.config.logit_scale);
    if (const auto cap = static_cast<double>(model.config.logit_cap); cap > 0) {
        const double before = result.logit;
        result.logit = cap * portable::tanh(before / cap);
        add(Vote::From::cap, 0, 0, result.logit - before);
    }
    return result;
}

Votes votes_for(const Model& model, const ModelRun& run, int row, int token) {
    ATTN_CHECK(row >= 0 && row < run.input().num_tokens(), "row ", row);
    StreamParts parts(model, row, row_of(run.stream(0), row));
    for (int layer = 0; layer < model.config.num_layers; ++layer) {
        LayerWork work = run.layer_work(layer);
        std::int64_t enough = kUnlimited;
        work.advance(enough);
        parts.add_layer(model, work.trace());
    }
    const Matrix final_stream = run.final_stream();
    return parts.votes_for(model, row_of(run.stream(model.config.num_layers), row), row_of(final_stream, row), token);
}

double mean_loss(const Model& model, const ModelRun& run, const std::vector<Target>& targets) {
    ATTN_CHECK(!targets.empty(), "no targets");
    const Matrix stream = run.final_stream();
    Matrix rows = unset<Matrix>(targets.size(), stream.shape(1));
    for (std::size_t i = 0; i < targets.size(); ++i) {
        ATTN_CHECK(targets[i].row >= 0 && targets[i].row < length(stream, 0), "row ", targets[i].row);
        ATTN_CHECK(targets[i].token >= 0 && targets[i].token < model.config.vocabulary, "token ", targets[i].token);
        const std::span<const float> from = row_of(stream, targets[i].row);
        std::copy(from.begin(), from.end(), row_of(rows, static_cast<int>(i)).begin());
    }
    LogitsWork work(model, rows);
    work.advance(kUnlimited);
    double sum = 0;
    for (std::size_t i = 0; i < targets.size(); ++i) {
        const std::span<const float> logits = row_of(work.logits(), static_cast<int>(i));
        const auto most = static_cast<double>(*std::max_element(logits.begin(), logits.end()));
        double all = 0;
        for (const float logit : logits) all += portable::exp(static_cast<double>(logit) - most);
        sum += most + portable::log(all) - static_cast<double>(logits[static_cast<std::size_t>(targets[i].token)]);
    }
    return sum / static_cast<double>(targets.size());
}

}  // namespace attn
