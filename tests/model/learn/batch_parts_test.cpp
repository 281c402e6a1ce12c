// A batch in parts beside the whole one, and with workers that take the parts in any order.
#include "model/learn/batch_parts.h"

#include <catch_amalgamated.hpp>
#include <cmath>
#include <vector>

#include "core/ground/random.h"

using attn::BatchParts;
using attn::TextBatch;

namespace {

attn::LearnedLayout small_layout() {
    return attn::LearnedLayout(
        {.vocabulary = 19, .positions = 9, .width = 12, .num_layers = 2, .num_heads = 3, .mlp_width = 16});
}

TextBatch seven_texts(const attn::LearnedLayout& layout) {
    TextBatch batch{.num_texts = 7, .num_tokens = 8, .ids = {}};
    attn::TorchGenerator generator(3);
    for (int i = 0; i < 7 * 9; ++i)
        batch.ids.push_back(
            static_cast<int>(generator.draw32() % static_cast<std::uint32_t>(layout.shape().vocabulary)));
    return batch;
}

struct Pass {
    double loss = 0;
    std::vector<float> gradients, token_losses;
    bool operator==(const Pass&) const = default;
};

Pass pass_of(int texts_a_part, attn::WorkRunner runner = {}) {
    const attn::LearnedLayout layout = small_layout();
    const std::vector<float> numbers = attn::first_numbers(layout, 0.5, 4);
    BatchParts parts(layout, texts_a_part, std::move(runner));
    Pass pass;
    pass.gradients.resize(numbers.size());
    const TextBatch batch = seven_texts(layout);
    parts.run(numbers, batch, pass.gradients);  // once before, so that what a part leaves behind would be seen
    pass.loss = parts.run(numbers, batch, pass.gradients);
    pass.token_losses = parts.token_losses(numbers, batch);
    return pass;
}

}  // namespace

TEST_CASE("one part has the bits of a whole pass", "[learn][reference]") {
    const attn::LearnedLayout layout = small_layout();
    const std::vector<float> numbers = attn::first_numbers(layout, 0.5, 4);
    attn::BatchPass whole(layout);
    Pass wanted;
    wanted.gradients.resize(numbers.size());
    wanted.loss = whole.run(numbers, seven_texts(layout), wanted.gradients);
    wanted.token_losses.assign(whole.token_losses().begin(), whole.token_losses().end());
    CHECK(pass_of(0) == wanted);
    CHECK(pass_of(7) == wanted);
    CHECK(pass_of(100) == wanted);
}

TEST_CASE("parts add up to the whole", "[learn][reference]") {
    const Pass whole = pass_of(0);
    for (const int texts_a_part : {1, 2, 3, 6}) {
        const Pass parts = pass_of(texts_a_part);
        INFO(texts_a_part << " texts a part");
        CHECK(std::abs(parts.loss - whole.loss) < 1e-12);
        CHECK(parts.token_losses == whole.token_losses);
        double largest = 0, worst = 0;
        for (std::size_t n = 0; n < whole.gradients.size(); ++n) {
            largest = std::max(largest, std::abs(static_cast<double>(whole.gradients[n])));
            worst = std::max(worst, std::abs(static_cast<double>(parts.gradients[n] - whole.gradients[n])));
        }
        // Sums of 56 rows of floats in another order: some units in the last place of the largest.
        CHECK(worst < 1e-6 * largest);
    }
}

TEST_CASE("the order in which parts are computed changes no bit", "[learn][property]") {
    for (const int num_workers : {2, 3, 16}) {
        const attn::WorkRunner backwards = {.num_workers = num_workers,
                                            .run = [num_workers](int count, const std::function<void(int, int)>& work) {
                                                for (int number = count; number-- > 0;)
                                                    work(number, (number * 7 + 1) % num_workers);
                                            }};
        CHECK(pass_of(2, backwards) == pass_of(2));
        CHECK(pass_of(0, backwards) == pass_of(0));
    }
}
