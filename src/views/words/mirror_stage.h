// The shown stage in the mirror: its numbers around the pinned cell, the pinned one with its lines, the strongest.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "playground/check/check_me.h"
#include "playground/numbers/evaluation.h"
#include "playground/state/state.h"
#include "playground/text/json_writer.h"

namespace attn {

inline constexpr int kMirrorNumbers = 9216;  // in all heads together: 12 tokens, 64 channels, 12 heads

void write_texts(JsonWriter& json, std::string_view key, const std::vector<std::string>& texts);

// "shown" of mirror_as_json, and the "values" of one of its heads, as mirror_head_as_json. Not empty. `answers`: what
// was typed for numbers that are blank; null: nothing.
void write_shown(JsonWriter& json, const Evaluation& evaluation, const PlaygroundState& state, const Answers* answers);
void write_head(JsonWriter& json, const Evaluation& evaluation, const PlaygroundState& state, int head);

}  // namespace attn
