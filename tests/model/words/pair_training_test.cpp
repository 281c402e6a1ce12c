// Byte pairs learned from texts: against the published example, and against counting everything anew for each merge.
#include "model/words/pair_training.h"

#include <catch_amalgamated.hpp>
#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "core/ground/check.h"
#include "model/words/word_cuts.h"

namespace attn::test {
namespace {

// The textbook's way: all pairs of all words are counted before each merge.
LearnedPairs learn_by_counting(std::vector<std::pair<std::string, std::int64_t>> counted, int num_tokens) {
    LearnedPairs learned;
    for (int byte = 0; byte < 256; ++byte) learned.tokens.emplace_back(1, static_cast<char>(byte));
    std::vector<std::vector<int>> words;
    for (const auto& [bytes, count] : counted) {
        words.emplace_back();
        for (const char byte : bytes) words.back().push_back(static_cast<std::uint8_t>(byte));
    }
    while (static_cast<int>(learned.tokens.size()) < num_tokens) {
        std::map<std::pair<int, int>, std::int64_t> pairs;
        for (std::size_t k = 0; k < words.size(); ++k)
            for (std::size_t at = 0; at + 1 < words[k].size(); ++at)
                pairs[{words[k][at], words[k][at + 1]}] += counted[k].second;
        std::pair<std::pair<int, int>, std::int64_t> best = {{0, 0}, 1};
        for (const auto& one : pairs)
            if (one.second > best.second) best = one;
        if (best.second < 2) break;
        const auto made = static_cast<int>(learned.tokens.size());
        const auto [left, right] = best.first;
        learned.tokens.push_back(learned.tokens[static_cast<std::size_t>(left)] +
                                 learned.tokens[static_cast<std::size_t>(right)]);
        learned.merges.push_back(best.first);
        for (std::vector<int>& word : words) {
            std::vector<int> after;
            for (std::size_t at = 0; at < word.size(); ++at) {
                const bool is_pair = at + 1 < word.size() && word[at] == left && word[at + 1] == right;
                after.push_back(is_pair ? made : word[at]);
                if (is_pair) ++at;
            }
            word = std::move(after);
        }
    }
    return learned;
}

std::string repeated(const std::string& text, int times) {
    std::string all;
    for (int n = 0; n < times; ++n) all += text;
    return all;
}

}  // namespace

TEST_CASE("the merges of the published example", "[pairs][golden]") {
    // Hugging Face's course, chapter 6.5: hug 10, pug 5, pun 12, bun 4, hugs 5. Here a blank begins each word.
    PairTraining training;
    for (const auto& [word, count] :
         std::vector<std::pair<std::string, int>>{{" hug", 10}, {" pug", 5}, {" pun", 12}, {" bun", 4}, {" hugs", 5}})
        training.add(repeated(word, count));
    CHECK(training.num_words() == 36);
    const LearnedPairs learned = training.learn(300);
    // The blank is not in the example: its merges come where " p" (17) and " h" (15) stand as often as letters do.
    REQUIRE(learned.tokens.size() > 260);
    CHECK(learned.tokens[256] == "ug");  // 20 times, as there
    CHECK(learned.tokens[257] == " p");  // 17
    CHECK(learned.tokens[258] == "un");  // 16, as there
    CHECK(learned.tokens[259] == " h");  // 15
    CHECK(learned.tokens[260] == " hug");
}

TEST_CASE("pairs are those that counting anew finds, for texts of few letters", "[pairs][reference]") {
    const int seed = GENERATE(range(0, 40));
    CAPTURE(seed);
    std::mt19937 dice(static_cast<unsigned>(seed));
    std::map<std::string, std::int64_t> counted;
    std::string text;
    for (int n = 0; n < 60; ++n) {
        std::string word = " ";
        for (auto letters = 1 + dice() % 9; letters > 0; --letters) word += static_cast<char>('a' + dice() % 3);
        ++counted[word];
        text += word;
    }
    PairTraining training;
    training.add(text);
    const LearnedPairs learned = training.learn(400);
    const LearnedPairs wanted = learn_by_counting({counted.begin(), counted.end()}, 400);
    CHECK(learned.merges == wanted.merges);
    CHECK(learned.tokens == wanted.tokens);
}

TEST_CASE("a long text is counted in parts as if it were whole", "[pairs][property]") {
    std::string text;
    for (int n = 0; text.size() < 300'000; ++n)
        text += concat("word", n % 97, n % 5 == 0 ? "\n\n" : " ", "two  three, ");
    PairTraining whole;
    whole.add(text);
    const std::vector<unicode::Character> characters = unicode::characters_of(text);
    CHECK(whole.num_words() == static_cast<std::int64_t>(cut(characters, gpt2_words(), CutBehavior::isolated).size()));
}

TEST_CASE("texts without pairs that stand twice give the bytes alone", "[pairs][bad-input]") {
    PairTraining training;
    CHECK(training.learn(4096).tokens.size() == 256);
    training.add("ab");
    training.add(std::string("\xff\xfe\0\x80", 4));
    CHECK(training.learn(4096).merges.empty());
}

}  // namespace attn::test
