// The word that is said next: the most probable one, after numbers that stay as they were.
#include "playground/cache/next_word.h"

#include <algorithm>
#include <catch_amalgamated.hpp>
#include <cmath>

#include "playground/link/state_url.h"

namespace attn::test {
namespace {

struct Said {
    explicit Said(const std::string& link) : Said(read_link(link).state) {}
    explicit Said(const PlaygroundState& shown) : state(shown) {
        evaluator.update(state);
        said = say_next_word(state.inputs, evaluator.shown(), state.view.sentence);
    }
    PlaygroundState state;
    Evaluator evaluator;
    std::optional<SaidWord> said;
};

}  // namespace

TEST_CASE("trained on a sentence that repeats, the next word is the one that came before", "[cache][learn]") {
    Said first("text=the+cat+sat+the+cat&pos=none&d_in=8&d_out=8&heads=2&goal=next&optimizer=adam&rate=0.05&steps=300");
    REQUIRE(first.said);
    CHECK(first.said->word == "sat");
    CHECK(first.said->probability > 0.9);
    CHECK(first.said->inputs.texts[0] == "the cat sat the cat sat");
    CHECK(first.said->inputs.steps == 0);
    CHECK_FALSE(first.said->inputs.edits.empty());

    // Saying it changed none of the rows before: a cache could keep them.
    PlaygroundState next = first.state;
    next.inputs = first.said->inputs;
    const Said second(next);
    const Matrix& now = second.evaluator.shown().trace.merged;
    const Matrix& before = first.evaluator.shown().trace.merged;
    REQUIRE(now.shape(0) == before.shape(0) + 1);
    CHECK(std::equal(before.begin(), before.end(), now.begin()));
    REQUIRE(second.said);
    CHECK(second.said->word == "the");
}

TEST_CASE("the probability is that of the softmax, and untrained numbers stay without edits", "[cache][property]") {
    const Said one("text=a+b+c+d&d_in=6&d_out=6&heads=2&goal=next");
    REQUIRE(one.said);
    CHECK(one.said->inputs.edits.empty());
    const AttentionTrace& trace = one.evaluator.shown().trace;
    const AttentionProblem& problem = *one.evaluator.shown().problem;
    double largest = 0, sum = 0;
    for (int v = 0; v < 4; ++v) {
        double logit = 0;
        for (int c = 0; c < 6; ++c) {
            const double out = trace.output.size() != 0 ? trace.output(3, c) : trace.merged(3, c);
            logit += out * static_cast<double>(problem.goal.vocabulary(v, c));
        }
        largest = std::max(largest, std::exp(logit));
        sum += std::exp(logit);
    }
    CHECK(one.said->probability == Catch::Approx(largest / sum).epsilon(1e-5));  // logits are floats
}

TEST_CASE("characters and marks are said without a space where one would change them", "[cache][property]") {
    const Said chars("text=abab&tokens=chars&d_in=8&d_out=8&heads=2&goal=next&optimizer=adam&rate=0.05&steps=300");
    REQUIRE(chars.said);
    CHECK(chars.said->word == "a");
    const Tokens tokens = tokenize(chars.said->inputs.texts[0], TokenKind::chars);
    CHECK(tokens.tokens.size() == 5);
}

TEST_CASE("nothing is said without a goal, tokens or room", "[cache][bad-input]") {
    CHECK_FALSE(Said("text=a+b").said);
    CHECK_FALSE(Said("text=&goal=next&d_in=4&d_out=4").said);
    PlaygroundState full = read_link("text=a&d_in=4&d_out=4&heads=1&goal=next").state;
    full.inputs.texts[0].clear();
    for (std::size_t n = 0; n < kMaxTokens; ++n) full.inputs.texts[0] += "a ";
    CHECK_FALSE(Said(full).said);
}

}  // namespace attn::test
