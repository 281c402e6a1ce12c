// The fast pass beside its plain twin, the plain twin beside differences of the loss.
#include "model/learn/batch_pass.h"

#include <catch_amalgamated.hpp>
#include <cmath>
#include <vector>

#include "core/ground/random.h"
#include "core/instruction_sets.h"
#include "model/layers/activations.h"
#include "model/learn/gradients_reference.h"

using attn::LearnedLayout;
using attn::TextBatch;

namespace {

TextBatch drawn_batch(const attn::LearnedShape& shape, int num_texts, int num_tokens) {
    TextBatch batch{.num_texts = num_texts, .num_tokens = num_tokens, .ids = {}};
    attn::TorchGenerator generator(9);
    for (int i = 0; i < num_texts * (num_tokens + 1); ++i)
        batch.ids.push_back(static_cast<int>(generator.draw32() % static_cast<std::uint32_t>(shape.vocabulary)));
    return batch;
}

// Biases and norms too, so that no gradient is missed.
std::vector<float> drawn_model(const LearnedLayout& layout) {
    std::vector<float> numbers = attn::first_numbers(layout, 0.5, 4);
    attn::TorchGenerator generator(11);
    for (float& number : numbers) number += 0.2F * (generator.uniform24() - 0.5F);
    return numbers;
}

}  // namespace

TEST_CASE("the fast pass agrees with the plain one at every number", "[learn][reference]") {
    const auto [vocabulary, width, heads, layers, mlp, texts, T] = GENERATE(table<int, int, int, int, int, int, int>(
        {{17, 12, 3, 2, 20, 3, 7}, {33, 16, 2, 1, 64, 2, 9}, {5, 12, 6, 3, 7, 2, 1}, {16, 8, 1, 2, 16, 1, 17}}));
    const attn::ModelKind kind = GENERATE(attn::ModelKind::gpt2, attn::ModelKind::llama);
    const LearnedLayout layout({.kind = kind,
                                .vocabulary = vocabulary,
                                .positions = T + 1,
                                .width = width,
                                .num_layers = layers,
                                .num_heads = heads,
                                .mlp_width = mlp});
    const std::vector<float> numbers = drawn_model(layout);
    const TextBatch batch = drawn_batch(layout.shape(), texts, T);
    const attn::ModelGradients wanted = attn::model_gradients_reference(layout, numbers, batch);
    attn::BatchPass pass(layout);
    std::vector<float> gradients(numbers.size());
    const double loss = pass.run(numbers, batch, gradients);
    // Floats of sums of some hundred terms, through up to three layers and norms that may divide by little.
    CHECK(std::abs(loss - wanted.loss) < 2e-6 * wanted.loss);
    for (const attn::LearnedTensor& tensor : layout.tensors()) {
        double largest = 0, worst = 0;
        for (std::size_t n = tensor.begin; n < tensor.begin + tensor.size; ++n) {
            largest = std::max(largest, std::abs(wanted.gradients[n]));
            worst = std::max(worst, std::abs(static_cast<double>(gradients[n]) - wanted.gradients[n]));
        }
        INFO(tensor.name << ": off by " << worst << " of " << largest);
        CHECK(worst < 1e-5 * largest + 1e-8);
    }
    CHECK(pass.loss(numbers, batch) == loss);
    double sum = 0;
    for (const float one : pass.token_losses()) sum += static_cast<double>(one);
    CHECK(std::abs(sum / static_cast<double>(pass.token_losses().size()) - loss) < 1e-6);
}

