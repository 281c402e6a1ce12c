// Losses, gradients and steps of training of the module's second file (src/engine_learning_module.cpp): a problem of
// plain arrays, a goal of plain numbers. Knows no JavaScript. Whoever calls has checked shapes and ranges; what does
// not fit into memory is refused before any of it is allocated.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/attention/goal.h"
#include "core/learn/training.h"
#include "engine_attention.h"

namespace attn {

// Where numbers are: x, w_query, w_key, w_value, w_out, b_query, b_key, b_value, b_out, as in
// EngineAttention::Arguments. Null for what is absent.
inline constexpr std::size_t kNumLearned = 9;
using LearnedPlaces = std::array<const float*, kNumLearned>;

class EngineLearning {
public:
    enum class Outcome { done, no_room, blind_query };

    // Makes room for what a goal is made of; null when there is none. To be written anew before each begin().
    // Pattern: `count` cells of four numbers, head, query, key and share: at least one, inside, not hidden, of a share
    // above 0. Shares of a row are divided by their sum; of two for one cell the last one counts.
    float* make_pattern(int count);
    // Next word: for each token the row of the vocabulary that should follow, -1 for none, at least one other; then
    // the vocabulary, (num_words, d_out).
    float* make_next(int num_tokens, int num_words, int d_out);

    // Begins with the arguments that `attention` has. `learned`: bits in the order of LearnedPlaces; those that are
    // absent, and with a pattern all behind the weights, are left out. Ends what was begun before.
    Outcome begin(EngineAttention& attention, const AttentionSettings& settings, const OptimizerSettings& optimizer,
                  unsigned learned);

    // Takes so many steps, or fewer if a loss or a number would not be finite after the next one. Returns those taken.
    int step(int count);

    const Training& training() const { return *training_; }
    double lowest_loss() const { return lowest_loss_; }
    LearnedPlaces numbers() const;
    LearnedPlaces gradients() const;
    std::int64_t bytes_wanted() const { return bytes_wanted_; }  // after Outcome::no_room, or null

private:
    bool make_room(std::int64_t numbers);
    Goal goal_of(const AttentionProblem& problem) const;

    GoalKind kind_ = GoalKind::none;
    int num_words_ = 0;
    std::vector<float> goal_numbers_;
    std::unique_ptr<Training> training_;
    double lowest_loss_ = 0;
    std::int64_t bytes_wanted_ = 0;
};

}  // namespace attn
