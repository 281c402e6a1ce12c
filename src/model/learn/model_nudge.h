// What any number of any model is worth to a text: the loss with the number moved a little up and a little down, in
// double with plain loops, knowing nothing of a backward pass. Of GPT-2's and Llama's kinds the gradient, too, which
// must be the same.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "model/layers/model_input.h"
#include "model/layers/model_weights.h"
#include "model/learn/gradients_reference.h"

namespace attn {

// The mean over all tokens but the last of -ln(probability of the next token).
double text_loss_reference(const Model& model, const ModelInput& input);

// Why a text has no loss, in a sentence: one token, tokens that see those behind them, no logits. Empty where it has.
std::string find_loss_problem(const Model& model, const ModelInput& input);

// Moves number `number` of a tensor, in the file's order. find_loss_problem has nothing against the text.
ModelNudge nudge_model(const Model& model, const ModelInput& input, const ModelTensor& tensor, std::int64_t number);

// The gradient of the same loss at the same number. Nothing where the model is not of GPT-2's kind or Llama's (with as
// many key heads as heads, and no windows) with tied embeddings, is too large for it, or has heads off or numbers
// changed.
inline constexpr std::int64_t kMostGradients = 5'000'000;
std::optional<double> gradient_of_number(const Model& model, const ModelInput& input, const ModelTensor& tensor,
                                         std::int64_t number);

}  // namespace attn