TEST_CASE("the plain gradient is the slope of the loss at each number", "[learn][property]") {
    const attn::ModelKind kind = GENERATE(attn::ModelKind::gpt2, attn::ModelKind::llama);
    const LearnedLayout layout(
        {.kind = kind, .vocabulary = 7, .positions = 5, .width = 8, .num_layers = 2, .num_heads = 2, .mlp_width = 5});
    const std::vector<float> numbers = drawn_model(layout);
    const TextBatch batch = drawn_batch(layout.shape(), 2, 4);
    const attn::ModelGradients wanted = attn::model_gradients_reference(layout, numbers, batch);
    CHECK(std::abs(wanted.loss - attn::model_loss_reference(layout, numbers, batch)) < 1e-14);
    for (const attn::LearnedTensor& tensor : layout.tensors()) {
        for (std::size_t n = tensor.begin; n < tensor.begin + tensor.size; n += 3) {
            const attn::ModelNudge nudge = attn::nudge_number(layout, numbers, batch, n);
            INFO(tensor.name << " number " << n - tensor.begin);
            // The difference leaves out terms of epsilon^2 = 1e-8; layers' inputs are rounded to float, 6e-8.
            CHECK(std::abs(nudge.slope() - wanted.gradients[n]) < 1e-6);
        }
    }
}

TEST_CASE("a batch has the same bits with every instruction set", "[learn][property]") {
    const attn::ModelKind kind = GENERATE(attn::ModelKind::gpt2, attn::ModelKind::llama);
    const LearnedLayout layout({.kind = kind,
                                .vocabulary = 29,
                                .positions = 12,
                                .width = 24,
                                .num_layers = 2,
                                .num_heads = 3,
                                .mlp_width = 40});
    const std::vector<float> numbers = drawn_model(layout);
    const TextBatch batch = drawn_batch(layout.shape(), 3, 11);
    const auto gradients = [&] {
        attn::BatchPass pass(layout);
        std::vector<float> result(numbers.size());
        const double loss = pass.run(numbers, batch, result);
        result.push_back(static_cast<float>(loss));
        return result;
    };
    const std::vector<float> plain = attn::test::with_set(attn::simd::InstructionSet::plain, gradients);
    for (const attn::simd::InstructionSet set : attn::simd::available())
        CHECK(attn::test::with_set(set, gradients) == plain);
}

TEST_CASE("GELU and SiLU in float are what they are called, and their slopes the slopes", "[learn][reference]") {
    const auto check = [](auto with_slopes, auto plain) {
        std::vector<float> x;
        for (int i = -4000; i <= 4000; ++i) x.push_back(static_cast<float>(i) / 400);
        std::vector<float> y = x, slopes(x.size());
        with_slopes(y, slopes);
        for (std::size_t i = 0; i < x.size(); ++i) {
            const double at = static_cast<double>(x[i]), h = 1e-5;
            INFO("at " << at);
            CHECK(std::abs(static_cast<double>(y[i]) - plain(at)) < 2e-6);  // some roundings of numbers up to 10
            CHECK(std::abs(static_cast<double>(slopes[i]) - (plain(at + h) - plain(at - h)) / (2 * h)) < 2e-6);
        }
    };
    check(attn::gelu_with_slopes, attn::gelu_tanh);
    check(attn::silu_with_slopes, attn::silu);
}

TEST_CASE("a model of either kind has its file's names, and comes back from its file", "[learn]") {
    const attn::ModelKind kind = GENERATE(attn::ModelKind::gpt2, attn::ModelKind::llama);
    const LearnedLayout layout({.kind = kind,
                                .vocabulary = 11,
                                .positions = 6,
                                .width = 8,
                                .num_layers = 2,
                                .num_heads = 2,
                                .mlp_width = 12,
                                .beginning = 10});
    const std::vector<float> numbers = drawn_model(layout);
    attn::Result<attn::Model> model = attn::model_of_numbers(layout, numbers, "F32");
    INFO(model.error());
    REQUIRE(model);
    CHECK(model->config.kind == kind);
    CHECK(attn::num_parameters(*model) == static_cast<std::int64_t>(layout.num_numbers()));
    const attn::Result<std::vector<float>> back = attn::numbers_of_model(layout, *model);
    REQUIRE(back);
    CHECK(*back == numbers);
}
