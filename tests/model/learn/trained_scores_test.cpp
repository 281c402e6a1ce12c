// What our own model is said to do, measured anew on its file; and that a model that was not trained does none of it.
#include "model/learn/trained_scores.h"
#include "samples.h"

#include <algorithm>
#include <catch_amalgamated.hpp>
#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>

#include "core/ground/check.h"
#include "model/files/memory_file.h"
#include "model/files/sha256.h"
#include "model/layers/model_load.h"
#include "model/layers/model_run.h"
#include "model/learn/choice.h"
#include "model/learn/own_model.h"
#include "model/learn/test_sets.h"
#include "model/roles/votes.h"
#include "model/words/model_tokenizer.h"

using attn::test::own_model_file;

namespace {

constexpr std::int64_t kWholeRun = std::int64_t{1} << 60;

attn::Model own_model() {
    std::vector<std::unique_ptr<attn::ByteSource>> files;
    files.push_back(std::make_unique<attn::MemoryFile>("model.safetensors", own_model_file("model.safetensors")));
    attn::Result<attn::TensorFiles> opened = attn::TensorFiles::open(std::move(files));
    REQUIRE(opened);
    attn::Result<attn::Model> model = attn::load_model(own_model_file("config.json"), std::move(*opened));
    INFO(model.error());
    REQUIRE(model);
    return std::move(*model);
}

nlohmann::json own_card() {
    return nlohmann::json::parse(own_model_file("card.json"));
}

attn::ModelTokenizer own_tokenizer() {
    attn::Result<attn::ModelTokenizer> tokenizer =
        attn::ModelTokenizer::read({.tokenizer_json = own_model_file("tokenizer.json")});
    INFO(tokenizer.error());
    REQUIRE(tokenizer);
    return std::move(*tokenizer);
}

// Somebody's recipe of a tiny model, with these kinds of sentences.
attn::Recipe tiny_recipe(const std::string& kinds, int positions = 12) {
    const std::string json = attn::concat(
        R"({"name":"x","model":{"layers":1,"heads":2,"width":4,"mlp_width":4,"positions":)", positions,
        R"(,"embedding_deviation":0.05},"training":{"steps":1,"batch":3,"rate":0.01,"least_rate":0,"warm_up":0,)",
        R"("beta1":0.9,"beta2":0.99,"epsilon":1e-8,"decay":0,"longest_gradient":1,"seeds":[1]},"choice":{},)",
        R"("classes":{"pet":"cat dog cow","sees":"sees hears","see":"see hear"},"kinds":[)", kinds, "]}");
    attn::Result<attn::Recipe> recipe = attn::read_recipe(json);
    INFO(recipe.error());
    REQUIRE(recipe);
    return std::move(*recipe);
}

std::string tiny_kind(const std::string& kind, const std::string& held_out) {
    return attn::concat(R"({"kind":")", kind, R"(","templates":[{"text":"the $pet"},{"text":")", held_out,
                        R"(","held_out":true}]})");
}

// By name, in the order of the alphabet.
std::string scores_it_gets(const attn::Recipe& recipe) {
    const attn::LearnedLayout layout(recipe.shape);
    const attn::Result<attn::Model> model =
        attn::model_of_numbers(layout, attn::first_numbers(layout, recipe.embedding_deviation, 1), "F16");
    REQUIRE(model);
    std::vector<std::string> scored, told = attn::names_of_scores(recipe);
    for (const attn::NamedScore& one : attn::score_model(recipe, *model, 2).named) scored.push_back(one.name);
    std::ranges::sort(scored);
    std::ranges::sort(told);
    CHECK(scored == told);
    const attn::LossTable losses = attn::measure_losses(recipe, *model, 7);
    CHECK(std::isfinite(losses.model));
    CHECK(losses.held_out.has_value() == (std::ranges::find(scored, "positional") != scored.end()));
    std::string names;
    for (const std::string& one : scored) names += one + " ";
    return names;
}

}  // namespace

