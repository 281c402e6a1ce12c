// The same words as in models/first-words/card.json: a test holds them together.
#include "views/model/model_words.h"

#include <algorithm>
#include <array>

#include "views/model/model_picture.h"

namespace attn {
namespace {

constexpr std::array<std::string_view, 4> kCard = {
    "A model of two layers with eight heads each, trained by this project on sentences that a small grammar makes, and "
    "on nothing else.",
    "It shows what trained heads do: look at the token before, find the subject of a verb, copy what came before, and "
    "vote for one or the other reading of a sentence.",
    "It is no language model: it knows the words of its list and no others, and what it says of people and things "
    "means nothing.",
    "Its heads are not those of GPT or BERT. They are small enough that you can check every number by hand."};

constexpr std::array<StartSentence, 8> kStarts = {
    {{"the artist painted the portrait of a woman with a brush . who has the brush ? the",
      "Two readings: the artist paints with a brush, and a woman may hold one. This sentence was never trained."},
     {"the artist painted the portrait of a woman with a hat . who has the hat ? the",
      "One reading: hats belong to the person in the picture."},
     {"the artist painted the portrait of a woman with a palette . who has the palette ? the",
      "One reading: a palette is a tool, and belongs to the one who works."},
     {"the dogs near the cat",
      "The verb agrees with the dogs, not with the cat that stands nearer. A plural near a singular was never "
      "trained."},
     {"the dog behind the cats", "The same the other way round. A singular behind a plural was never trained."},
     {"k f p q t w k f p q",
      "Six letters again: copies of six were never trained, only of three, four, five and seven to nine."},
     {"mira and tom met . tom gave the key to", "Who else was there? The name that was not repeated."},
     {"ada and leo met . he gave the key to", "He is Leo, so the key goes to Ada."}}};

}  // namespace

std::span<const std::string_view> own_model_card() {
    return kCard;
}

std::span<const StartSentence> start_sentences() {
    return kStarts;
}

std::vector<std::string> words_it_knows(const ModelTokenizer& tokenizer) {
    std::vector<std::string> words;
    if (tokenizer.size() > kMostListedWords) return words;
    for (int id = 0; id < tokenizer.size(); ++id) {
        std::string word = word_of_token(&tokenizer, id);
        const bool is_sign = word.size() > 2 && (word.front() == '<' || word.front() == '[');
        if (!is_sign) words.push_back(std::move(word));
    }
    std::ranges::sort(words);
    return words;
}

}  // namespace attn
