// Drawing the next token: counts that a book prints, and the rules of top-k and top-p.
#include "model/layers/sampling.h"

#include <array>
#include <catch_amalgamated.hpp>
#include <vector>

using Catch::Matchers::WithinAbs;

namespace {

// "Build a Large Language Model (From Scratch)", chapter 5, section 5.3: what follows "every effort moves you".
constexpr std::array<float, 9> kLogits = {4.51F, 0.89F, -1.90F, 6.75F, 1.63F, -1.62F, -1.89F, 6.28F, 1.79F};

std::vector<int> counts_of(const attn::Sampling& sampling) {
    const std::vector<float> probabilities = attn::sampling_probabilities(kLogits, sampling);
    attn::TorchGenerator generator(123);
    std::vector<int> counts(kLogits.size());
    for (int i = 0; i < 1000; ++i) ++counts[static_cast<std::size_t>(attn::draw_token(probabilities, generator))];
    return counts;
}

}  // namespace

TEST_CASE("a thousand draws are those that the book prints", "[sampling][golden]") {
    CHECK(counts_of({}) == std::vector<int>{73, 0, 0, 582, 2, 0, 0, 343, 0});
    CHECK(counts_of({.temperature = 0.1}) == std::vector<int>{0, 0, 0, 985, 0, 0, 0, 15, 0});
    CHECK(counts_of({.temperature = 5}) == std::vector<int>{165, 75, 42, 239, 71, 46, 32, 227, 103});
}

TEST_CASE("top-k and top-p leave the most likely tokens", "[sampling][golden]") {
    const std::vector<float> top = attn::sampling_probabilities(kLogits, {.top_k = 3});
    CHECK_THAT(static_cast<double>(top[0]), WithinAbs(0.0615, 5e-5));
    CHECK_THAT(static_cast<double>(top[3]), WithinAbs(0.5775, 5e-5));
    CHECK_THAT(static_cast<double>(top[7]), WithinAbs(0.3610, 5e-5));
    CHECK(top[1] == 0);
    CHECK(attn::sampling_probabilities(kLogits, {.top_k = 9}) == attn::sampling_probabilities(kLogits, {}));
    // 0.5721 and 0.3576: the first is enough for a half, both for 0.9.
    const auto num_left = [](double top_p) {
        const std::vector<float> left = attn::sampling_probabilities(kLogits, {.top_p = top_p});
        return kLogits.size() - static_cast<std::size_t>(std::count(left.begin(), left.end(), 0.0F));
    };
    CHECK(num_left(1e-9) == 1);
    CHECK(num_left(0.5) == 1);
    CHECK(num_left(0.6) == 2);
    CHECK(num_left(0.95) == 3);
    const std::array<float, 4> equal = {1, 1, 1, 0};
    CHECK(attn::sampling_probabilities(equal, {.top_k = 2})[2] > 0);  // as many as have the same logit
}

TEST_CASE("without a temperature the first of the most likely is next", "[sampling]") {
    attn::TorchGenerator generator(1), untouched(1);
    const std::array<float, 4> equal = {0, 2, 2, 1};
    CHECK(attn::next_token(equal, {.temperature = 0}, generator) == 1);
    CHECK(generator.draw32() == untouched.draw32());
}
