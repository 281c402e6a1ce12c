// Small grammars, whose probabilities can be counted on fingers.
#include "model/grammar/grammar.h"

#include <catch_amalgamated.hpp>
#include <cmath>
#include <map>
#include <set>
#include <string>

#include "core/ground/check.h"

using attn::Grammar;

namespace {

attn::Result<Grammar> read_grammar(const std::string& json) {
    const attn::Result<attn::JsonTree> tree = attn::JsonTree::read(json, "The recipe");
    INFO(tree.error());
    REQUIRE(tree);
    return Grammar::read(tree->root());
}

Grammar small_grammar() {
    attn::Result<Grammar> grammar = read_grammar(
        R"({"classes":{"pet":"cat dog bird","letter":"k f p q"},"kinds":[)"
        R"({"kind":"pets","share":3,"templates":[{"text":"the $pet#1 and the $pet#2!1 . the #1"},)"
        R"({"text":"the $pet#1 and the $pet#2!1 . the #2","share":3},{"text":"no $pet","held_out":true}]},)"
        R"({"kind":"copies","share":1,"templates":[{"text":"~letter:2:3"}]}]})");
    INFO(grammar.error());
    REQUIRE(grammar);
    return std::move(*grammar);
}

std::vector<int> ids_in(const Grammar& grammar, const std::string& words) {
    std::vector<int> ids = {Grammar::kBegin};
    std::string word;
    for (const char letter : words + " ") {
        if (letter != ' ') {
            word += letter;
            continue;
        }
        const std::optional<int> id = grammar.find(word);
        REQUIRE(id);
        ids.push_back(*id);
        word.clear();
    }
    return ids;
}

std::string words_in(const Grammar& grammar, const std::vector<int>& ids) {
    std::string text;
    for (const int id : ids)
        text += attn::concat(text.empty() ? "" : " ", grammar.words()[static_cast<std::size_t>(id)]);
    return text;
}

std::string grammar_refusal(const std::string& json) {
    const attn::Result<Grammar> grammar = read_grammar(json);
    return grammar ? "" : grammar.error();
}

}  // namespace

TEST_CASE("sentences follow their templates", "[grammar]") {
    const Grammar grammar = small_grammar();
    CHECK(grammar.words().size() == 1 + 3 + 4 + 4);  // <s>, the classes, "the", "and", ".", "no"
    attn::TorchGenerator generator(5);
    std::set<std::string> made;
    for (int i = 0; i < 300; ++i) made.insert(words_in(grammar, grammar.make(grammar.templates()[1], generator)));
    CHECK(made.size() == 6);
    CHECK(made.contains("the cat and the dog . the dog"));
    for (int i = 0; i < 50; ++i) {
        const std::vector<int> ids = grammar.make(grammar.templates()[3], generator);
        REQUIRE(ids.size() == 6);
        CHECK(ids[0] != ids[1]);
        CHECK(std::vector<int>(ids.begin() + 2, ids.begin() + 4) == std::vector<int>(ids.begin(), ids.begin() + 2));
        CHECK(std::vector<int>(ids.begin() + 4, ids.end()) == std::vector<int>(ids.begin(), ids.begin() + 2));
    }
}

TEST_CASE("templates come as often as their shares say, those that are held out never", "[grammar]") {
    const Grammar grammar = small_grammar();
    attn::TorchGenerator generator(6);
    std::map<std::string, int> counts;
    for (int i = 0; i < 16'000; ++i) ++counts[grammar.draw(generator).text];
    CHECK(counts.size() == 3);
    // Of 16,000 draws a share of 9/16 has a standard deviation of 63.
    CHECK(std::abs(counts["the $pet#1 and the $pet#2!1 . the #1"] - 3000) < 250);
    CHECK(std::abs(counts["the $pet#1 and the $pet#2!1 . the #2"] - 9000) < 250);
    CHECK(std::abs(counts["~letter:2:3"] - 4000) < 250);
    CHECK(grammar.draw(generator, true).text == "no $pet");
}

TEST_CASE("the surprise is that of the words that cannot be foreseen", "[grammar][golden]") {
    const Grammar grammar = small_grammar();
    const std::vector<double> surprise =
        grammar.surprise(ids_in(grammar, "the cat and the dog . the dog k f k f k f the bird"));
    const std::vector<double> wanted = {3. / 4,     1. / 3, 1, 1, 1. / 2, 1, 1,      3. / 4,
                                        1. / 4 / 4, 1. / 3, 1, 1, 1,      1, 3. / 4, 1. / 3};
    REQUIRE(surprise.size() == wanted.size());
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        INFO("word " << i);
        CHECK(std::abs(surprise[i] + std::log(wanted[i])) < 1e-14);
    }
    CHECK(std::isinf(grammar.surprise(ids_in(grammar, "the cat and the cat"))[4]));
    CHECK(std::isinf(grammar.surprise(ids_in(grammar, "no dog"))[0]));
}

