// The settings of a state with a trained model.
#pragma once

#include "ui/frame/frame.h"

namespace attn {

// Its layer, heads that are off and numbers changed by hand, and what it decides; or why it is not there.
void put_model_rows(UiFrame& frame);

// How many numbers were changed by hand, with a button that takes them back.
void put_edits(UiFrame& frame);

}  // namespace attn
