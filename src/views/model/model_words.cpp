// The same words as in the models' card.json: a test holds them together.
#include "views/model/model_words.h"

#include <algorithm>
#include <array>

#include "playground/state/origin.h"
#include "views/model/model_picture.h"

namespace attn {
namespace {

constexpr std::array<std::string_view, 4> kAboutFirstWords = {
    "A model of two layers with eight heads each, trained by this project on sentences that a small grammar makes, and "
    "on nothing else.",
    "It shows what trained heads do: look at the token before, find the subject of a verb, copy what came before, and "
    "vote for one or the other reading of a sentence.",
    "It is no language model: it knows the words of its list and no others, and what it says of people and things "
    "means nothing.",
    "Its heads are not those of GPT or BERT. They are small enough that you can check every number by hand."};

constexpr std::array<StartSentence, 8> kStartsOfFirstWords = {
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

constexpr std::array<std::string_view, 4> kAboutOwnWords = {
    "A model of a million numbers that read old books: six novels by Jane Austen (1811 to 1818), Moby-Dick by Herman "
    "Melville (1851), and what presidents of the United States said on the State of the Union (1790 to 2021). All of "
    "it is in the public domain.",
    "It finds a plausible next word for most English sentences, because it learned which pieces of words follow which. "
    "It does not know what they mean, takes in at most 127 pieces at a time, and knows no fact.",
    "It has learned what its books take for granted: that men act and women marry, that some peoples are savages and "
    "some nations enemies. What it says of people says something about those books, and nothing about people.",
    "Words that its books do not have, such as “phone”, come to it in pieces. Other scripts and emoji come as single "
    "bytes, which it has hardly ever seen."};

constexpr std::array<StartSentence, 11> kStartsOfOwnWords = {
    {{"I love my friends very", "The first ten of sixty everyday sentences, which were written before the training.",
      " well. I am sure I never think of you.\"\n\"I am not", " little in my chosen way; but Everingham Law,"},
     {"The cat sat on the", "The second.", " lane, and the other, and the other, and the two others,",
      " steps of good work was spoken for, and the wonderfulness often, in"},
     {"She was so tired that she", "The third.", " had been so much in love with her, and that she had been so very",
      " was very often bride: she was sixteen years older than this b"},
     {"He opened the door and", "The fourth.", " walked up to the door.\n\"I am afraid, Miss Woodhouse, I",
      " opened to Wednesour, where he had been thus forn with"},
     {"It was a cold and dark", "The fifth.", "ened, and a little too good to be thinking of it.\n\"I",
      ", but but not an honour which good night's restoration of. N"},
     {"We went to the", "The sixth.", " Persian Gulf, and we were all together. We were all together",
      " window-in which was a barrier to most shipped over"},
     {"They were not able to", "The seventh.", " be able to be able to meet with them. They were all in their own",
      " avoid a hostile industry to all the Cular Hoorfield Act--we"},
     {"My mother and my", "The eighth.", " sisters are very well. I am sure you will be very happy. I am",
      " young life goes now.\"\n\"And spolikes me, ever,\""},
     {"I do not know what to", "The ninth.", " say, but I am not so much in the world as I have been in",
      " do; because as the Miss Smiths are concerned, each company, and prof"},
     {"Once upon a", "The tenth.", " few lines, I have been able to report to you on the subject of the",
      " bill and provide full relief for American goods and services will be returned over 9"},
     {"The artist painted the portrait of a woman with a brush. Who has the brush? The",
      "The lecture's sentence, which has two readings.", "n, it is the most unearthly figure of the whale",
      " Sperm Whale's doctors has been replacing open the law of"}}};

constexpr std::array<ModelCard, 2> kCards = {
    {{.model = kFirstWords.name,
      .trained_on = "sentences of a toy grammar",
      .about = kAboutFirstWords,
      .starts = kStartsOfFirstWords},
     {.model = kOwnWords.name, .trained_on = "old books", .about = kAboutOwnWords, .starts = kStartsOfOwnWords}}};

}  // namespace

const ModelCard* find_model_card(std::string_view model) {
    const auto found = std::ranges::find(kCards, model, &ModelCard::model);
    return found == kCards.end() ? nullptr : &*found;
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
