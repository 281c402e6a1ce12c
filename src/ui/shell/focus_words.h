// What has the keyboard's focus, in words for screen readers.
#pragma once

#include <string>

#include "ui/frame/frame.h"

namespace attn {

// "mask, causal, chosen", "heads: 4, more", "bias: off", "token 7, woman", "Copy link", "d_in: 8, text field"; empty
// without a focus that is shown.
std::string words_of_focus(const Display& display);

}  // namespace attn
