// WordPiece as BERT has it (Wu et al. 2016; Devlin et al. 2018): a text is cleaned, cut at white space and punctuation,
// and each word is taken apart into the longest pieces that the vocabulary has, from its beginning on.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/words/byte_pairs.h"
#include "model/words/unicode.h"
#include "model/words/vocabulary.h"

namespace attn {

// BERT's cleaning, step by step in this order.
struct WordCleaning {
    bool drops_controls = true;  // control and invisible characters go, all white space becomes a blank
    bool parts_chinese = true;   // each Chinese character (not kana, not Hangul) is a word of its own
    bool drops_accents = true;
    bool makes_lower_case = true;
};

// The characters of a text after cleaning; each has the bytes of the one that it comes from.
std::vector<unicode::Character> clean_words(std::span<const unicode::Character> text, const WordCleaning& cleaning);

struct WordPieceRules {
    int unknown = 0;            // the number of [UNK]
    std::string prefix = "##";  // of pieces that do not begin a word
    std::size_t longest = 100;  // characters; a longer word is unknown
};

// The tokens of a cleaned text, each with the bytes that its characters come from. A word is one unknown token if any
// part of it is in no piece.
void encode_word_pieces(const Vocabulary& vocabulary, const WordPieceRules& rules,
                        std::span<const unicode::Character> cleaned, std::vector<ModelToken>& tokens);

// Whole words instead: each is a token, or `unknown`. `parts_punctuation`: each mark is a word of its own.
void encode_whole_words(const Vocabulary& vocabulary, int unknown, bool parts_punctuation,
                        std::span<const unicode::Character> cleaned, std::vector<ModelToken>& tokens);

}  // namespace attn
