// The way to the trained model that comes with the program: a state that a link can say, too.
#pragma once

#include <string_view>

#include "playground/state/state.h"

namespace attn {

// The model that comes with the program, by its name in links.
inline constexpr std::string_view kOwnModel = "first-words";

// Its second layer; a model that is chosen already stays.
void make_trained(Inputs& inputs);

}  // namespace attn
