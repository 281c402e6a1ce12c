// The tokenizer.json of tokenizers that attn has made, as other programs read it.
#pragma once

#include <span>
#include <string>

#include "model/words/pair_training.h"
#include "playground/text/json_writer.h"

namespace attn {

// A whole vocabulary of words, in lower case; the first one stands before each text.
std::string word_tokenizer_text(std::span<const std::string> words);

// Byte pairs, as GPT-2's: words are cut by its expression. `end` is one more token, the last one, which stands for the
// end of a text; with `begins` it stands before each text, too.
std::string pair_tokenizer_text(const LearnedPairs& pairs, const std::string& end, bool begins);

}  // namespace attn
