// Unigram against all ways to write a word.
#include "model/words/unigram.h"

#include <catch_amalgamated.hpp>
#include <cmath>
#include <limits>
#include <random>
#include <string>

using attn::ModelToken;
using attn::Unigram;
using attn::Vocabulary;
using attn::unicode::characters_of;

namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

Vocabulary vocabulary_of(const std::vector<std::string>& texts) {
    std::vector<std::pair<std::string, int>> tokens;
    for (const std::string& text : texts) tokens.emplace_back(text, static_cast<int>(tokens.size()));
    attn::Result<Vocabulary> vocabulary = Vocabulary::make(std::move(tokens));
    REQUIRE(vocabulary);
    return std::move(*vocabulary);
}

std::vector<ModelToken> tokens_by(const Unigram& unigram, const Vocabulary& vocabulary, std::string_view word) {
    std::vector<ModelToken> tokens;
    unigram.encode(vocabulary, characters_of(word), tokens);
    return tokens;
}

// The most that the rest of a word can be worth. Each letter is a token.
double best_of(const std::vector<std::string>& texts, const std::vector<double>& scores, std::string_view rest) {
    if (rest.empty()) return 0;
    double best = -std::numeric_limits<double>::infinity();
    for (std::size_t i = 1; i < texts.size(); ++i)
        if (rest.starts_with(texts[i]))
            best = std::max(best, scores[i] + best_of(texts, scores, rest.substr(texts[i].size())));
    return best;
}

}  // namespace

TEST_CASE("the way that is worth most is found, as among all ways", "[unigram][property]") {
    std::mt19937 dice(11);
    const std::vector<std::string> texts = {"<unk>", "a",   "b",   "c",   "ab", "bc",
                                            "ca",    "abc", "aab", "bca", "cc", "abca"};
    const Vocabulary vocabulary = vocabulary_of(texts);
    for (int round = 0; round < 300; ++round) {
        std::vector<double> scores = {0};
        for (std::size_t i = 1; i < texts.size(); ++i) scores.push_back(-static_cast<double>(dice() % 1000) / 100);
        std::string word;
        for (auto size = 1 + dice() % 11; size > 0; --size) word += static_cast<char>('a' + dice() % 3);
        CAPTURE(word);
        const Unigram unigram(vocabulary, scores, {.unknown = 0});
        double worth = 0;
        std::string together;
        for (const ModelToken& token : tokens_by(unigram, vocabulary, word)) {
            worth += scores[static_cast<std::size_t>(token.id)];
            together += texts[static_cast<std::size_t>(token.id)];
        }
        CHECK(together == word);
        CHECK(worth == Catch::Approx(best_of(texts, scores, word)).margin(1e-9));
    }
}

TEST_CASE("what is no token is unknown once, or its bytes", "[unigram]") {
    const Vocabulary vocabulary = vocabulary_of({"<unk>", "a", "aa", "<0xC3>", "<0xA9>", "skipped"});
    const std::vector<double> scores = {0, -1, -1.5, kNone, kNone, kNone};
    const Unigram plain(vocabulary, scores, {.unknown = 0});
    CHECK(tokens_by(plain, vocabulary, "aaxy\u00e9a") == std::vector<ModelToken>{{2, 0, 2}, {0, 2, 6}, {1, 6, 7}});
    CHECK(tokens_by(plain, vocabulary, "").empty());
    // Tokens of bytes, and those that stand in no text, are not read there.
    CHECK(tokens_by(plain, vocabulary, "<0xC3>") == std::vector<ModelToken>{{0, 0, 6}});
    CHECK(tokens_by(plain, vocabulary, "skipped") == std::vector<ModelToken>{{0, 0, 7}});
    const Unigram bytes(vocabulary, scores, {.unknown = 0, .has_byte_fallback = true});
    CHECK(tokens_by(bytes, vocabulary, "a\u00e9x") ==
          std::vector<ModelToken>{{1, 0, 1}, {3, 1, 2}, {4, 2, 3}, {0, 3, 4}});
    // Of two ways that are worth the same, the one with the longer last token.
    const Unigram even(vocabulary, {0, -1, -2, kNone, kNone, kNone}, {.unknown = 0});
    CHECK(tokens_by(even, vocabulary, "aaa") == std::vector<ModelToken>{{1, 0, 1}, {2, 1, 3}});
}
