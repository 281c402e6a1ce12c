// Documents that people wrote as rows of tokens: where sentences begin, what a training draws, what is held out.
#include "model/learn/training_texts.h"

#include <catch_amalgamated.hpp>
#include <cmath>
#include <set>
#include <string>

#include "core/ground/check.h"
#include "model/files/sha256.h"
#include "model/learn/model_training.h"
#include "model/words/byte_pairs.h"
#include "model/words/unicode.h"

using attn::TrainingTexts;

namespace {

// Byte pairs without a pair: each byte is a token, and 256 stands before a text.
std::string byte_tokenizer() {
    std::string vocabulary;
    for (int byte = 0; byte < 256; ++byte) {
        std::string character;
        attn::unicode::append_utf8(character, attn::character_of_byte(static_cast<std::uint8_t>(byte)));
        if (character == "\"" || character == "\\") character.insert(0, "\\");
        vocabulary += attn::concat("\"", character, "\":", byte, ",");
    }
    return attn::concat(
        R"({"added_tokens":[{"id":256,"content":"<end>","special":true}],"normalizer":null,)",
        R"("pre_tokenizer":{"type":"ByteLevel","add_prefix_space":true,"use_regex":true},)",
        R"("post_processor":{"type":"TemplateProcessing","single":[{"SpecialToken":{"id":"<end>","type_id":0}},)",
        R"({"Sequence":{"id":"A","type_id":0}}],"pair":[],"special_tokens":{"<end>":{"id":"<end>","ids":[256],)",
        R"("tokens":["<end>"]}}},"model":{"type":"BPE","vocab":{)", vocabulary, R"("<end>":256},"merges":[]}})");
}

attn::TextFiles two_documents() {
    return {.read = "It rained. Was it \"late?\" No. it was not.\n\f\nMr. Knightley left\nThe end.\n\f\n",
            .held_out = "A cat sat. The dog did not sit. Who knows?\n\f\n",
            .tokenizer = byte_tokenizer()};
}

attn::KnownTexts known(const attn::TextFiles& files) {
    return {.read = attn::sha256_of(files.read),
            .held_out = attn::sha256_of(files.held_out),
            .tokenizer = attn::sha256_of(files.tokenizer)};
}

TrainingTexts texts_of(const attn::TextFiles& files, int num_tokens = 8) {
    attn::Result<TrainingTexts> texts = TrainingTexts::read(known(files), files, 257, num_tokens);
    INFO(texts.error());
    REQUIRE(texts);
    return std::move(*texts);
}

std::string text_of(std::span<const int> ids) {
    std::string text;
    for (const int id : ids) text += id == 256 ? '|' : static_cast<char>(id);
    return text;
}

attn::Recipe recipe_of(const attn::TextFiles& files) {
    const attn::KnownTexts digests = known(files);
    attn::Result<attn::Recipe> recipe = attn::read_recipe(attn::concat(
        R"({"name":"small","texts":{"read":")", digests.read, R"(","held_out":")", digests.held_out,
        R"(","tokenizer":")", digests.tokenizer,
        R"("},"model":{"vocabulary":257,"layers":2,"heads":2,"width":8,"mlp_width":16,"positions":8,)",
        R"("embedding_deviation":0.05},"training":{"steps":40,"batch":6,"part":2,"rate":0.01,"least_rate":0,)",
        R"("warm_up":2,"beta1":0.9,"beta2":0.99,"epsilon":1e-8,"decay":0.01,"longest_gradient":1,"seeds":[1]},)",
        R"("choice":{}})"));
    INFO(recipe.error());
    REQUIRE(recipe);
    return std::move(*recipe);
}

}  // namespace

TEST_CASE("a row holds the documents, and knows where sentences begin", "[learn][texts]") {
    const TrainingTexts texts = texts_of(two_documents());
    CHECK(text_of(texts.row().ids) == " It rained. Was it \"late?\" No. it was not.| Mr. Knightley left\nThe end.|");
    std::vector<std::string> begins;
    for (const std::size_t at : texts.row().sentences)
        begins.push_back(text_of(std::span(texts.row().ids).subspan(at, 4)));
    // Behind a title, too: no rule is perfect. Not behind a stop that a small letter follows.
    CHECK(begins == std::vector<std::string>{" It ", " Was", " No.", " Mr.", " Kni"});
    CHECK(texts.row().num_bytes == 41 + 27);
    CHECK(texts.held_out().sentences.size() == 3);
}

