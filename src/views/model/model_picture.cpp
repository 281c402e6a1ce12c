// Layers in their order, each looked at once; then other runs for what heads that are off do.
#include "views/model/model_picture.h"
#include "playground/numbers/shown_rows.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "core/ground/check.h"
#include "model/roles/role_scores.h"

namespace attn {
namespace {

// Weights that give all keys a query sees the same.
WeightRows even_weights(const Flags& hidden) {
    const int T = length(hidden, 0);
    WeightRows even;
    even.resize(1, T);
    for (int i = 0; i < T; ++i) {
        int seen = 0;
        for (int j = 0; j < T; ++j) seen += hidden(i, j) == 0 ? 1 : 0;
        float* row = even.head(0) + static_cast<std::size_t>(i) * even.row_stride();
        for (int j = 0; j < T; ++j) row[j] = hidden(i, j) == 0 ? 1.0F / static_cast<float>(seen) : 0.0F;
    }
    return even;
}

std::optional<double> score_of(HeadRole role, const HeadOnText& head, std::span<const int> ids) {
    switch (role) {
        case HeadRole::token_before:
            return offset_score(head, 1);
        case HeadRole::itself:
            return offset_score(head, 0);
        case HeadRole::first_token:
            return first_token_score(head);
        case HeadRole::same_word:
            return duplicate_score(head, ids);
        case HeadRole::copies:
            return induction_score(head, ids);
    }
    return std::nullopt;
}

std::vector<RoleScore> scores_of(const HeadOnText& head, const HeadOnText& even, std::span<const int> ids) {
    std::vector<RoleScore> scores;
    for (const HeadRole role :
         {HeadRole::token_before, HeadRole::itself, HeadRole::first_token, HeadRole::same_word, HeadRole::copies}) {
        const std::optional<double> score = score_of(role, head, ids);
        if (score && std::isfinite(*score)) scores.push_back({role, *score, score_of(role, even, ids).value_or(0)});
    }
    std::stable_sort(scores.begin(), scores.end(),
                     [](const RoleScore& a, const RoleScore& b) { return a.score - a.even > b.score - b.even; });
    return scores;
}

Matrix shown_weights(const WeightRows& weights, int head, const Flags& hidden) {
    const int T = weights.num_tokens();
    Matrix shown = unset<Matrix>(T, T);
    for (int i = 0; i < T; ++i) {
        const std::span<const float> row = row_of(weights, head, i);
        for (int j = 0; j < T; ++j) shown(i, j) = hidden(i, j) != 0 ? kHiddenCell : row[static_cast<std::size_t>(j)];
    }
    return shown;
}

// What no token of an earlier layer could hand on is hidden, too: under a causal mask all that is later.
Matrix shown_doubles(const MatrixD& numbers, bool is_causal) {
    const int T = length(numbers, 0);
    Matrix shown = unset<Matrix>(T, T);
    for (int i = 0; i < T; ++i) {
        for (int j = 0; j < T; ++j) shown(i, j) = is_causal && j > i ? kHiddenCell : static_cast<float>(numbers(i, j));
    }
    return shown;
}

std::vector<double> lengths_of(const Matrix& stream) {
    std::vector<double> lengths;
    for (int i = 0; i < length(stream, 0); ++i) lengths.push_back(length_of_row(row_of(stream, i)));
    return lengths;
}

}  // namespace

std::string_view role_name(HeadRole role) {
    switch (role) {
        case HeadRole::token_before:
            return "token before";
        case HeadRole::itself:
            return "itself";
        case HeadRole::first_token:
            return "first token";
        case HeadRole::same_word:
            return "same word";
        case HeadRole::copies:
            return "copies";
    }
    return "";
}

std::string_view role_meaning(HeadRole role) {
    switch (role) {
        case HeadRole::token_before:
            return "the mean weight on the token before";
        case HeadRole::itself:
            return "the mean weight on the token itself";
        case HeadRole::first_token:
            return "the mean weight on the first token";
        case HeadRole::same_word:
            return "the mean weight on earlier copies of the word";
        case HeadRole::copies:
            return "the mean weight on what followed earlier copies of the word";
    }
    return "";
}

std::vector<int> ModelPicture::most_probable(int count) const {
    std::vector<int> order(probabilities.size());
    std::iota(order.begin(), order.end(), 0);
    const auto end = order.begin() + std::min(count, static_cast<int>(order.size()));
    // NaN counts as the least, so that the order is one.
    const auto key = [&](int id) {
        const float p = probabilities[static_cast<std::size_t>(id)];
        return std::isnan(p) ? -1.0F : p;
    };
    std::partial_sort(order.begin(), end, order.end(),
                      [&](int a, int b) { return key(a) != key(b) ? key(a) > key(b) : a < b; });
    order.erase(end, order.end());
    return order;
}

Matrix joined_cells(const Matrix& matrix, int most) {
    const int rows = length(matrix, 0), columns = length(matrix, 1);
    const int group = (std::max(rows, columns) + most - 1) / most;
    if (group <= 1) return matrix;
    const auto count = [&](int size) { return (size + group - 1) / group; };
    Matrix joined = unset<Matrix>(count(rows), count(columns));
    for (float& one : elements(joined)) one = kHiddenCell;
    for (int i = 0; i < rows; ++i) {
        for (int j = 0; j < columns; ++j) {
            float& cell = joined(i / group, j / group);
            if (matrix(i, j) > cell || std::isnan(matrix(i, j))) cell = matrix(i, j);
        }
    }
    return joined;
}

ModelPictureWork::ModelPictureWork(std::shared_ptr<ModelRun> run, std::vector<std::string> words, int row, HeadOff head)
    : model_(&run->model()), run_(std::move(run)) {
    const Model& model = *model_;
    const ModelInput& input = run_->input();
    ATTN_CHECK(std::cmp_equal(words.size(), input.num_tokens()), words.size(), " words");
    ATTN_CHECK(row >= 0 && row < input.num_tokens(), "row ", row);
    picture_.config = model.config;
    picture_.num_parameters = num_parameters(model);
    picture_.input = input;
    picture_.words = std::move(words);
    picture_.row = row;
    picture_.chosen = head;
    votes_problem_ = find_votes_problem(model.config, model.weights);
}

bool ModelPictureWork::advance(std::int64_t multiply_adds) {
    switch (step_) {
        case Step::layers: {  // each as soon as the run has it: while its matrices are in memory
            const int layer = static_cast<int>(picture_.layers.size());
            if (!run_->advance_to(layer + 1, multiply_adds)) break;
            const LayerWeights& weights = model_->weights.layers[static_cast<std::size_t>(layer)];
            if (!asks_for_attention(weights)) break;
            if (!layer_) ask_for_mlp(weights);
            if (!layer_) layer_.emplace(run_->layer_work(layer));
            if (!layer_->advance(multiply_adds)) break;
            if (!asks_for_attention(weights)) break;
            if (layer == 0 && votes_problem_.empty())
                parts_.emplace(*model_, picture_.row, row_of(run_->stream(0), picture_.row));
            add_layer(layer_->trace());
            layer_.reset();
            if (layer + 1 == model_->config.num_layers) finish_layers();
            break;
        }
        case Step::logits:
            if (!logits_->advance(multiply_adds)) break;
            picture_.logits = {logits_->logits().begin(), logits_->logits().end()};
            picture_.softmax = softmax_of_row(picture_.logits);
            picture_.probabilities = picture_.softmax.probabilities(picture_.logits);
            logits_.reset();
            finish_next();
            break;
        case Step::untouched:
            if (!other_->advance(multiply_adds)) break;
            picture_.untouched = probabilities_of(other_->logits());
            begin_ablations();
            break;
        case Step::ablations:
            if (!ablation_->advance(multiply_adds)) break;
            picture_.ablations = ablation_->result();
            ablation_.reset();
            begin_switched();
            break;
        case Step::switched:
            if (!other_->advance(multiply_adds)) break;
            picture_.switched = probabilities_of(other_->logits());
            other_.reset();
            step_ = Step::done;
            break;
        case Step::done:
            break;
    }
    return is_done();
}

ModelProgress ModelPictureWork::progress() const {
    if (other_) return other_->progress();
    ModelProgress progress = run_->progress();
    progress.num_layers_done = static_cast<int>(picture_.layers.size());
    if (logits_) progress.num_logits_done = logits_->num_done();
    return progress;
}

void ModelPictureWork::finish_layers() {
    for (int layer = 0; layer <= model_->config.num_layers; ++layer)
        picture_.lengths.push_back(lengths_of(run_->stream(layer)));
    final_row_ = run_->final_row(picture_.row);
    if (!model_->weights.unembedding.is_there()) return finish_next();
    logits_ = std::make_unique<LogitsWork>(*model_, final_row_);
    step_ = Step::logits;
}

void ModelPictureWork::finish_next() {
    const bool is_touched = !picture_.input.off.empty() || !picture_.input.edits.empty();
    if (!picture_.has_next() || !is_touched) return begin_ablations();
    begin_other({}, {});
    step_ = Step::untouched;
}

void ModelPictureWork::add_layer(LayerTrace& trace) {
    const ModelConfig& config = model_->config;
    const Flags& hidden = trace.problem.hidden;
    const WeightRows& weights = trace.attention.weights;
    const WeightRows even = even_weights(hidden);
    LayerPicture layer;
    for (int h = 0; h < config.num_heads; ++h) {
        layer.heads.push_back({.weights = joined_cells(shown_weights(weights, h, hidden), kMostPictureCells),
                               .scores = scores_of(HeadOnText{weights, h}, HeadOnText{even, 0}, picture_.input.ids)});
    }
    const bool is_causal = config.mask == Mask::causal;
    const MatrixD mean = mean_of_heads(weights);
    layer.mean = joined_cells(shown_doubles(mean, is_causal), kMostPictureCells);
    if (picture_.num_tokens() <= kMostRollout) {
        rollout_.add_layer(mean);
        layer.rollout = joined_cells(shown_doubles(rollout_.matrix(), is_causal), kMostPictureCells);
    }
    picture_.layers.push_back(std::move(layer));
    if (parts_) parts_->add_layer(*model_, trace);
}

void ModelPictureWork::begin_other(std::vector<HeadOff> off, std::vector<LayerEdit> edits) {
    ModelInput input = picture_.input;
    input.off = std::move(off);
    input.edits = std::move(edits);
    other_.emplace(std::make_shared<ModelRun>(*model_, std::move(input)), picture_.row);
}

void ModelPictureWork::begin_ablations() {
    const bool is_cheap = model_->store == nullptr &&
                          ablation_cost(*model_, picture_.num_tokens()) <= kMostAblationCost &&
                          ablation_numbers(model_->config) <= kMostAblationNumbers;
    if (!picture_.has_next() || !is_cheap) return begin_switched();
    ablation_.emplace(*model_, picture_.input, picture_.row);
    step_ = Step::ablations;
}

void ModelPictureWork::begin_switched() {
    picture_.switched.clear();
    other_.reset();
    if (!picture_.has_next()) {
        step_ = Step::done;
        return;
    }
    std::vector<HeadOff> off = picture_.input.off;
    const auto there = std::ranges::find(off, picture_.chosen);
    there == off.end() ? off.push_back(picture_.chosen) : static_cast<void>(off.erase(there));
    begin_other(std::move(off), picture_.input.edits);
    step_ = Step::switched;
}

void ModelPictureWork::choose_head(HeadOff head) {
    if (head == picture_.chosen) return;
    picture_.chosen = head;
    if (has_picture()) begin_switched();
}

bool ModelPictureWork::asks_for_votes(int token) const {
    const LinearWeights& head = model_->weights.unembedding;
    const int column = head.first_output + token;
    return !head.is_there() || head.weight->asks_for_columns(column, 1, column + 1);
}

Votes ModelPictureWork::votes(int token) const {
    ATTN_CHECK(parts_.has_value() && has_picture(), "no votes: ", votes_problem_);
    return parts_->votes_for(*model_, row_of(run_->stream(model_->config.num_layers), picture_.row),
                             row_of(final_row_, 0), token);
}

ModelPicture model_picture(const Model& model, ModelInput input, std::vector<std::string> words, int row,
                           HeadOff head) {
    ModelPictureWork work(std::make_shared<ModelRun>(model, std::move(input)), std::move(words), row, head);
    while (!work.advance(std::numeric_limits<std::int64_t>::max())) continue;
    return work.picture();
}

std::string word_of_token(const ModelTokenizer* tokenizer, int id) {
    if (tokenizer == nullptr) return concat("token ", id);
    std::string word = tokenizer->written_text_of(id);
    if (word.starts_with(' ') && word.size() > 1) word.erase(0, 1);
    if (word.empty()) word = std::string(tokenizer->text_of(id));
    return word.empty() ? concat("token ", id) : word;
}

std::optional<int> token_of_word(const ModelTokenizer* tokenizer, std::string_view word) {
    if (tokenizer == nullptr) {
        constexpr std::string_view kToken = "token ";
        int id = 0;
        if (!word.starts_with(kToken)) return std::nullopt;
        const std::string_view digits = word.substr(kToken.size());
        const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), id);
        return error == std::errc() && end == digits.data() + digits.size() ? std::optional(id) : std::nullopt;
    }
    std::optional<int> without_blank;
    for (int id = 0; id < tokenizer->size(); ++id) {
        if (word_of_token(tokenizer, id) != word) continue;
        if (tokenizer->written_text_of(id).starts_with(' ')) return id;
        if (!without_blank) without_blank = id;
    }
    return without_blank;
}

}  // namespace attn
