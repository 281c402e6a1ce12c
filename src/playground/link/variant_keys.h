// The keys of attention's variants: heads that share keys and values, latents, and how far a query sees. Rows of the
// key table, and what makes their fields legal.
#pragma once

#include <vector>

#include "playground/link/key_info.h"
#include "playground/state/state.h"
#include "playground/text/notes.h"

namespace attn {

// Puts them behind the keys that they belong to.
void insert_variant_keys(std::vector<KeyInfo>& table);

// kv_heads of inputs with legal heads.
void clamp_kv_heads(Inputs& inputs, Notes& notes);

// latent and latent_queries of inputs with a legal d_out.
void clamp_latents(Inputs& inputs, Notes& notes);

// mask_window and mask_sinks of inputs with legal texts.
void clamp_mask_window(Inputs& inputs, Notes& notes);

}  // namespace attn
