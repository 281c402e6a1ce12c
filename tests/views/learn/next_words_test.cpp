// The next words: against the plain double reference, and their mean against the loss.
#include "views/learn/next_words.h"

#include <catch_amalgamated.hpp>
#include <cmath>
#include <numeric>

#include "core/ground/check.h"
#include "core/operations/values.h"
#include "playground/text/format.h"
#include "views/learn/learning_links.h"

namespace attn::test {

TEST_CASE("each position's probabilities are those of the reference, and the mean loss is the loss", "[next-words]") {
    const std::string link =
        GENERATE("goal=next&d_out=8", "goal=next&d_out=8&out=0&heads=4", "goal=next&d_out=8&steps=30",
                 "goal=next&d_out=8&mask=none&bias=1&embed=torch&rate=0.5&steps=20");
    CAPTURE(link);
    const Learned learned(link);
    const Evaluation& shown = learned.shown();
    const NextWords words = next_words(shown);
    AttentionProblem problem = *shown.problem;
    problem.goal = shown.run->training().sentence(0).goal;
    const LayerValues reference = layer_values(problem);
    REQUIRE(words.positions.size() == 11);
    CHECK(words.vocabulary.size() == 10);  // "a" stands twice
    double sum = 0;
    for (const NextWord& word : words.positions) {
        CAPTURE(word.position);
        for (int v = 0; v < 10; ++v) {
            // The output is a float, and some 10 products are added up.
            CHECK(std::abs(word.probabilities[static_cast<std::size_t>(v)] -
                           reference.of(TensorId::probabilities)(0, word.position, v)) < 1e-5);
        }
        CHECK(std::abs(std::accumulate(word.probabilities.begin(), word.probabilities.end(), 0.0) - 1) < 1e-12);
        CHECK(word.wanted.has_value() == (word.position < 10));
        if (!word.wanted) continue;
        const std::string& next = shown.tokens.tokens[static_cast<std::size_t>(word.position) + 1].text;
        CHECK(words.vocabulary[static_cast<std::size_t>(*word.wanted)] == next);
        const double probability = word.probabilities[static_cast<std::size_t>(*word.wanted)];
        // A loss beyond 700 has a probability that is too small for a double.
        if (probability > 1e-300) CHECK(std::abs(word.loss + std::log(probability)) < 1e-11);
        sum += word.loss;
    }
    CHECK(std::abs(words.mean_loss - sum / 10) < 1e-12);
    // The run adds up floats; the last link's loss is some hundreds.
    CHECK(std::abs(words.mean_loss - shown.run->losses().back()) < 1e-5 * std::max(1.0, words.mean_loss));
    CHECK(mean_in_words(words, words.mean_loss) == concat("Their mean is the loss: ", shown_number(sum / 10), "."));
}

TEST_CASE("sentences of a batch share the vocabulary, and their means make up the loss", "[next-words]") {
    const Learned learned("text=&text=the+cat+sat&text=a+dog&d_out=8&goal=next&steps=3&sentence=2");
    const Evaluation& shown = learned.shown();
    const NextWords cat = next_words(shown);
    const NextWords dog = next_words(evaluate(learned.state.inputs, 2, shown.run));
    CHECK(cat.vocabulary == std::vector<std::string>{"a", "cat", "dog", "sat", "the"});
    CHECK(dog.vocabulary == cat.vocabulary);
    CHECK(cat.num_sentences == 2);
    CHECK(dog.positions.front().wanted == 2);
    const double loss = shown.run->losses().back();
    CHECK(std::abs((2 * cat.mean_loss + dog.mean_loss) / 3 - loss) < 1e-5);
    CHECK(mean_in_words(cat, loss) == concat("The mean loss of this sentence is ", shown_number(cat.mean_loss),
                                             ", that of all positions of all 2 sentences ", shown_number(loss),
                                             ": the loss."));
}

TEST_CASE("of a long text the first positions are listed, and it is said", "[next-words]") {
    std::string text;
    for (int i = 0; i < 200; ++i) text += concat(i == 0 ? "" : "+", "w", i);
    NextWords tiny;
    tiny.mean_loss = 5.5654e-5;
    CHECK(mean_in_words(tiny, 5.5637e-5) ==
          "Their mean is the loss: 5.5654e−5 worked out in doubles, 5.5637e−5 in the floats of training.");
    const Learned learned("text=" + text + "&d_out=8&goal=next");
    const NextWords words = next_words(learned.shown());
    CHECK(words.positions.size() == 81);  // of 200 probabilities each
    CHECK(words.num_positions == 200);
    CHECK(mean_in_words(words, words.mean_loss).ends_with("The first 81 of 200 positions are listed."));
    CHECK(std::abs(words.mean_loss - learned.shown().run->losses().back()) < 1e-5);
}

}  // namespace attn::test
