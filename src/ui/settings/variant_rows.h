// The settings of positions, and of the variants of attention: shared key heads, latents, windows, sinks.
#pragma once

#include <string_view>

#include "ui/frame/frame.h"

namespace attn {

void put_position_rows(UiFrame& frame);
void put_variant_rows(UiFrame& frame);
// The cap of scores or of logits: off, and what shows on numbers of a few units, up to what models have.
void put_cap_row(UiFrame& frame, std::string_view key, double cap);

}  // namespace attn
