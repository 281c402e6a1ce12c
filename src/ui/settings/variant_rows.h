// The settings of positions, and of the variants of attention: shared key heads, latents, windows, sinks.
#pragma once

#include "ui/frame/frame.h"

namespace attn {

void put_position_rows(UiFrame& frame);
void put_variant_rows(UiFrame& frame);

}  // namespace attn