TEST_CASE("the card belongs to the file and to the recipe", "[learn][golden]") {
    const nlohmann::json card = own_card();
    const std::string tensors = own_model_file("model.safetensors");
    CHECK(card.at("file").at("sha256") == attn::sha256_of(tensors));
    CHECK(card.at("file").at("bytes") == tensors.size());
    const attn::Recipe recipe = attn::test::own_recipe();
    CHECK(card.at("training").at("recipe_sha256") == recipe.digest);
    CHECK(card.at("training").at("steps_of_recipe") == recipe.rate.num_steps);
    CHECK(card.at("parameters") == 110'336);
    CHECK(card.at("words").size() + 1 == recipe.grammar.words().size());
    std::size_t bytes = tensors.size();
    for (const char* name : {"config.json", "tokenizer.json", "card.json"}) bytes += own_model_file(name).size();
    CHECK(bytes <= 250'000);
}

TEST_CASE("the tokenizer numbers the grammar's words, and no others", "[learn]") {
    const attn::ModelTokenizer tokenizer = own_tokenizer();
    const attn::Recipe recipe = attn::test::own_recipe();
    CHECK(tokenizer.size() == recipe.shape.vocabulary);
    for (std::size_t id = 0; id < recipe.grammar.words().size(); ++id)
        CHECK(tokenizer.find(recipe.grammar.words()[id]) == static_cast<int>(id));
    const attn::ModelTokens tokens = tokenizer.encode("Who has the brush? The sculptor.");
    CHECK(tokens.num_unknown == 1);
    CHECK(tokens.tokens.front().id == attn::Grammar::kBegin);
    const nlohmann::json card = own_card();
    for (const nlohmann::json& prompt : card.at("prompts"))
        CHECK(tokenizer.encode(prompt.at("text").get<std::string>()).num_unknown == 0);
}

// Ten of the card's 200 sentences of a kind. The abilities are nearly certain, so few sentences show them. The distance
// that arcs have most often is a share of about 3/4, which has a standard deviation of 0.14 among ten: thrice that.
TEST_CASE("the model does what its card says", "[learn]") {
    const attn::Recipe recipe = attn::test::own_recipe();
    const attn::TrainedScores scores = attn::score_model(recipe, own_model(), attn::test::takes_all_samples() ? 10 : 4);
    const nlohmann::json card = own_card();
    for (const nlohmann::json& told : card.at("scores")) {
        const std::string name = told.at("name");
        INFO(name);
        const double near = name == "syntactic" ? 0.42 : 0.1;
        CHECK(std::abs(scores.named_score(name) - told.at("value").get<double>()) < near);
    }
}

TEST_CASE("the lecture's sentence keeps both readings, and two heads hold them", "[learn][golden]") {
    const attn::Model model = own_model();
    const attn::ModelTokenizer tokenizer = own_tokenizer();
    std::vector<int> ids;
    for (const attn::ModelToken& token : tokenizer.encode(attn::kLectureSentence).tokens) ids.push_back(token.id);
    const int row = static_cast<int>(ids.size()) - 1;
    attn::ModelRun run(model, {.ids = ids});
    run.advance(kWholeRun);
    const int artist = tokenizer.find("artist").value(), woman = tokenizer.find("woman").value();
    const attn::Matrix logits = attn::logits_of(model, {.ids = ids});
    const std::vector<float> shares = attn::probabilities_of(attn::row_of(logits, row));
    const nlohmann::json card = own_card();
    // The card has four decimals.
    CHECK(std::abs(static_cast<double>(shares[static_cast<std::size_t>(artist)]) - card.at("artist").get<double>()) <
          6e-5);
    CHECK(std::abs(static_cast<double>(shares[static_cast<std::size_t>(woman)]) - card.at("woman").get<double>()) <
          6e-5);
    CHECK(card.at("artist").get<double>() > 0.2);
    CHECK(card.at("woman").get<double>() > 0.2);

    const attn::Votes for_artist = votes_for(model, run, row, artist), for_woman = votes_for(model, run, row, woman);
    CHECK(std::abs(for_artist.sum - for_artist.logit) < 1e-4);
    CHECK(std::abs(for_woman.sum - for_woman.logit) < 1e-4);
    double most = 0, least = 0;
    for (std::size_t i = 0; i < for_artist.votes.size(); ++i) {
        const attn::Vote& vote = for_artist.votes[i];
        if (vote.from != attn::Vote::From::head) continue;
        const double margin = vote.logit - for_woman.votes[i].logit;
        const nlohmann::json& told =
            card.at("heads").at(static_cast<std::size_t>(vote.layer * model.config.num_heads + vote.head));
        CHECK(std::abs(margin - told.at("vote").get<double>()) < 1e-4);
        most = std::max(most, margin);
        least = std::min(least, margin);
    }
    CHECK(most >= 1);
    CHECK(least <= -1);
}

TEST_CASE("a model that was not trained does none of it", "[learn][property]") {
    const attn::Recipe recipe = attn::test::own_recipe();
    const attn::LearnedLayout layout(recipe.shape);
    const attn::Result<attn::Model> model =
        attn::model_of_numbers(layout, attn::first_numbers(layout, recipe.embedding_deviation, 1), "F32");
    REQUIRE(model);
    const attn::TrainedScores scores = attn::score_model(recipe, *model, attn::test::takes_all_samples() ? 5 : 2);
    CHECK(scores.named_score("copying") < 0.2);
    CHECK(scores.named_score("both_readings") < 0.05);
    CHECK(scores.named_score("two_readings") < 0.5);
    CHECK(scores.named_score("positional") < 0.3);
    CHECK(scores.named_score("induction") < 0.4);
    CHECK(attn::num_reached(recipe, scores) == 0);
    const attn::LossTable losses = attn::measure_losses(recipe, *model, 50);
    CHECK(losses.model > losses.unigram);
    CHECK(losses.unigram > losses.bigram);
    CHECK(losses.bigram > losses.floor);
}

TEST_CASE("the seed that reaches most is chosen, among equals the one with clearer roles", "[learn]") {
    const attn::Recipe recipe = attn::test::own_recipe();
    const auto scores = [](std::vector<attn::NamedScore> named) {
        attn::TrainedScores made;
        made.named = std::move(named);
        return made;
    };
    const std::vector<attn::TrainedScores> seeds = {
        scores({{.name = "induction", .value = 0.9}, {.name = "copying", .value = 0.1}}),
        scores({{.name = "induction", .value = 0.5}, {.name = "copying", .value = 1}}),
        scores({{.name = "induction", .value = 0.6}, {.name = "copying", .value = 1}}),
        scores({{.name = "induction", .value = 0.6}, {.name = "copying", .value = 1}})};
    CHECK(attn::num_reached(recipe, seeds[0]) == 1);
    CHECK(attn::num_reached(recipe, seeds[1]) == 2);
    CHECK(attn::choose_seed(recipe, seeds) == 2);
}

TEST_CASE("test sentences are held out, and name the rows of their words", "[learn]") {
    const attn::Recipe recipe = attn::test::own_recipe();
    const std::vector<std::string>& words = recipe.grammar.words();
    const auto word = [&](const attn::TestSentence& sentence, int place) {
        return words[static_cast<std::size_t>(sentence.ids[static_cast<std::size_t>(place)])];
    };
    for (const attn::TestSentence& one : attn::test_sentences(recipe.grammar, "attachment", 30, 32)) {
        CHECK(word(one, one.targets.front().row) == "the");
        CHECK(word(one, one.owner) == words[static_cast<std::size_t>(one.targets.front().token)]);
        CHECK(one.other != one.owner);
        CHECK(one.owner + one.other == 2 + 8);  // the places of the two persons
    }
    for (const attn::TestSentence& one : attn::test_sentences(recipe.grammar, "agreement", 30, 32)) {
        CHECK(one.owner == 2);
        CHECK(one.right.size() == 5);
        CHECK(one.wrong.size() == 5);
        CHECK(std::isinf(recipe.grammar.surprise(one.ids).back()));
    }
    for (const attn::TestSentence& one : attn::test_sentences(recipe.grammar, "copying", 10, 32)) {
        const std::size_t size = (one.ids.size() - 2) % 18 == 0 ? 10 : 5;
        CHECK(one.targets.size() == size);
        CHECK(word(one, one.targets.front().row) == word(one, 1));
        CHECK(words[static_cast<std::size_t>(one.targets.front().token)] == word(one, 2));
    }
}

TEST_CASE("a recipe has the scores that its grammar has sentences for, and no others", "[learn][bad-input]") {
    CHECK(scores_it_gets(tiny_recipe(R"({"kind":"pets","templates":[{"text":"the $pet"}]})")).empty());
    CHECK(scores_it_gets(tiny_recipe(tiny_kind("pets", "a $pet"))) == "positional ");
    // Verbs: without a subject, before it, without a verb, of one number, and of two.
    const std::string verbs = R"({"kind":"agreement","templates":[{"text":"the $pet#1 $see#5"}]},)";
    for (const std::string text : {"a $sees#5", "$sees#5 a $pet#1", "a $pet#1", "a $pet#1 $see#5"})
        CHECK(scores_it_gets(tiny_recipe(verbs + tiny_kind("agreement", text))) == "positional ");
    CHECK(scores_it_gets(tiny_recipe(verbs + tiny_kind("agreement", "a $pet#1 $sees#5"))) ==
          "agreement positional syntactic ");
    // Answers: none, without the other, the other after it, and both.
    for (const std::string kind : {"names", "attachment"}) {
        for (const std::string text : {"a $pet", "a $pet#1 and #1", "a $pet#1 and #1 and $pet#2", "$pet#3 and #3"})
            CHECK(scores_it_gets(tiny_recipe(tiny_kind(kind, text))) == "positional ");
    }
    CHECK(scores_it_gets(tiny_recipe(tiny_kind("names", "$pet#1 $pet#2!1 #1"))) == "names positional ");
    CHECK(scores_it_gets(tiny_recipe(tiny_kind("attachment", "$pet#1 $pet#2!1 #2"))) == "attachment positional ");
    // Two trained templates that differ in the answer alone: each is as right as the other.
    CHECK(scores_it_gets(tiny_recipe(tiny_kind("attachment", "$pet#1 $pet#2!1 #2") +
                                     R"(,{"kind":"x","templates":[{"text":"$pet#1 $pet#2!1 #1"}]})")) == "positional ");
    // Copies: of one word, of no word, and of two.
    for (const std::string text : {"~pet:1:3", "~pet:2:1", "a $pet"})
        CHECK(scores_it_gets(tiny_recipe(tiny_kind("copying", text))) == "positional ");
    const std::string copies = tiny_kind("copying", "~pet:2:3");
    CHECK(scores_it_gets(tiny_recipe(copies)) == "copying induction positional ");
    CHECK(scores_it_gets(tiny_recipe(copies, 7)) == "copying induction positional ");
    CHECK(scores_it_gets(tiny_recipe(copies, 6)) == "positional ");
    const std::string knows = attn::concat(R"({"kind":"x","templates":[{"text":")", attn::kLectureSentence, R"("}]})");
    CHECK(scores_it_gets(tiny_recipe(knows, 19)) == "both_readings two_readings ");
    CHECK(scores_it_gets(tiny_recipe(knows, 18)).empty());
}

TEST_CASE("a kind that is next to never drawn ends the search", "[learn][bad-input]") {
    const attn::Recipe recipe = tiny_recipe(
        R"({"kind":"pets","templates":[{"text":"the $pet"},{"text":"a $pet","held_out":true,"share":1e6}]},)"
        R"({"kind":"copying","share":1e-6,"templates":[{"text":"~pet:2:2","held_out":true}]})");
    CHECK(attn::test_sentences(recipe.grammar, "copying", 20, 12).empty());
}

TEST_CASE("a score that a recipe wants and its models cannot have is named", "[learn][bad-input]") {
    attn::Recipe recipe = tiny_recipe(tiny_kind("names", "$pet#1 $pet#2!1 #1"));
    recipe.wanted = {{.name = "names", .least = 0.5}};
    CHECK(attn::find_score_problem(recipe) == "");
    recipe.wanted.push_back({.name = "copying", .least = 0.5});
    CHECK(attn::find_score_problem(recipe) ==
          "The recipe wants the score \"copying\", which there is not, or for which its templates make no held-out "
          "sentence that fits in 12 positions.");
}
