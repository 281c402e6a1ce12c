// The word that goal=next gives the highest probability, said: the sentence grows by it.
#pragma once

#include <optional>
#include <string>

#include "playground/numbers/evaluation.h"
#include "playground/state/state.h"

namespace attn {

struct SaidWord {
    std::string word;
    double probability = 0;  // of the vocabulary's words, after the sentence's last token
    Inputs inputs;           // with the word at the end of the shown sentence
};

// The evaluation is complete, of `inputs` and its sentence number `shown`. What training made of the numbers is kept
// (keep_training): the new word would be something to train for, and would change the rows that a cache keeps. Of words
// that are equally probable the first. Nothing without that goal or tokens, and where the sentence has no room for one
// more, the word would be another token there, or what was trained are too many numbers to keep.
std::optional<SaidWord> say_next_word(const Inputs& inputs, const Evaluation& evaluation, int shown);

}  // namespace attn
