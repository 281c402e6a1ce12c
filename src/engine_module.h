// What the module's functions have in common: where an answer goes, and whether there is room for it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "engine_attention.h"

namespace attn {

// The settings as JavaScript hands them over: the last places of enumerations, 0 or 1, numbers.
AttentionSettings settings_of_call(int is_causal, int scale, double temperature, int mask_at, double dropout,
                                   double dropout_seed);

// Where the arguments of a call are written to.
EngineAttention& engine_attention();

// The answer's text. An empty one tells that there was no room, and keep_missing() how many bytes there was none for.
void keep_text(std::string text);
void keep_missing(std::int64_t bytes);

// {"error": a sentence}
void keep_error(const std::string& sentence);

// Whether there is room for so many bytes beside what texts take; if not, the answer tells.
bool has_room_or_tells(std::int64_t bytes);

// Bytes that reading a link takes.
std::int64_t reading_bytes(std::string_view link);

}  // namespace attn
