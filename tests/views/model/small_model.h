// A small model with words, for tests of view=model.
#pragma once

#include "core/ground/check.h"
#include "model/layers/random_model.h"
#include "model/words/model_tokenizer.h"
#include "views/model/model_scene.h"

namespace attn::test {

inline Model small_model(const Checkpoint& checkpoint = random_gpt2()) {
    Result<Model> model = checkpoint.load();
    ATTN_CHECK(model, "the random model does not load");
    return std::move(*model);
}

// Seventeen words, as many as the random models have tokens.
inline ModelTokenizer small_words() {
    Result<ModelTokenizer> tokenizer = ModelTokenizer::read(
        {.vocab_txt =
             "[UNK]\nthe\nartist\npainted\nportrait\nof\na\nwoman\nwith\nbrush\nhat\nwho\nhas\n?\n.\nking\nnurse\n"});
    ATTN_CHECK(tokenizer, "the words do not load");
    return std::move(*tokenizer);
}

inline std::vector<std::string> words_of(const ModelTokenizer& tokenizer, const std::vector<int>& ids) {
    std::vector<std::string> words;
    for (const int id : ids) words.push_back(word_of_token(&tokenizer, id));
    return words;
}

inline const std::vector<int> kTheArtist = {1, 2, 3, 1, 4, 5, 6, 7};  // "the artist painted the portrait of a woman"

}  // namespace attn::test
