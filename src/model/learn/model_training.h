// Training of a whole model by a recipe, a step at a time: the same bits on every machine, also after a pause.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/learn/recipe.h"

namespace attn {

// What a training takes besides its recipe.
struct TrainingMeans {
    int num_texts = 0;                     // of each batch, where it is not the recipe's (tests take fewer)
    const TrainingTexts* texts = nullptr;  // the recipe's, if it has some
    WorkRunner runner = {};                // of the parts of a batch
};

class ModelTraining {
public:
    // Before the first step. `recipe` and the texts stay where they are.
    ModelTraining(const Recipe& recipe, std::uint64_t seed, TrainingMeans means = {});

    // One step. Returns the loss before it.
    double step();

    int num_steps() const { return adamw_.num_steps(); }
    bool is_done() const { return num_steps() >= recipe_->rate.num_steps; }
    std::int64_t num_tokens_seen() const;
    std::uint64_t seed() const { return seed_; }
    const LearnedLayout& layout() const { return layout_; }
    std::span<const float> numbers() const { return numbers_; }
    std::span<const float> losses() const { return losses_; }  // one for each step
    // Of a recipe with texts: the loss of these numbers (its own, or its own as halves) on texts that it does not read,
    // as TrainingTexts::held_out_loss.
    HeldOutLoss held_out_loss(std::span<const float> numbers, int most_texts = 0);
    // Whether the last loss or one of the numbers is NaN, infinite or too large for the halves that a file has.
    bool has_diverged() const;

    // All that the next steps depend on, as a safetensors file.
    std::string checkpoint() const;
    // Goes on from there. Returns nothing, or a sentence: no such file, another recipe, another seed.
    std::string go_to(std::string_view checkpoint);

private:
    const Recipe* recipe_;
    std::uint64_t seed_;
    const TrainingTexts* texts_;
    int num_texts_;
    LearnedLayout layout_;
    std::vector<NumberRange> shrinking_;
    std::vector<float> numbers_, gradients_, losses_;
    BatchParts parts_;
    AdamW adamw_;
};

// How much memory training and scoring take at most, with as many workers; files of texts not counted.
std::int64_t bytes_of_training(const Recipe& recipe, int num_workers = 1);

}  // namespace attn