TEST_CASE("the probabilities of all next words add up to 1", "[grammar][property]") {
    const Grammar grammar = small_grammar();
    attn::TorchGenerator generator(8);
    for (int i = 0; i < 10; ++i) {
        const std::vector<int> text = grammar.make_text(generator, 12 + i);
        std::vector<int> longer = text;
        longer.push_back(0);
        double sum = 0;
        for (std::size_t word = 0; word < grammar.words().size(); ++word) {
            longer.back() = static_cast<int>(word);
            sum += std::exp(-grammar.surprise(longer).back());
        }
        CHECK(std::abs(sum - 1) < 1e-12);
    }
}

TEST_CASE("a grammar that cannot be followed is refused with its line", "[grammar][bad-input]") {
    CHECK(grammar_refusal("{}") == "The recipe has no \"classes\".");
    CHECK(grammar_refusal(R"({"classes":{}})") == "The recipe has no \"kinds\".");
    CHECK(grammar_refusal(R"({"classes":{"pet":" "},"kinds":[{"kind":"a","templates":[{"text":"b"}]}]})") ==
          "The recipe's class \"pet\" has no words.");
    CHECK(grammar_refusal(R"({"classes":{"pet":"cat"},"kinds":[{"kind":"a"}]})") ==
          "A kind of sentences in the recipe has no \"kind\" or no \"templates\".");
    CHECK(grammar_refusal(R"({"classes":{"pet":"cat"},"kinds":[{"kind":"a","templates":[{"text":""}]}]})") ==
          "The recipe has a template without words.");
    CHECK(
        grammar_refusal(R"({"classes":{"pet":"cat"},"kinds":[{"kind":"a","templates":[{"text":"b","share":-1}]}]})") ==
        "The template \"b\" has a share that is not from 1e-06 to 1e+06.");
    CHECK(grammar_refusal(R"({"classes":{},"kinds":[{"kind":"a","share":0,"templates":[{"text":"b"}]}]})") ==
          "The kind \"a\" has a share that is not from 1e-06 to 1e+06.");
    CHECK(grammar_refusal(R"({"classes":{"pet":"cat dog cat"},"kinds":[{"kind":"a","templates":[{"text":"b"}]}]})") ==
          "The recipe's class \"pet\" has the word \"cat\" twice.");
    CHECK(grammar_refusal(R"({"classes":{},"kinds":[{"kind":"a","templates":[{"text":"b","held_out":true}]}]})") ==
          "The recipe holds out all its templates, so none is trained.");
    std::string many;
    for (int i = 0; i < 1025; ++i) many += " x";
    CHECK(
        grammar_refusal(attn::concat(R"({"classes":{},"kinds":[{"kind":"a","templates":[{"text":")", many, R"("}]}]})"))
            .ends_with("…\" has more than 1024 words."));
    for (int i = 0; i < 10'000; ++i) many += attn::concat(" ", i);
    CHECK(grammar_refusal(attn::concat(R"({"classes":{"pet":")", many.substr(2 * 1024), R"("},"kinds":[{"kind":"a",)",
                                       R"("templates":[{"text":"b"}]}]})")) == "The recipe has more than 10000 words.");
    for (const std::string slot : {"$dog", "#1", "$pet#99", "$pet!1", "~pet:2:2", "~pet", "~pet:1", "$pet#"}) {
        const std::string json = attn::concat(
            R"({"classes":{"pet":"cat"},"kinds":[{"kind":"a","templates":[{"text":"the )", slot, R"("}]}]})");
        CHECK(grammar_refusal(json) ==
              attn::concat("The recipe's template \"the ", slot, "\" has the slot \"", slot,
                           "\", which names no class, a number that no word before it has, or leaves no word."));
    }
}
