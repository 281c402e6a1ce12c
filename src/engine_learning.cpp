// One sentence, one goal: Training (core/learn) does the rest.
#include "engine_learning.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

namespace attn {
namespace {

constexpr std::array<TensorId, kNumLearned> kLearned = {TensorId::embeddings, TensorId::w_query, TensorId::w_key,
                                                        TensorId::w_value,    TensorId::w_out,   TensorId::b_query,
                                                        TensorId::b_key,      TensorId::b_value, TensorId::b_out};

template <class Tensor>
const float* place_of_numbers(const Tensor& tensor) {
    return tensor.size() != 0 ? tensor.data() : nullptr;
}

LearnedPlaces places_of(const Matrix& embeddings, const Projections& p) {
    return {place_of_numbers(embeddings), place_of_numbers(p.w_query), place_of_numbers(p.w_key),
            place_of_numbers(p.w_value),  place_of_numbers(p.w_out),   place_of_numbers(p.b_query),
            place_of_numbers(p.b_key),    place_of_numbers(p.b_value), place_of_numbers(p.b_out)};
}

// Rows of targets from cells of head, query, key and share.
std::vector<TargetRow> rows_of_cells(std::span<const float> cells, int num_tokens) {
    std::map<std::pair<int, int>, std::map<int, double>> shares;
    for (std::size_t n = 0; n < cells.size(); n += 4) {
        const auto head = static_cast<int>(cells[n]), query = static_cast<int>(cells[n + 1]);
        shares[{head, query}][static_cast<int>(cells[n + 2])] = static_cast<double>(cells[n + 3]);
    }
    std::vector<TargetRow> rows;
    for (const auto& [place, row] : shares) {
        TargetRow& target = rows.emplace_back(TargetRow{place.first, place.second, zeros<Vector>(num_tokens)});
        double sum = 0;
        for (const auto& [key, share] : row) sum += share;
        for (const auto& [key, share] : row) target.shares(key) = static_cast<float>(share / sum);
    }
    return rows;
}

}  // namespace

bool EngineLearning::make_room(std::int64_t numbers) {
    bytes_wanted_ = static_cast<std::int64_t>(sizeof(float)) * numbers;
    return has_room_for(bytes_wanted_);
}

float* EngineLearning::make_pattern(int count) {
    kind_ = GoalKind::pattern;
    num_words_ = 0;
    goal_numbers_ = {};
    if (!make_room(std::int64_t{4} * count)) return nullptr;
    goal_numbers_.resize(static_cast<std::size_t>(count) * 4);
    return goal_numbers_.data();
}

float* EngineLearning::make_next(int num_tokens, int num_words, int d_out) {
    kind_ = GoalKind::next;
    num_words_ = num_words;
    goal_numbers_ = {};
    const std::int64_t numbers = num_tokens + std::int64_t{num_words} * d_out;
    if (!make_room(numbers)) return nullptr;
    goal_numbers_.resize(static_cast<std::size_t>(numbers));
    return goal_numbers_.data();
}

Goal EngineLearning::goal_of(const AttentionProblem& problem) const {
    Goal goal = {.kind = kind_};
    if (kind_ == GoalKind::pattern) {
        goal.rows = rows_of_cells(goal_numbers_, problem.num_tokens());
        goal.num_terms = static_cast<int>(goal.rows.size());
        return goal;
    }
    const auto words = goal_numbers_.begin() + problem.num_tokens();
    goal.next.assign(goal_numbers_.begin(), words);
    goal.vocabulary = zeros<Matrix>(num_words_, problem.d_out());
    std::copy(words, goal_numbers_.end(), goal.vocabulary.begin());
    goal.num_terms = static_cast<int>(std::ranges::count_if(goal.next, [](int next) { return next >= 0; }));
    return goal;
}

EngineLearning::Outcome EngineLearning::begin(EngineAttention& attention, const AttentionSettings& settings,
                                              const OptimizerSettings& optimizer, unsigned learned) {
    training_.reset();
    const std::int64_t T = attention.sizes().num_tokens, d_in = attention.sizes().d_in;
    const std::int64_t d_out = attention.sizes().d_out, num_scores = attention.sizes().num_heads * T * T;
    // The weights, the gradients at the scores, what both are made of; tensors of heads; the matrices, their gradients,
    // the two means of Adam and a copy; the vocabulary, twice, logits and probabilities; rows of targets.
    const std::int64_t goal = kind_ == GoalKind::next ? 3 * num_words_ * (T + d_out)
                                                      : static_cast<std::int64_t>(goal_numbers_.size()) / 4 * T;
    const std::int64_t flags = 2 * T * T + (settings.dropout > 0 ? num_scores : 0);
    if (!make_room(3 * num_scores + 14 * T * d_out + 6 * T * d_in + 7 * (3 * d_in + d_out) * d_out + goal + flags / 4))
        return Outcome::no_room;
    std::optional<AttentionProblem> problem = attention.problem(settings);
    if (!problem) return Outcome::blind_query;
    problem->goal = goal_of(*problem);
    TrainingProblem training{.sentences = {}, .optimizer = optimizer, .learned = {}};
    for (std::size_t n = 0; n < kNumLearned; ++n) {
        const bool is_idle = kind_ == GoalKind::pattern && is_behind_weights(kLearned[n]);
        if ((learned >> n & 1) != 0 && !is_idle) training.learned.insert(kLearned[n]);
    }
    lowest_loss_ = attn::lowest_loss(problem->goal);
    training.sentences.push_back(std::move(*problem));
    training_ = std::make_unique<Training>(std::move(training));
    return Outcome::done;
}

int EngineLearning::step(int count) {
    int taken = 0;
    while (taken < count && training_->step()) ++taken;
    return taken;
}

LearnedPlaces EngineLearning::numbers() const {
    const AttentionProblem& problem = training_->sentence(0);
    return places_of(problem.embeddings, problem.projections);
}

LearnedPlaces EngineLearning::gradients() const {
    return places_of(training_->gradients(0).embeddings, training_->gradients());
}

}  // namespace attn
