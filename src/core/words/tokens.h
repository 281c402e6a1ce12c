// A sentence becomes tokens: words and punctuation by Unicode's word rules (UAX #29), or characters as people
// count them (grapheme clusters). Knows text only: no numbers, no screen.
//
// Boundaries are those of Unicode 15.1, with no dictionary and no language setting, so that one sentence gives the
// same tokens on every machine. Where the plain rules serve a reader badly, words are cut like this:
// - Chinese: a token a character. Japanese: a token a kanji, and one for each run of katakana or of hiragana.
// - Thai, Lao, Khmer, Burmese are written without spaces and would need a dictionary: a token a character as people
//   count them, with all its marks and stacked consonants.
// - A run of one and the same punctuation mark is one token ("...", "!!!", "//"), but not brackets or quotes.
// - Never inside a character as people count it: marks stay with their base, emoji sequences and flags are one token.
// White space is in no token, not even the narrow space of "10 000". Invisible characters (joiners, direction marks,
// soft hyphen, byte order mark) stay where they are inside a word and are left out at its ends, unless they belong to a
// character; U+200B separates words. All else is in some token: a lone combining mark or U+FFFD is one of its own.
// URLs fall into words and punctuation: https : // example.com / a
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace attn {

inline constexpr std::size_t kMaxTokens = 2048;

enum class TokenKind { words, chars };

struct Token {
    std::string text;   // valid UTF-8, never empty, no white space; may be as long as the sentence
    std::size_t begin;  // byte range [begin, end) in Tokens::sentence
    std::size_t end;
};

struct Tokens {
    std::string sentence;          // what was tokenized: valid UTF-8
    std::vector<Token> tokens;     // in order, at most kMaxTokens; nothing that shows lies between them
    std::size_t num_left_out = 0;  // tokens after the first kMaxTokens
};

struct CleanText {
    std::string text;              // valid UTF-8; the only control characters left are white space
    std::size_t num_replaced = 0;  // how many U+FFFD were put in; those that were already there do not count
};

// Replaces each invalid byte sequence, and each control character that is not white space (NUL too), by U+FFFD.
// One U+FFFD per maximal invalid subpart (The Unicode Standard 15, section 3.9, table 3-8): overlong forms, surrogates
// and numbers above 10FFFF give one for each byte, a sequence cut short gives one. Linear in the length.
CleanText clean_utf8(std::string_view bytes);

// Splits `sentence` (any bytes; it is cleaned first) into tokens.
// words: segments between word boundaries as described above.
// chars: extended grapheme clusters (UAX #29), white space and invisible characters left out.
// Time and memory are linear in the length, whatever the text.
Tokens tokenize(std::string_view sentence, TokenKind kind);

}  // namespace attn
