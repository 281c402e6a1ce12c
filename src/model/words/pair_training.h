// Which pairs byte-level byte-pair encoding merges, learned from texts (Sennrich et al. 2016, algorithm 1): again and
// again the pair of neighbours that stands most often in the words of the texts. Of pairs that stand equally often, the
// one whose tokens have the lower numbers, so that the same texts give the same pairs everywhere.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/words/byte_pairs.h"

namespace attn {

struct LearnedPairs {
    std::vector<std::string> tokens;          // their bytes: the 256 bytes in their order, then what each merge made
    std::vector<std::pair<int, int>> merges;  // of tokens, by number, the first one first
};

class PairTraining {
public:
    // Cuts the text into words as GPT-2 does, and counts them. Any bytes.
    void add(std::string_view text);

    std::int64_t num_words() const { return num_words_; }  // that were counted, each as often as it stands

    // Merges until there are `num_tokens` (at least 256), or no pair stands twice: then there are fewer.
    LearnedPairs learn(int num_tokens) const;

private:
    void count(std::string_view word);

    std::map<std::string, std::int64_t, std::less<>> counts_;  // of the words, by their bytes
    std::int64_t num_words_ = 0;
};

}  // namespace attn
