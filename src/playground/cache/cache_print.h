// A sentence computed token by token, in print: for the attn command and the engine module.
#pragma once

#include <string>

#include "playground/numbers/evaluation.h"
#include "playground/state/state.h"
#include "playground/text/notes.h"

namespace attn {

// Both take a legal state and the complete evaluation of its shown sentence, which has tokens, and follow the sentence
// from its prompt (the key `prompt`) to its end: what each pass computes and what it finds in the cache, what that
// costs with a cache and without (cache_counts), and whether both ways gave the same bits, because both were computed.

// {"link", "notes", "tokens", "prompt", "passes": [{"tokens": their places, "kept_rows", "weights": of each head the
// newest token's row}], "counts": [{"name", "cached": {"formula", "count"}, "without": likewise}], "digest_cached",
// "digest_without", "is_same", "verdict"}
std::string cache_as_json(const PlaygroundState& state, const Evaluation& evaluation, const Notes& notes);

// The same as lines for a terminal, without the weights.
std::string cache_as_text(const PlaygroundState& state, const Evaluation& evaluation, const Notes& notes);

}  // namespace attn
