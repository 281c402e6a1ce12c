// What is told of a model: the card of the one that comes with the page, and the words that a model knows.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/words/model_tokenizer.h"

namespace attn {

// What it is and what it is not, a paragraph each: those of models/first-words/card.json.
std::span<const std::string_view> own_model_card();

// Sentences to start from, with what they show.
struct StartSentence {
    std::string_view text, about;
};
std::span<const StartSentence> start_sentences();

// The words of a small vocabulary in alphabetical order, without its own signs; empty for a vocabulary of more than
// kMostListedWords.
std::vector<std::string> words_it_knows(const ModelTokenizer& tokenizer);
inline constexpr int kMostListedWords = 600;

}  // namespace attn
