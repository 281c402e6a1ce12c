// The next word is the one a notebook draws, and the sentence grows by it.
#include "views/model/say_next.h"

#include <array>
#include <catch_amalgamated.hpp>
#include <map>

#include "small_model.h"

namespace attn::test {

TEST_CASE("draws in a link are those of one notebook that draws one after the other", "[model-view][golden]") {
    // The book's logits and counts, as in model/layers/sampling_test.cpp: here each draw is asked for by its number.
    constexpr std::array<float, 9> kLogits = {4.51F, 0.89F, -1.90F, 6.75F, 1.63F, -1.62F, -1.89F, 6.28F, 1.79F};
    std::map<int, int> counts;
    for (int k = 0; k < 1000; ++k) ++counts[drawn_token(kLogits, {.sampling = {}, .seed = 123, .num_drawn = k})];
    CHECK(counts == std::map<int, int>{{0, 73}, {3, 582}, {4, 2}, {7, 343}});
    const NextDraw sure = {.sampling = {.temperature = 0}, .seed = 9, .num_drawn = 4};
    CHECK(drawn_token(kLogits, sure) == 3);
}

TEST_CASE("a sentence grows by exactly the token, however it ends", "[model-view]") {
    const ModelTokenizer words = small_words();
    const std::string sentence = "the artist painted";
    const ModelTokens tokens = words.encode(sentence, false);
    std::vector<int> ids;
    for (const ModelToken& token : tokens.tokens) ids.push_back(token.id);
    CHECK(sentence_with_token(words, sentence, ids, 1) == "the artist painted the");
    CHECK(sentence_with_token(words, "the artist painted ", ids, 1) == "the artist painted  the");
    CHECK(sentence_with_token(words, sentence, ids, 13) == "the artist painted ?");
    CHECK(sentence_with_token(words, sentence, {1, 2}, 1).empty());  // other tokens than the sentence has
    CHECK(sentence_with_token(words, "", {}, 2) == " artist");
}

}  // namespace attn::test
