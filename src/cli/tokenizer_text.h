// The tokenizer.json of tokenizers that attn has made, as other programs read it.
#pragma once

#include <span>
#include <string>

#include "model/words/pair_training.h"
#include "playground/text/json_writer.h"

namespace attn {

// A whole vocabulary of words, in lower case; the first one stands before each text.
std::string word_tokenizer_text(std::span<const std::string> words);

struct PairTokenizerTraits {
    std::string end;          // one more token, the last one, which stands for the end of a text
    bool begins = false;      // it stands before each text, too
    bool adds_blank = false;  // before a text that does not begin with one, so that its first word is a word as others
};

// Byte pairs, as GPT-2's: words are cut by its expression.
std::string pair_tokenizer_text(const LearnedPairs& pairs, const PairTokenizerTraits& traits);

}  // namespace attn
