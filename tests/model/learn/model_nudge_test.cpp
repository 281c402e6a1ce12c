// Any number of any kind of model is nudged; of GPT-2's and Llama's the slope is the gradient through all layers.
#include "model/learn/model_nudge.h"

#include <catch_amalgamated.hpp>
#include <cmath>

#include "model/layers/forward_reference.h"
#include "model/layers/random_model.h"
#include "model/learn/learned_numbers.h"

using attn::Model;
using attn::ModelInput;
using attn::ModelNudge;

namespace {

const ModelInput kNudgedText = {.ids = {3, 16, 0, 3, 7}};

Model nudged_kind(const attn::test::Checkpoint& checkpoint) {
    attn::Result<Model> model = checkpoint.load();
    INFO(model.error());
    REQUIRE(model);
    return std::move(*model);
}

}  // namespace

TEST_CASE("the slope of a nudge is the gradient, in every tensor of GPT-2's kind", "[learn][nudge]") {
    for (const std::string prefix : {"", "transformer."}) {
        const Model model = nudged_kind(attn::test::random_gpt2(prefix));
        int num_tensors = 0;
        for (const auto& tensor : model.tensors) {
            for (std::int64_t number = 0; number < tensor->num_numbers(); number += 1 + tensor->num_numbers() / 3) {
                INFO(tensor->name() << " number " << number);
                const ModelNudge nudge = nudge_model(model, kNudgedText, *tensor, number);
                const std::optional<double> gradient = gradient_of_number(model, kNudgedText, *tensor, number);
                REQUIRE(gradient);
                // The difference leaves out terms of epsilon^2 = 1e-8 times the third derivative, which norms of
                // numbers near 0.5 make some hundreds; layers' inputs are rounded to float, 6e-8.
                CHECK(std::abs(nudge.slope() - *gradient) < 2e-5);
                CHECK(nudge.epsilon == Catch::Approx(1e-4).epsilon(1e-2));
            }
            ++num_tensors;
        }
        CHECK(num_tensors == 28);
    }
}

// Another epsilon and base than a training has: both go through the file.
TEST_CASE("the slope of a nudge is the gradient, in every tensor of Llama's kind", "[learn][nudge]") {
    const attn::LearnedLayout layout({.kind = attn::ModelKind::llama,
                                      .vocabulary = 17,
                                      .positions = 9,
                                      .width = 12,
                                      .num_layers = 2,
                                      .num_heads = 3,
                                      .mlp_width = 20,
                                      .norm_eps = 1e-3,
                                      .rope_base = 500});
    std::vector<float> numbers = attn::first_numbers(layout, 0.5, 3);
    for (float& number : numbers) number *= 1.25F;
    const attn::Result<Model> model = attn::model_of_numbers(layout, numbers, "F32");
    REQUIRE(model);
    CHECK(model->config.norm_eps == 1e-3);
    CHECK(model->config.rope.base == 500);
    for (const auto& tensor : model->tensors) {
        for (std::int64_t number = 0; number < tensor->num_numbers(); number += 1 + tensor->num_numbers() / 3) {
            INFO(tensor->name() << " number " << number);
            const std::optional<double> gradient = gradient_of_number(*model, kNudgedText, *tensor, number);
            REQUIRE(gradient);
            // As above.
            CHECK(std::abs(nudge_model(*model, kNudgedText, *tensor, number).slope() - *gradient) < 2e-5);
        }
    }
    CHECK(model->tensors.size() == 20);
    // Shared key heads, or windows, are not what a training learns.
    for (const char* type : {"llama", "mistral", "qwen3"}) {
        const Model other = nudged_kind(attn::test::random_llama(type));
        CHECK_FALSE(gradient_of_number(other, kNudgedText, *other.tensors.front(), 0));
    }
}

TEST_CASE("a number of every tensor of every kind moves the loss, where the text uses it", "[learn][nudge]") {
    for (const auto& [name, checkpoint] : attn::test::all_checkpoints()) {
        INFO(name);
        const Model model = nudged_kind(checkpoint);
        if (model.config.mask != attn::Mask::causal) continue;
        const double loss = text_loss_reference(model, kNudgedText);
        CHECK(find_loss_problem(model, kNudgedText).empty());
        for (const auto& tensor : model.tensors) {
            INFO(tensor->name());
            const bool is_positions = tensor.get() == model.weights.position_embedding;
            const int first = is_positions ? model.config.first_position * model.config.width : 0;
            const ModelNudge nudge = nudge_model(model, kNudgedText, *tensor, first);
            CHECK(std::abs((nudge.up + nudge.down) / 2 - loss) < 1e-5);
            // A key's bias moves all scores of a row alike, and the token 0 stands in the text.
            const bool is_key_bias = tensor->name().ends_with("k_proj.bias");
            // A sum that is below 0 at all tokens is 0 after ReLU.
            const bool may_be_0 =
                model.config.activation == attn::Activation::relu && tensor->name().find(".fc") != std::string::npos;
            if (!is_key_bias && !may_be_0) CHECK(nudge.up != nudge.down);
        }
    }
}

TEST_CASE("halves are moved as floats, and the model stays as it is", "[learn][nudge]") {
    attn::test::Checkpoint checkpoint = attn::test::random_gpt2();
    checkpoint.type = "F16";
    const Model model = nudged_kind(checkpoint);
    const double loss = text_loss_reference(model, kNudgedText);
    const attn::ModelTensor& tensor = *model.weights.layers[1].mlp_in.weight;
    const ModelNudge nudge = nudge_model(model, kNudgedText, tensor, 7);
    CHECK(nudge.epsilon == Catch::Approx(1e-4).epsilon(1e-2));
    CHECK(std::abs(nudge.slope() - *gradient_of_number(model, kNudgedText, tensor, 7)) < 2e-5);
    CHECK(text_loss_reference(model, kNudgedText) == loss);
}

TEST_CASE("a text that has no loss is told why", "[learn][nudge][bad-input]") {
    const Model bert = nudged_kind(attn::test::random_bert());
    CHECK(find_loss_problem(bert, kNudgedText).starts_with("This model does not write on"));
    const Model headless = nudged_kind(attn::test::random_bert(false));
    CHECK(find_loss_problem(headless, kNudgedText) == "This model has no logits: its files have no head.");
    const Model gpt2 = nudged_kind(attn::test::random_gpt2());
    CHECK(find_loss_problem(gpt2, {.ids = {3}}) == "A loss is of next words, and the text has one token alone.");
    // What the backward pass does not know has no gradient, but a nudge.
    const ModelInput off = {.ids = {3, 4, 5}, .types = {}, .off = {{.layer = 0, .head = 1}}};
    const attn::ModelTensor& tensor = *gpt2.weights.layers[0].mlp_in.weight;
    CHECK_FALSE(gradient_of_number(gpt2, off, tensor, 0));
    CHECK(nudge_model(gpt2, off, tensor, 0).up != nudge_model(gpt2, kNudgedText, tensor, 0).up);
    const Model llama = nudged_kind(attn::test::random_llama("llama"));
    CHECK_FALSE(gradient_of_number(llama, kNudgedText, *llama.tensors[0], 0));
}