TEST_CASE("a drawn text begins with the beginning, then with a sentence", "[learn][texts][property]") {
    const TrainingTexts texts = texts_of(two_documents());
    attn::TorchGenerator generator(5), again(5);
    const attn::TextBatch batch = texts.draw(generator, 200, 8);
    CHECK(texts.draw(again, 200, 8).ids == batch.ids);
    std::set<std::string> drawn;
    for (int text = 0; text < batch.num_texts; ++text) drawn.insert(text_of(batch.text(text)));
    CHECK(drawn == std::set<std::string>{"| It rain", "| Was it ", "| No. it ", "| Mr. Kni", "| Knightl"});
}

TEST_CASE("each held-out token is counted once", "[learn][texts][reference]") {
    attn::TextFiles files = two_documents();
    const attn::Recipe recipe = recipe_of(files);
    const attn::LearnedLayout layout(recipe.shape);
    // All logits are 0: each token costs ln 257.
    std::vector<float> numbers(layout.num_numbers(), 0.0F);
    attn::BatchParts parts(layout, 0);
    const TrainingTexts texts = texts_of(files);
    const attn::HeldOutLoss loss = texts.held_out_loss(parts, numbers, 8);
    CHECK(loss.num_tokens == static_cast<std::int64_t>(texts.held_out().ids.size()));
    CHECK(std::abs(loss.nats - std::log(257.0)) < 1e-6);
    const double bits = std::log2(257.0) * static_cast<double>(loss.num_tokens) / 42;
    CHECK(std::abs(loss.bits - bits) < 1e-5);
    const attn::HeldOutLoss part = texts.held_out_loss(parts, numbers, 8, 2);
    CHECK(part.num_tokens < loss.num_tokens);
    CHECK(std::abs(part.bits - bits) < 1e-5);
}

TEST_CASE("texts that people wrote train a model, in parts, and go on from a checkpoint", "[learn][texts]") {
    const attn::TextFiles files = two_documents();
    const attn::Recipe recipe = recipe_of(files);
    const TrainingTexts texts = texts_of(files);
    attn::ModelTraining training(recipe, 1, {.texts = &texts});
    const double before = training.held_out_loss(training.numbers()).nats;
    for (int step = 0; step < 20; ++step) training.step();
    const std::string checkpoint = training.checkpoint();
    for (int step = 0; step < 20; ++step) training.step();
    CHECK(training.is_done());
    CHECK(training.losses().back() < training.losses().front() - 1);
    CHECK(training.held_out_loss(training.numbers()).nats < before - 0.5);
    const attn::WorkRunner backwards = {.num_workers = 3,
                                        .run = [](int count, const std::function<void(int, int)>& work) {
                                            for (int number = count; number-- > 0;) work(number, number % 3);
                                        }};
    attn::ModelTraining later(recipe, 1, {.texts = &texts, .runner = backwards});
    REQUIRE(later.go_to(checkpoint) == "");
    while (!later.is_done()) later.step();
    CHECK(later.checkpoint() == training.checkpoint());
}

TEST_CASE("texts that do not belong to the recipe are refused", "[learn][texts][bad-input]") {
    const attn::TextFiles files = two_documents();
    const auto refusal = [&](const attn::TextFiles& own, int vocabulary, int num_tokens) {
        const attn::Result<TrainingTexts> texts = TrainingTexts::read(known(own), own, vocabulary, num_tokens);
        return texts ? "" : texts.error();
    };
    CHECK(refusal(files, 257, 8) == "");
    CHECK(refusal(files, 300, 8) == "The tokenizer has 257 tokens, the recipe's model 300.");
    CHECK(refusal(files, 257, 60) == "The texts held out have 44 tokens, fewer than a text of 60 takes.");
    attn::TextFiles empty = files;
    empty.held_out.clear();
    CHECK(refusal(empty, 257, 8) == "The texts held out have 0 tokens, fewer than a text of 8 takes.");
    attn::TextFiles no_tokenizer = files;
    no_tokenizer.tokenizer = "{";
    CHECK(refusal(no_tokenizer, 257, 8).find("tokenizer.json") != std::string::npos);
    attn::TextFiles no_beginning = files;
    const std::size_t at = no_beginning.tokenizer.find("\"post_processor\"");
    no_beginning.tokenizer = no_beginning.tokenizer.substr(0, at) + "\"post_processor\":null,\"model\"" +
                             no_beginning.tokenizer.substr(no_beginning.tokenizer.find(":{\"type\":\"BPE\""));
    CHECK(refusal(no_beginning, 257, 8) ==
          "The tokenizer does not put its last token, and no other, before each text; attn tokenizer --begin yes makes "
          "one that does.");
    attn::KnownTexts other = known(files);
    other.read = std::string(64, '0');
    CHECK(TrainingTexts::read(other, files, 257, 8).error() ==
          attn::concat("The recipe is for other texts to read: their SHA-256 is ", attn::sha256_of(files.read),
                       ", the recipe's ", other.read, "."));
}
