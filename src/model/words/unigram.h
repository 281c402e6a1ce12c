// Unigram (Kudo 2018): of all ways to write a word as tokens the one whose logarithms of probabilities add up to most.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "model/words/byte_pairs.h"

namespace attn {

struct UnigramRules {
    int unknown = -1;                // for characters that are no token
    bool has_byte_fallback = false;  // or their bytes, as tokens of their own
    bool is_single = false;          // sums are kept in single precision, as in SentencePiece
};

class Unigram {
public:
    // `scores`: of each token by its number, the logarithm of its probability; NaN for one that stands in no text.
    Unigram(const Vocabulary& vocabulary, std::vector<double> scores, const UnigramRules& rules);

    // The tokens of a word. Of two ways that are worth the same the one whose last token is longer
    // counts. Characters that are no token and stand side by side are one unknown token. Time: the size of the word
    // times that of the longest token.
    void encode(const Vocabulary& vocabulary, std::span<const unicode::Character> word,
                std::vector<ModelToken>& tokens) const;

private:
    double rounded(double score) const;

    std::vector<double> scores_;
    double score_of_unknown_ = 0;
    std::vector<int> byte_ids_;
    UnigramRules rules_;
};

}  // namespace attn
