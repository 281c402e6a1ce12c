// The keys of the recipe: what training is for, how it goes, how far. Rows of the key table, and what makes their
// fields legal. The engine module, which computes forward alone, has none of them.
#pragma once

#include <set>
#include <string_view>
#include <vector>

#include "playground/link/key_info.h"
#include "playground/state/state.h"
#include "playground/text/notes.h"

namespace attn {

// Puts them behind the other keys that decide numbers.
void insert_recipe_keys(std::vector<KeyInfo>& table);

// Moves the recipe of otherwise legal inputs to the nearest legal one: targets get the sentence and heads that they
// mean, `steps` ends where training would cost more than kMaxTrainingCost.
Notes clamp_recipe(Inputs& inputs, int shown_sentence);

// Multiply-adds of all steps together: some seconds.
inline constexpr double kMaxTrainingCost = 1e10;

// About how many multiply-adds one step takes, forward and backward of all sentences. Tokenizes them.
double step_cost(const Inputs& inputs);

// How the note begins that goal=next needs another d_out.
inline constexpr std::string_view kNotAsWide =
    "goal set to none: to name the next word the output must be as wide as the words' vectors";

// The most steps that these legal inputs may have.
int most_steps(const Inputs& inputs);

// What can learn, in the order of the settings: the tensors that there are and that the goal depends on.
std::vector<TensorId> trainable_tensors(const Inputs& inputs);

// The tensors that learn: those of `train`, or all matrices and biases that there are; with goal=pattern none behind
// the weights (values and the output projection), and nothing where nothing is painted.
std::set<TensorId> trained_tensors(const Inputs& inputs);

}  // namespace attn
