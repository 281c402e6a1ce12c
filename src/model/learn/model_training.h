// Training of a whole model by a recipe, a step at a time: the same bits on every machine, also after a pause.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/learn/recipe.h"

namespace attn {

class ModelTraining {
public:
    // Before the first step. `recipe` stays where it is. `num_texts`: of each batch, where it is not the recipe's
    // (tests take fewer).
    ModelTraining(const Recipe& recipe, std::uint64_t seed, int num_texts = 0);

    // One step. Returns the loss before it.
    double step();

    int num_steps() const { return adamw_.num_steps(); }
    bool is_done() const { return num_steps() >= recipe_->rate.num_steps; }
    std::int64_t num_tokens_seen() const;
    std::uint64_t seed() const { return seed_; }
    const LearnedLayout& layout() const { return layout_; }
    std::span<const float> numbers() const { return numbers_; }
    std::span<const float> losses() const { return losses_; }  // one for each step
    // Whether the last loss or one of the numbers is NaN, infinite or too large for the halves that a file has.
    bool has_diverged() const;

    // All that the next steps depend on, as a safetensors file.
    std::string checkpoint() const;
    // Goes on from there. Returns nothing, or a sentence: no such file, another recipe, another seed.
    std::string go_to(std::string_view checkpoint);

private:
    const Recipe* recipe_;
    std::uint64_t seed_;
    int num_texts_;
    LearnedLayout layout_;
    std::vector<NumberRange> shrinking_;
    std::vector<float> numbers_, gradients_, losses_;
    BatchPass pass_;
    AdamW adamw_;
};

// How much memory training and scoring take at most.
std::int64_t bytes_of_training(const Recipe& recipe);

}  // namespace attn
