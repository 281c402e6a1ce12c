// WordPiece (Wu et al. 2016), as BERT has it: a word is taken apart into the longest pieces that the vocabulary has,
// from its beginning on. And whole words.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/words/byte_pairs.h"
#include "model/words/unicode.h"
#include "model/words/vocabulary.h"

namespace attn {

struct WordPieceRules {
    int unknown = 0;            // the number of [UNK]
    std::string prefix = "##";  // of pieces that do not begin a word
    std::size_t longest = 100;  // characters; a longer word is unknown
};

// A word as pieces, or as the unknown one.
void encode_word_pieces(const Vocabulary& vocabulary, const WordPieceRules& rules,
                        std::span<const unicode::Character> word, std::vector<ModelToken>& tokens);

// A word as one token, or as `unknown`.
void encode_whole_word(const Vocabulary& vocabulary, int unknown, std::span<const unicode::Character> word,
                       std::vector<ModelToken>& tokens);

}  // namespace attn
