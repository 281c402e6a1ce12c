// The keys of attention's variants: heads that share keys and values, latents, how far a query sees, sinks that are
// learned. Rows of the key table, and what makes their fields legal.
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

// Whether rope_dim asks for numbers that are turned alone, and can have some: then queries and keys are not turned.
bool has_own_rotary(const Inputs& inputs);

// latent, latent_queries and rope_dim of inputs with legal d_out, heads and positions.
void clamp_latents(Inputs& inputs, Notes& notes);

// qk_norm: off with latents.
void clamp_qk_norm(Inputs& inputs, Notes& notes);

// sink_logits: off where the mask comes after the softmax.
void clamp_sink(Inputs& inputs, Notes& notes);

// mask_window and mask_sinks of inputs with legal texts.
void clamp_mask_window(Inputs& inputs, Notes& notes);

}  // namespace attn
