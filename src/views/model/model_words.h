// What is told of a model: the cards of those that come with the page, and the words that a model knows.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/words/model_tokenizer.h"

namespace attn {

// A sentence to start from, with what it shows. Where the model writes on: its most probable words, and words that it
// drew (temperature 1, seed 123, one more for each next sentence); neither was chosen.
struct StartSentence {
    std::string_view text, about;
    std::string_view likeliest = {}, drawn = {};
};

// The same words as in the model's card.json.
struct ModelCard {
    std::string_view model;                   // by its name in links
    std::string_view trained_on;              // ", trained by this project on …"
    std::span<const std::string_view> about;  // what it is and what it is not, a paragraph each
    std::span<const StartSentence> starts;
};
// Null for a model of somebody else's.
const ModelCard* find_model_card(std::string_view model);

// The words of a small vocabulary in alphabetical order, without its own signs; empty for a vocabulary of more than
// kMostListedWords.
std::vector<std::string> words_it_knows(const ModelTokenizer& tokenizer);
inline constexpr int kMostListedWords = 600;

}  // namespace attn
