// The keys of trained models: which one, which layer, heads that are switched off: rows of the key table. The engine
// modules have none of them.
#pragma once

#include <string>
#include <vector>

#include "playground/link/key_info.h"
#include "playground/state/state.h"

namespace attn {

// Puts them behind the settings of the layer.
void insert_model_keys(std::vector<KeyInfo>& table);

// As links name them: "2:3,1:*".
std::string write_off(const std::vector<HeadOff>& off);

}  // namespace attn
