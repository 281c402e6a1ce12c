// A sentence becomes tokens: words and punctuation by Unicode's word rules (UAX #29), or characters as people
// count them (grapheme clusters). Knows text only: no numbers, no screen.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace attn {

inline constexpr std::size_t kMaxTokens = 2048;

enum class TokenKind { words, chars };

struct Token {
    std::string text;   // valid UTF-8, never empty, no white space
    std::size_t begin;  // byte range [begin, end) in Tokens::sentence
    std::size_t end;
};

struct Tokens {
    std::string sentence;         // what was tokenized: valid UTF-8
    std::vector<Token> tokens;    // in order, at most kMaxTokens; the bytes between two tokens are white space
    std::size_t num_left_out = 0; // tokens after the first kMaxTokens
};

struct CleanText {
    std::string text;             // valid UTF-8; control characters other than white space become U+FFFD
    std::size_t num_replaced = 0; // how many U+FFFD were put in
};

// Replaces each invalid byte sequence, and each control character that is not white space, by U+FFFD
// (Unicode 15, table 3-8: one U+FFFD per maximal invalid subpart).
CleanText clean_utf8(std::string_view bytes);

// Splits `sentence` (any bytes; it is cleaned first) into tokens.
// words: segments between UAX #29 word boundaries; segments that are white space belong to the space between.
// chars: UAX #29 extended grapheme clusters, white space left out.
Tokens tokenize(std::string_view sentence, TokenKind kind);

}  // namespace attn
