// The first steps of our own model's training, and what recipes and checkpoints may be wrong about. PyTorch takes the
// same steps in tests/torch/training.test.mjs.
#include "model/learn/model_training.h"
#include "samples.h"

#include <catch_amalgamated.hpp>
#include <nlohmann/json.hpp>
#include <string>

#include "core/ground/check.h"
#include "core/instruction_sets.h"
#include "model/files/sha256.h"
#include "model/learn/own_model.h"

using attn::ModelTraining;
using attn::Recipe;

namespace {

std::string digest_of_numbers(const ModelTraining& training) {
    return attn::sha256_of(attn::tensors_file(training.layout(), training.numbers(), "F32"));
}

}  // namespace

// Four of the 64 texts of each batch: the same steps but for the batch, in a sixteenth of the time. The digests were
// printed by this code when the recipe was written; they are the same natively and as WebAssembly.
TEST_CASE("a hundred steps with a part of each batch have the bits that they had", "[learn][golden]") {
    const Recipe recipe = attn::test::own_recipe();
    ModelTraining training(recipe, 1, {.num_texts = 4});
    double first = 0, last = 0;
    for (int step = 0; step < 100; ++step) {
        last = training.step();
        if (step == 0) first = last;
        if (step != 11) continue;
        CHECK(digest_of_numbers(training) == "ad9c4e37a75155d31e4c103dd066f879958ab8d8fe1dd74d969feed4e814dc4e");
        if (!attn::test::takes_all_samples()) return;
    }
    CHECK(last < first - 1);
    CHECK(digest_of_numbers(training) == "8a9e72dde60f21d0a39f6a9ab40d909f0442f663d63ef56ceeed8bd4d4a60ccc");
}

// The card has the first losses of the training that made the file.
TEST_CASE("the first steps with whole batches have the losses of the card", "[learn][golden]") {
    const Recipe recipe = attn::test::own_recipe();
    const nlohmann::json card = nlohmann::json::parse(attn::test::own_model_file("card.json"));
    const nlohmann::json& losses = card.at("loss_curve").at("first");
    REQUIRE(losses.size() >= 3);
    ModelTraining training(recipe, card.at("training").at("seed").get<std::uint64_t>());
    for (std::size_t step = 0; step < (attn::test::takes_all_samples() ? 3U : 1U); ++step) {
        training.step();
        CHECK(training.losses().back() == losses[step].get<float>());
    }
}

TEST_CASE("training goes on from a checkpoint with the same bits", "[learn]") {
    const Recipe recipe = attn::test::own_recipe();
    ModelTraining training(recipe, 3, {.num_texts = 2});
    for (int step = 0; step < 3; ++step) training.step();
    const std::string checkpoint = training.checkpoint();
    for (int step = 0; step < 2; ++step) training.step();
    ModelTraining later(recipe, 3, {.num_texts = 2});
    REQUIRE(later.go_to(checkpoint) == "");
    CHECK(later.num_steps() == 3);
    for (int step = 0; step < 2; ++step) later.step();
    CHECK(later.checkpoint() == training.checkpoint());
    CHECK(later.num_tokens_seen() == 5 * 2 * 32);
}

TEST_CASE("steps have the same bits with every instruction set", "[learn][property]") {
    const Recipe recipe = attn::test::own_recipe();
    const auto digest = [&] {
        ModelTraining training(recipe, 2, {.num_texts = 2});
        for (int step = 0; step < 3; ++step) training.step();
        return digest_of_numbers(training);
    };
    const std::string plain = attn::test::with_set(attn::simd::InstructionSet::plain, digest);
    for (const attn::simd::InstructionSet set : attn::simd::available())
        CHECK(attn::test::with_set(set, digest) == plain);
}

