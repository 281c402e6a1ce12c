// What a trained model's scores are taken on: held-out sentences of each ability and the lecture's sentence, as the
// model's tokens.
#pragma once

#include <string>
#include <vector>

#include "model/learn/recipe.h"
#include "model/learn/test_sentences.h"

namespace attn {

// The lecture's sentence, up to the word that both readings fight for: in a grammar's words, and as people write it.
inline constexpr std::string_view kLectureSentence =
    "the artist painted the portrait of a woman with a brush . who has the brush ? the";
inline constexpr std::string_view kLectureText =
    "The artist painted the portrait of a woman with a brush. Who has the brush? The";

// The lecture's sentence, and its two answers: each a word of one token, or of several.
struct Lecture {
    std::vector<int> ids;  // with what stands before a text; empty where the model does not know the words
    std::vector<int> artist, woman;
};

// As far as the grammar makes it and the model has positions for it. `texts` as in trained_scores.h.
struct TestSets {
    TestSets(const Recipe& recipe, int count, const TrainingTexts* texts);

    bool has_texts = false;  // held-out ones, of any kind
    std::vector<TestSentence> copying, agreement, attachment, names;
    Lecture lecture;
};

// The first word of the recipe's templates that is not one token of its tokenizer, in a sentence; empty: each is.
std::string find_word_problem(const Recipe& recipe, const TrainingTexts& texts);

}  // namespace attn
