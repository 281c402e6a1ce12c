// How a text is cut into words before a model makes tokens of each ("pre-tokenizers").
#pragma once

#include <string_view>
#include <vector>

#include "model/words/pattern.h"
#include "model/words/text_changes.h"

namespace attn {

// Each word of a text, none of them empty. With `is_inverted`, what stands between matches counts as a match, and
// matches as what stands between.
std::vector<Text> cut(const Text& text, const Pattern& pattern, CutBehavior behavior, bool is_inverted = false);

// The patterns that have names of their own in files.
const Pattern& gpt2_words();   // 's|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+
const Pattern& numbers();      // \p{N}
const Pattern& white_space();  // \s
const Pattern& whole_words();  // \w+|[^\w\s]+
const Pattern& punctuation();  // that of Unicode, and the signs of ASCII

}  // namespace attn
