// How a model is trained, as a file says it: its size, the steps, the grammar, and by which rule one of several seeds
// is chosen. Written before the training, and part of what the trained model is known by.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/ground/result.h"
#include "model/grammar/grammar.h"
#include "model/learn/adamw.h"
#include "model/learn/batch_pass.h"
#include "model/learn/learned_numbers.h"

namespace attn {

// A measure that a seed must reach, by its name in TrainedScores.
struct WantedScore {
    std::string name;
    double least = 0;
};

constexpr std::uint64_t kMaxSeed = 1'000'000;

struct Recipe {
    std::string name;
    LearnedShape shape;  // its vocabulary is the grammar's
    double embedding_deviation = 0.05;
    int batch = 64;  // texts of as many tokens as there are positions
    RateCurve rate;
    AdamWSettings adamw;
    double longest_gradient = 1;
    Grammar grammar;
    std::vector<std::uint64_t> seeds;
    std::vector<WantedScore> wanted;
    std::string rule;    // of the choice, in words
    std::string digest;  // SHA-256 of the file
};

// Fails with a sentence: no JSON, what is missing, what is out of bounds.
Result<Recipe> read_recipe(std::string_view json);

// The texts of step 0, 1, ...: they depend on seed and step alone, so training goes on anywhere.
TextBatch batch_of_step(const Recipe& recipe, std::uint64_t seed, int step, int num_texts);

}  // namespace attn
