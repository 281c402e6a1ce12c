// How a model is trained, as a file says it: its size, the steps, the grammar that makes its texts or by what the files
// of texts are known, and by which rule one of several seeds is chosen. Written before the training, and part of what
// the trained model is known by.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/ground/result.h"
#include "model/grammar/grammar.h"
#include "model/learn/adamw.h"
#include "model/learn/batch_pass.h"
#include "model/learn/learned_numbers.h"
#include "model/learn/training_texts.h"

namespace attn {

// A measure that a seed must reach, by its name in TrainedScores.
struct WantedScore {
    std::string name;
    double least = 0;
};

constexpr std::uint64_t kMaxSeed = 1'000'000;

struct Recipe {
    std::string name;
    LearnedShape shape;  // its vocabulary is the grammar's, or with texts the tokenizer's
    double embedding_deviation = 0.05;
    int batch = 64;        // texts of as many tokens as there are positions
    int texts_a_part = 0;  // of the batch, whose gradients are summed before they are added; 0: all
    RateCurve rate;
    AdamWSettings adamw;
    double longest_gradient = 1;
    Grammar grammar;                  // with texts: of sentences that test it, if there are some
    std::optional<KnownTexts> texts;  // that people wrote
    std::vector<std::uint64_t> seeds;
    std::vector<WantedScore> wanted;
    std::string rule;    // of the choice, in words
    std::string digest;  // SHA-256 of the file
};

// Fails with a sentence: no JSON, what is missing, what is out of bounds.
Result<Recipe> read_recipe(std::string_view json);

// The texts of step 0, 1, ...: they depend on seed and step alone, so training goes on anywhere. `texts` are those of
// the recipe, null if a grammar makes them.
TextBatch batch_of_step(const Recipe& recipe, const TrainingTexts* texts, std::uint64_t seed, int step, int num_texts);

}  // namespace attn
