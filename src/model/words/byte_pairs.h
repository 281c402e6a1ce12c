// Byte-pair encoding (Sennrich et al. 2016): a word's characters are merged in the order in which training found the
// pairs. GPT-2's characters stand for bytes (Radford et al. 2019, section 2.2); with those of texts, as SentencePiece
// has it (Kudo and Richardson 2018), one that is no token may become its bytes.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/ground/result.h"
#include "model/words/text_changes.h"
#include "model/words/vocabulary.h"

namespace attn {

// A token of a text: its number, and its bytes [begin, end) of the text. -1 stands for what the vocabulary does not
// have.
struct ModelToken {
    int id = -1;
    std::size_t begin = 0, end = 0;
    bool operator==(const ModelToken&) const = default;
};

// The character that stands for a byte in the texts of GPT-2's vocabulary: itself for those that can be seen, U+0100
// and following for the other 68, in their order.
std::uint32_t character_of_byte(std::uint8_t byte);
// The bytes of a token's text; characters that stand for no byte are left as they are.
std::string bytes_of_token(std::string_view text);
// A text's bytes in UTF-8 as these characters. Those of a character that was typed as it is have a byte of the text
// each; those of others have all that the character comes from.
Text bytes_as_letters(std::span<const unicode::Character> text);

// A byte as a token of its own in a vocabulary of characters: "<0x0A>".
std::string token_of_byte(std::uint8_t byte);
// The numbers of these tokens, -1 where there is none.
std::vector<int> byte_tokens(const Vocabulary& vocabulary);
// A character as tokens of its bytes; false, and none is added, where one of them has no number in `byte_ids`.
bool add_byte_tokens(std::span<const int> byte_ids, const unicode::Character& one, std::vector<ModelToken>& tokens);

struct PairRules {
    bool has_byte_fallback = false;  // characters that are no token become tokens of bytes
    int unknown = -1;                // for what is no token, or -1
    bool fuses_unknown = false;      // one for all that stand side by side
    bool ignores_merges = false;     // a word that is a token is that token
    std::string inner_prefix = {};   // before each part of a word but the first: "##"
    std::string end_suffix = {};     // behind the last part of a word: "</w>"
};

class BytePairs {
public:
    // `merges`: pairs of texts, the first merged first. Fails with a sentence for a merge of tokens, or to a token,
    // that the vocabulary does not have.
    static Result<BytePairs> make(const Vocabulary& vocabulary,
                                  std::span<const std::pair<std::string_view, std::string_view>> merges,
                                  const PairRules& rules);
    // Any two tokens that make a third are merged: those that make the one of the lowest rank first, of one rank the
    // leftmost. `ranks`: of each token by its number; -1 for one that no others make.
    static BytePairs by_rank(const Vocabulary& vocabulary, std::span<const std::int32_t> ranks, const PairRules& rules);

    // The tokens of one word. Time: n log n.
    void encode(const Vocabulary& vocabulary, std::span<const unicode::Character> word,
                std::vector<ModelToken>& tokens) const;

private:
    BytePairs() = default;
    struct Merge {
        std::uint64_t pair;  // both numbers
        std::int32_t rank, id;
    };
    void sort_merges();
    const Merge* find(int left, int right) const;
    std::vector<ModelToken> parts_of(const Vocabulary& vocabulary, std::span<const unicode::Character> word) const;
    void merge(const std::vector<ModelToken>& parts, std::vector<ModelToken>& tokens) const;

    std::vector<Merge> merges_;  // sorted by pair
    std::vector<int> byte_ids_;  // [256] with the fallback to bytes, -1 where there is none
    PairRules rules_;
};

}  // namespace attn
