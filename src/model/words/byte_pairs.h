// Byte-level byte-pair encoding, as GPT-2 has it (Sennrich et al. 2016; Radford et al. 2019, section 2.2): a text is
// cut into words, a word into bytes, and neighbours are merged in the order in which training found them.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/ground/result.h"
#include "model/words/unicode.h"
#include "model/words/vocabulary.h"

namespace attn {

// A token of a text: its number, and its bytes [begin, end) of the text. -1 stands for what the vocabulary does not
// have.
struct ModelToken {
    int id = -1;
    std::size_t begin = 0, end = 0;
    bool operator==(const ModelToken&) const = default;
};

// How a text is cut before its words are merged: by a regular expression that the tokenizer's file names.
enum class WordSplit {
    gpt2,    // 's|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+
    llama3,  // (?i:'s|...)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+
    qwen2,   // the same with \p{N} alone
    none,    // not at all
};

// Whether numbers are parted from what stands beside them before a text is cut into words: each character of one
// (SmolLM), or as a whole. Numbers are those of all scripts (N*), as in Hugging Face's tokenizers.
enum class DigitCut { none, each, runs };

// The ends of the words: places in `text`, rising, the last one its size. No words for an empty text.
std::vector<std::size_t> split_words(std::span<const unicode::Character> text, WordSplit split,
                                     DigitCut digits = DigitCut::none);

// The character that stands for a byte in the texts of the vocabulary: itself for those that can be seen, U+0100 and
// following for the other 68, in their order.
std::uint32_t character_of_byte(std::uint8_t byte);
// The bytes of a token's text; characters that stand for no byte are left as they are.
std::string bytes_of_token(std::string_view text);

class BytePairs {
public:
    // `merges`: pairs of texts, the first merged first. Fails with a sentence for a merge of tokens, or to a token,
    // that the vocabulary does not have. `unknown` is the number for bytes that it does not have, or -1.
    static Result<BytePairs> make(const Vocabulary& vocabulary,
                                  std::span<const std::pair<std::string_view, std::string_view>> merges, int unknown,
                                  bool ignores_merges);

    // The tokens of one word, whose bytes are these; `begin` is where they stand. Time: n log n.
    void encode(const Vocabulary& vocabulary, std::string_view word, std::size_t begin,
                std::vector<ModelToken>& tokens) const;

private:
    BytePairs() = default;
    struct Merge {
        std::uint64_t pair;  // both numbers
        std::int32_t rank, id;
    };
    const Merge* find(int left, int right) const;

    std::vector<Merge> merges_;  // sorted by pair
    std::vector<int> byte_ids_;  // [256], -1 where there is none
    int unknown_ = -1;
    bool ignores_merges_ = false;  // a word that is a token is that token
};

}  // namespace attn
