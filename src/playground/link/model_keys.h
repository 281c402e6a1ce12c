// The keys of trained models: which one, which layer, heads that are switched off. Rows of the key table, and what
// makes their fields legal. The engine modules have none of them.
#pragma once

#include <string_view>
#include <vector>

#include "playground/link/key_info.h"
#include "playground/state/state.h"
#include "playground/text/notes.h"

namespace attn {

// Puts them behind the settings of the layer.
void insert_model_keys(std::vector<KeyInfo>& table);

// model, layer, off, off_by; and where the model is open, all that it fixes: widths, heads, mask, scale, tokens.
// Without it the inputs stay as they are, and the evaluation says which model is missing.
void clamp_model(Inputs& inputs, Notes& notes);

// Whether an open model decides the value of this key, so that nobody else can change it.
bool is_fixed_by_model(const Inputs& inputs, std::string_view key);

}  // namespace attn
