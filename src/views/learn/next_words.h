// goal=next: what each position says of the word that follows. Knows no screen.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "playground/numbers/evaluation.h"

namespace attn {

struct NextWord {
    int position = 0;
    std::string token;
    std::optional<int> wanted = {};          // of the vocabulary; nothing: no word follows
    std::vector<double> probabilities = {};  // softmax of output . vocabulary^T, one for each word; their sum is 1
    double loss = 0;                         // -ln(probability of the wanted word); 0 where none follows
};

struct NextWords {
    std::vector<std::string> vocabulary;   // the distinct tokens of all sentences, in code point order
    std::vector<NextWord> positions = {};  // of the shown sentence, the first ones of very many
    int num_positions = 0;                 // that there are
    double mean_loss = 0;                  // over the positions of the shown sentence that a word follows
    int num_sentences = 1;                 // that have a part in the loss
};

// So many probabilities are worked out at most.
inline constexpr std::size_t kMostNextCells = 16384;

// Of a complete evaluation with goal=next of the legal `inputs`.
NextWords next_words(const Evaluation& evaluation);

// "Their mean is the loss: 1.2345.", or what it is where floats are too coarse for that, with several sentences, or
// with positions left out. `loss`: of the run.
std::string mean_in_words(const NextWords& words, double loss);

}  // namespace attn
