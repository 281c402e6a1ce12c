// Rows of several streams go through the unembedding together, which is read once for all of them.
#include "model/roles/lens.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "core/ground/check.h"
#include "core/ground/portable_exp.h"

namespace attn {
namespace {

// A logit takes so many multiply-adds' time until it counts in a sum of exponentials and in an order.
constexpr std::int64_t kCostOfLogit = 150;
constexpr std::size_t kTogether = 32;

// softmax_of_row with exponentials side by side, for many rows: the same bits. NaN where a logit is none, or infinite.
SoftmaxOfRow softmax_of_many(std::span<const float> logits) {
    constexpr float kInfinite = std::numeric_limits<float>::infinity();
    std::array<float, kTogether> most;
    std::array<int, kTogether> is_wrong = {};  // NaN, or infinite
    most.fill(-kInfinite);
    const std::size_t whole = logits.size() - logits.size() % kTogether;
    for (std::size_t at = 0; at < whole; at += kTogether) {
        for (std::size_t k = 0; k < kTogether; ++k) {
            const float logit = logits[at + k];
            most[k] = logit > most[k] ? logit : most[k];
            is_wrong[k] |= logit < kInfinite ? 0 : 1;
        }
    }
    float of_all = *std::ranges::max_element(most);
    bool has_wrong = std::ranges::find(is_wrong, 1) != is_wrong.end();
    for (const float logit : logits.subspan(whole)) {
        of_all = std::max(of_all, logit);
        has_wrong = has_wrong || !(logit < kInfinite);
    }
    if (has_wrong || of_all == -kInfinite) return {.most = NAN, .sum = NAN};
    SoftmaxOfRow row = {.most = static_cast<double>(of_all), .sum = 0};
    std::array<double, kTogether> powers;
    for (std::size_t at = 0; at < logits.size(); at += kTogether) {
        const std::size_t count = std::min(kTogether, logits.size() - at);
        powers.fill(0);
        for (std::size_t k = 0; k < count; ++k) powers[k] = static_cast<double>(logits[at + k]) - row.most;
        portable::exp_of_each(powers);
        for (std::size_t k = 0; k < count; ++k) row.sum += powers[k];
    }
    return row;
}

void put_among_largest(int token, float logit, std::vector<LensWord>& words) {
    if (words.size() == kLensWords && !(logit > words.back().logit)) return;
    const auto place = std::ranges::find_if(words, [&](const LensWord& word) { return logit > word.logit; });
    words.insert(place, {.token = token, .logit = logit, .probability = 0});
    if (words.size() > kLensWords) words.pop_back();
}

// The largest logits, the first of equals first. Most blocks have none of them.
std::vector<LensWord> largest(std::span<const float> logits) {
    std::vector<LensWord> words;
    for (std::size_t at = 0; at < logits.size(); at += kTogether) {
        const std::span<const float> block = logits.subspan(at, std::min(kTogether, logits.size() - at));
        if (words.size() == kLensWords) {
            const float least = words.back().logit;
            int num_larger = 0;
            for (const float logit : block) num_larger += logit > least ? 1 : 0;
            if (num_larger == 0) continue;
        }
        for (std::size_t k = 0; k < block.size(); ++k) put_among_largest(static_cast<int>(at + k), block[k], words);
    }
    return words;
}

int rank_of(std::span<const float> logits, int token) {
    const auto at = static_cast<std::size_t>(token);
    const float logit = logits[at];
    int before = 0;
    for (const float one : logits.first(at)) before += one >= logit ? 1 : 0;
    for (const float one : logits.subspan(at)) before += one > logit ? 1 : 0;
    return before + 1;
}

}  // namespace

LensCell lens_cell(std::span<const float> logits, int asked) {
    LensCell cell;
    cell.softmax = softmax_of_many(logits);
    cell.asked = asked;
    if (std::isnan(cell.softmax.sum)) return cell;
    const auto word_of = [&](int token) {
        const float logit = logits[static_cast<std::size_t>(token)];
        return LensWord{.token = token, .logit = logit, .probability = cell.softmax.probability(logit)};
    };
    cell.words = largest(logits);
    for (LensWord& word : cell.words) word = word_of(word.token);
    if (asked >= 0) cell.chosen = LensRank{.word = word_of(asked), .rank = rank_of(logits, asked)};
    return cell;
}

std::string find_lens_problem(const ModelWeights& weights) {
    return weights.unembedding.is_there()
               ? std::string()
               : "This model has no logit lens: its files have no head that turns a stream into words.";
}

LensWork::LensWork(std::shared_ptr<ModelRun> run, int first, int count, int row, std::optional<int> word)
    : run_(std::move(run)), first_(first), count_(count), row_(row), word_(word) {
    const Model& model = run_->model();
    const std::string problem = find_lens_problem(model.weights);
    ATTN_CHECK(problem.empty(), problem);
    ATTN_CHECK(first >= 0 && count > 0 && first + count <= run_->input().num_tokens(), "positions ", first, " to ",
               first + count);
    cells_.resize(static_cast<std::size_t>(model.config.num_layers + 1) * static_cast<std::size_t>(count));
    look_at(row, word);
}

void LensWork::look_at(int row, std::optional<int> word) {
    ATTN_CHECK(row >= first_ && row < first_ + count_, "position ", row);
    ATTN_CHECK(!word || (*word >= 0 && *word < run_->model().config.vocabulary), "token ", word.value_or(-1));
    row_ = row;
    word_ = word;
}

std::optional<int> LensWork::word() const {
    if (word_) return word_;
    const LensCell* answer = cell(run_->model().config.num_layers, row_);
    return answer && answer->is_number() ? std::optional(answer->words.front().token) : std::nullopt;
}

const LensCell* LensWork::cell(int layer, int position) const {
    const std::optional<LensCell>& cell = cells_[index_of({layer, position})];
    return cell ? &*cell : nullptr;
}

bool LensWork::wants(const Place& place) const {
    const std::optional<LensCell>& cell = cells_[index_of(place)];
    return !cell || (cell->is_number() && cell->asked != word().value_or(cell->asked));
}

bool LensWork::is_done() const {
    if (!run_->is_done() || logits_) return false;
    for (int layer = 0; layer <= run_->model().config.num_layers; ++layer)
        for (int position = first_; position < first_ + count_; ++position)
            if (wants({layer, position})) return false;
    return true;
}

void LensWork::begin_batch() {
    const ModelConfig& config = run_->model().config;
    const std::int64_t room = lens_rows_together(config.vocabulary);
    batch_.clear();
    num_finished_ = 0;
    batch_word_ = word().value_or(-1);
    const auto add = [&](int position) {
        for (int layer = config.num_layers; layer >= 0; --layer)
            if (std::cmp_less(batch_.size(), room) && wants({layer, position})) batch_.push_back({layer, position});
    };
    add(row_);  // its last layer first: where no word is given, it says which one is asked for
    for (int position = first_; position < first_ + count_; ++position)
        if (position != row_) add(position);
    if (batch_.empty()) return;
    Matrix rows = unset<Matrix>(static_cast<int>(batch_.size()), config.width);
    for (std::size_t k = 0; k < batch_.size(); ++k)
        std::ranges::copy(row_of(run_->lens_row(batch_[k].layer, batch_[k].position), 0),
                          row_of(rows, static_cast<int>(k)).begin());
    logits_.emplace(run_->model(), rows);
}

void LensWork::finish_place() {
    const std::span<const float> logits = row_of(logits_->logits(), static_cast<int>(num_finished_));
    std::optional<LensCell>& cell = cells_[index_of(batch_[num_finished_])];
    num_done_ += cell ? 0 : 1;
    ++num_found_;
    cell = lens_cell(logits, batch_word_);
    if (batch_word_ < 0 && num_finished_ == 0 && word()) {
        batch_word_ = *word();
        cell = lens_cell(logits, batch_word_);
    }
    if (++num_finished_ == batch_.size()) logits_.reset();
}

bool LensWork::advance(std::int64_t multiply_adds) {
    if (!run_->advance(multiply_adds)) return false;
    if (!logits_) begin_batch();
    if (!logits_) return true;
    if (!logits_->is_done()) {
        logits_->advance(multiply_adds);
        return false;
    }
    const std::int64_t cost = kCostOfLogit * run_->model().config.vocabulary;
    for (; logits_ && multiply_adds > 0; multiply_adds -= cost) finish_place();
    return is_done();
}

ModelProgress LensWork::progress() const {
    ModelProgress progress = run_->progress();
    progress.num_logits = num_cells();
    progress.num_logits_done = num_done_;
    return progress;
}

}  // namespace attn
