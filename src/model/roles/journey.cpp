// Rows are copied out of each layer while it is there; only their lengths stay of the layers that are not open.
#include "model/roles/journey.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "core/attention/stages.h"
#include "core/explain/stage_numbers.h"
#include "core/ground/check.h"
#include "model/layers/model_stages.h"
#include "model/roles/votes.h"

namespace attn {
namespace {

using enum TensorId;

JourneyStop stop_of(TensorId stage, std::vector<float> row, int num_heads = 1) {
    const bool is_vector = stage_info(stage).columns == Axis::channel;
    return {.stage = stage,
            .shown = stage,
            .num_heads = num_heads,
            .length = is_vector ? length_of_row(row) : 0,
            .row = std::move(row)};
}

std::vector<float> copied(std::span<const float> row) {
    return {row.begin(), row.end()};
}

// The token's rows of all heads side by side.
JourneyStop stop_with_heads(const LayerTrace& trace, TensorId stage, int row) {
    const AttentionProblem& problem = trace.problem;
    const int num_heads = has_kv_heads(stage) ? problem.num_kv_heads() : problem.settings.num_heads;
    const int readers = problem.settings.num_heads / num_heads;
    std::vector<float> rows;
    for (int h = 0; h < num_heads; ++h) {
        const Vector one = stage_row(problem, trace.attention, stage, h * readers, row);
        rows.insert(rows.end(), one.begin(), one.end());
    }
    return stop_of(stage, std::move(rows), num_heads);
}

// What an attention gives at last is attention_added, also where it has no norm and no head is off.
bool is_journey_stop(TensorId stage) {
    return stage != output && !needs_goal(stage) && is_of_layer(stage);
}

std::vector<JourneyStop> stops_of_layer(const LayerTrace& trace, int row) {
    std::vector<JourneyStop> stops;
    const auto add = [&](TensorId stage) {
        if (!is_journey_stop(stage)) return;
        if (is_block_stage(stage) || stage == embeddings || stage == merged) {
            const Matrix* matrix = layer_matrix(trace, stage);
            if (matrix == nullptr) return;
            stops.push_back(stop_of(stage, copied(row_of(*matrix, row))));
            if (!has_stage(trace.problem, stage)) stops.back().shown = output;
        } else if (has_stage(trace.problem, stage)) {
            if (stage_info(stage).has_heads) return stops.push_back(stop_with_heads(trace, stage, row));
            const Vector one = stage_row(trace.problem, trace.attention, stage, 0, row);
            stops.push_back(stop_of(stage, {one.begin(), one.end()}));
        }
    };
    add(before);
    for (const StageInfo& info : stage_table())
        if (info.id != before) add(info.id);
    return stops;
}

// The vector that a share adds, in double: what its length and direction are taken of.
struct SharedVector {
    JourneyShare share;
    std::vector<double> added;
};

std::vector<double> doubled(std::span<const float> row) {
    return {row.begin(), row.end()};
}

JourneySum sum_of(TensorId result, bool is_normed, std::vector<SharedVector> parts) {
    JourneySum sum = {.result = result, .is_normed = is_normed, .shares = {}};
    std::vector<double> whole(parts.front().added.size(), 0);
    for (const SharedVector& part : parts)
        for (std::size_t c = 0; c < whole.size(); ++c) whole[c] += part.added[c];
    sum.length = length_of_row(whole);
    for (SharedVector& part : parts) {
        double product = 0;
        for (std::size_t c = 0; c < whole.size(); ++c) product += part.added[c] * whole[c];
        part.share.length = length_of_row(part.added);
        part.share.along = sum.length == 0 ? 0 : product / sum.length;
        part.share.added = {part.added.begin(), part.added.end()};
        sum.shares.push_back(std::move(part.share));
    }
    return sum;
}

// Where a head looks from the token.
void find_most_seen(const LayerTrace& trace, int head, int row, JourneyShare& share) {
    const Vector weights = stage_row(trace.problem, trace.attention, TensorId::weights, head, row);
    const auto most = std::ranges::max_element(weights);
    if (!(*most > 0)) return;
    share.most_seen = static_cast<int>(most - weights.begin());
    share.weight = *most;
}

std::vector<JourneySum> sums_of_layer(const Model& model, const ModelInput& input, int layer, const LayerTrace& trace,
                                      int row) {
    using From = JourneyShare::From;
    const bool is_normed = model.config.norms_sums();
    std::vector<SharedVector> parts = {{.share = {.from = From::stream}, .added = doubled(row_of(trace.before, row))}};
    for (StreamPart& part : parts_of_attention(model, layer, trace, row)) {
        JourneyShare share = {.from = part.from == Vote::From::head ? From::head : From::bias, .head = part.head};
        if (share.from == From::head) {
            find_most_seen(trace, part.head, row, share);
            share.is_off = input.is_off(layer, part.head);
        }
        parts.push_back({.share = std::move(share), .added = std::move(part.added)});
    }
    std::vector<JourneySum> sums;
    if (model.config.mlp_width == 0) {
        sums.push_back(sum_of(after, is_normed, std::move(parts)));
        return sums;
    }
    sums.push_back(sum_of(middle, is_normed, std::move(parts)));
    parts = {{.share = {.from = From::stream}, .added = doubled(row_of(trace.middle, row))},
             {.share = {.from = From::mlp}, .added = doubled(row_of(trace.mlp_added, row))}};
    sums.push_back(sum_of(after, is_normed, std::move(parts)));
    return sums;
}

void forget_rows(JourneyLayer& layer) {
    for (JourneyStop& stop : layer.stops)
        if (stop.stage != after) stop.row = {};
    for (JourneySum& sum : layer.sums)
        for (JourneyShare& share : sum.shares) share.added = {};
}

}  // namespace

const JourneyStop* JourneyLayer::find(TensorId stage) const {
    const auto found = std::ranges::find(stops, stage, &JourneyStop::stage);
    return found == stops.end() ? nullptr : &*found;
}

const JourneyStop& JourneyLayer::attention() const {
    return *find(attention_added);
}

const JourneyStop* JourneyLayer::mlp() const {
    return find(mlp_added);
}

JourneyWork::JourneyWork(std::shared_ptr<ModelRun> run, int row, int layer)
    : run_(std::move(run)), row_(row), layer_(layer) {
    ATTN_CHECK(row >= 0 && row < run_->input().num_tokens(), "row ", row);
    ATTN_CHECK(layer >= 0 && layer < run_->model().config.num_layers, "layer ", layer);
}

bool JourneyWork::has_open_layer() const {
    const auto at = static_cast<std::size_t>(layer_);
    return at < layers_.size() && !layers_[at].stops.front().row.empty();
}

bool JourneyWork::is_done() const {
    return !end_.empty() && has_open_layer() && (!lens_ || lens_->is_done());
}

void JourneyWork::open_layer(int layer) {
    ATTN_CHECK(layer >= 0 && layer < run_->model().config.num_layers, "layer ", layer);
    if (layer == layer_) return;
    if (has_open_layer()) forget_rows(layers_[static_cast<std::size_t>(layer_)]);
    if (std::cmp_greater_equal(layers_.size(), run_->model().config.num_layers)) work_.reset();  // of the open layer
    layer_ = layer;
}

// How the embedding adds up; whether its numbers are there.
bool JourneyWork::find_embedded() {
    using From = JourneyShare::From;
    constexpr std::array kFroms = {From::token, From::position, From::type};  // in the order of EmbeddedRow::Of
    const Model& model = run_->model();
    const ModelInput& input = run_->input();
    const std::int64_t width = model.config.width;
    const std::vector<EmbeddedRow> rows = embedded_rows(model, input, row_, position_rows_of(model.config, input));
    bool is_there = true;
    for (const EmbeddedRow& one : rows) is_there = one.table->asks_for_numbers(one.row * width, width) && is_there;
    if (!is_there) return false;
    std::vector<SharedVector> parts;
    std::vector<float> numbers(static_cast<std::size_t>(width));
    for (const EmbeddedRow& one : rows) {
        one.table->copy(one.row * width, numbers);
        for (float& number : numbers) number *= one.scale;
        parts.push_back({.share = {.from = kFroms[static_cast<std::size_t>(one.of)]}, .added = doubled(numbers)});
    }
    embedded_ = sum_of(before, model.weights.embedding_norm.weight != nullptr, std::move(parts));
    first_stream_ = copied(row_of(run_->stream(0), row_));
    return true;
}

// A layer whose stream is there; nothing while its numbers are not, or are not all computed.
std::optional<JourneyLayer> JourneyWork::next_layer(int layer, std::int64_t multiply_adds) {
    const Model& model = run_->model();
    const LayerWeights& tensors = model.weights.layers[static_cast<std::size_t>(layer)];
    if (!asks_for_attention(tensors)) return std::nullopt;
    if (!work_) {
        ask_for_mlp(tensors);
        work_.emplace(run_->layer_work(layer));
    }
    if (!work_->advance(multiply_adds) || !asks_for_attention(tensors)) return std::nullopt;
    const LayerTrace& trace = work_->trace();
    JourneyLayer found = {.parts = layer_parts(trace.problem),
                          .stops = stops_of_layer(trace, row_),
                          .sums = sums_of_layer(model, run_->input(), layer, trace, row_)};
    work_.reset();
    return found;
}

void JourneyWork::finish_layers() {
    const Model& model = run_->model();
    const Matrix row = run_->final_row(row_);
    end_.push_back(stop_of(final_stream, copied(row_of(row, 0))));
    if (model.weights.head_dense.is_there())
        end_.push_back(stop_of(TensorId::logit_input, copied(row_of(attn::logit_input(model, row), 0))));
    if (find_lens_problem(model.weights).empty()) lens_.emplace(run_, row_, 1, row_, std::nullopt);
}

bool JourneyWork::advance(std::int64_t multiply_adds) {
    const int num_layers = run_->model().config.num_layers, num_done = static_cast<int>(layers_.size());
    if (num_done < num_layers) {  // each as soon as the run has it: while its matrices are in memory
        if (!run_->advance_to(num_done + 1, multiply_adds)) return false;
        if (!embedded_ && !find_embedded()) return false;
        std::optional<JourneyLayer> layer = next_layer(num_done, multiply_adds);
        if (!layer) return false;
        if (num_done != layer_) forget_rows(*layer);
        layers_.push_back(std::move(*layer));
        if (num_done + 1 == num_layers) finish_layers();
    } else if (!has_open_layer()) {
        std::optional<JourneyLayer> layer = next_layer(layer_, multiply_adds);
        if (layer) layers_[static_cast<std::size_t>(layer_)] = std::move(*layer);
    } else if (lens_) {
        lens_->advance(multiply_adds);
    }
    return is_done();
}

ModelProgress JourneyWork::progress() const {
    ModelProgress progress = run_->progress();
    progress.num_layers_done = static_cast<int>(layers_.size());
    progress.num_logits = lens_ ? lens_->num_cells() : 0;
    progress.num_logits_done = lens_ ? lens_->num_cells_done() : 0;
    return progress;
}

}  // namespace attn
