// Which of several trained seeds is taken: by the rule that the recipe has from before the training.
#pragma once

#include <cstddef>
#include <span>

#include "model/learn/recipe.h"
#include "model/learn/trained_scores.h"

namespace attn {

// How many of the wanted scores are reached.
int num_reached(const Recipe& recipe, const TrainedScores& scores);

// The place of the one that reaches the most; among equals the one with the least loss on held-out texts, or without
// texts the one with the largest sum of positional, induction and syntactic; among these the first. At least one.
std::size_t choose_seed(const Recipe& recipe, std::span<const TrainedScores> seeds);

}  // namespace attn
