// What a model that is open allows and decides of a state. The engine modules have no models.
#pragma once

#include <string_view>

#include "playground/state/state.h"
#include "playground/text/notes.h"

namespace attn {

// model, layer, off, off_by; and where the model is open, all that it fixes: widths, heads, mask, scale, tokens.
// Without it the inputs stay as they are, and the evaluation says which model is missing.
void clamp_model(Inputs& inputs, Notes& notes);

// Whether an open model decides the value of this key, so that nobody else can change it.
bool is_fixed_by_model(const Inputs& inputs, std::string_view key);

}  // namespace attn