TEST_CASE("a checkpoint that does not belong to the training is refused", "[learn][bad-input]") {
    const Recipe recipe = attn::test::own_recipe();
    ModelTraining training(recipe, 3, {.num_texts = 2});
    CHECK(training.go_to("no file").starts_with("The file \"the checkpoint\" "));
    training.step();
    const std::string checkpoint = training.checkpoint();
    ModelTraining other_seed(recipe, 4, {.num_texts = 2});
    CHECK(other_seed.go_to(checkpoint) == "The checkpoint belongs to the seed 3.");
    Recipe other = attn::test::own_recipe();
    other.digest = "other";
    ModelTraining other_recipe(other, 3, {.num_texts = 2});
    CHECK(other_recipe.go_to(checkpoint) == "The checkpoint belongs to another recipe.");
    std::string without = checkpoint;
    without.replace(without.find("mean_square"), 11, "mean_squall");
    CHECK(training.go_to(without) == "The checkpoint is not one of this training.");
    CHECK(training.go_to(checkpoint) == "");
}

TEST_CASE("a training that diverged says so", "[learn][bad-input]") {
    Recipe recipe = attn::test::own_recipe();
    recipe.rate.highest = recipe.rate.least = 1;
    recipe.rate.warm_up = 0;
    recipe.adamw.decay = 100;
    ModelTraining training(recipe, 3, {.num_texts = 2});
    CHECK_FALSE(training.has_diverged());
    for (int step = 0; step < 40 && !training.has_diverged(); ++step) training.step();
    CHECK(training.has_diverged());
    CHECK(training.num_steps() < 40);
}

TEST_CASE("the memory of a training grows with each of its sizes", "[learn][property]") {
    const Recipe own = attn::test::own_recipe();
    CHECK(attn::bytes_of_training(own) < 100'000'000);
    for (int attn::LearnedShape::* size :
         {&attn::LearnedShape::vocabulary, &attn::LearnedShape::positions, &attn::LearnedShape::width,
          &attn::LearnedShape::num_layers, &attn::LearnedShape::num_heads, &attn::LearnedShape::mlp_width}) {
        Recipe larger = attn::test::own_recipe();
        larger.shape.*size *= 16;
        if (larger.shape.num_heads > larger.shape.width) larger.shape.num_heads = larger.shape.width;
        CHECK(attn::bytes_of_training(larger) > attn::bytes_of_training(own));
    }
    Recipe larger = attn::test::own_recipe();
    larger.shape = {
        .vocabulary = 300, .positions = 1024, .width = 1024, .num_layers = 16, .num_heads = 64, .mlp_width = 4096};
    larger.batch = 4096;
    CHECK(attn::bytes_of_training(larger) > std::int64_t{1} << 44);
}

TEST_CASE("a recipe says what is missing or out of bounds", "[learn][bad-input]") {
    const nlohmann::json whole = nlohmann::json::parse(attn::test::own_model_file("recipe.json"));
    const auto refusal = [&](const std::string& part, const std::string& name, const nlohmann::json& value) {
        nlohmann::json changed = whole;
        if (name.empty()) {
            changed.erase(part);
        } else {
            changed[part][name] = value;
        }
        const attn::Result<Recipe> recipe = attn::read_recipe(changed.dump());
        return recipe ? "" : recipe.error();
    };
    CHECK(attn::read_recipe("{").error().starts_with("The recipe "));
    for (const std::string part : {"name", "model", "training", "choice"})
        CHECK(refusal(part, "", {}) == attn::concat("The recipe has no \"", part, "\"."));
    CHECK(refusal("classes", "", {}) == "The recipe has no \"classes\".");
    CHECK(refusal("model", "heads", 7) == "The recipe's model has 7 heads, which do not divide its width, 64.");
    CHECK(refusal("model", "layers", 0) == "The recipe's \"model\" has no \"layers\", a whole number from 1 to 16.");
    CHECK(refusal("training", "rate", -1) == "The recipe's \"training\" has no \"rate\" from 0 to 1.");
    CHECK(refusal("training", "seeds", nlohmann::json::array()) == "The recipe's \"training\" has no \"seeds\".");
    CHECK(refusal("training", "seeds", {1, -1}) ==
          "The recipe has a seed that is not a whole number from 0 to 1000000.");
    CHECK(refusal("training", "steps", 9000) == "");
}
