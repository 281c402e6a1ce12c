// RMS norms against what PyTorch prints for weight * (x * torch.rsqrt(x.pow(2).mean(-1) + 1e-6)) and its gradients, and
// what the definition promises.
#include "core/attention/rms_norm.h"

#include <array>
#include <catch_amalgamated.hpp>
#include <cmath>
#include <vector>

#include "core/problems.h"

namespace attn::test {
namespace {

using Four = std::array<float, 4>;

constexpr Four kNormWeight = {1, 0.5F, 2, -0.75F};
constexpr Four kGradY = {0.5F, -1, 2, 0.25F};

struct PrintedNorm {
    Four x, y, grad_x, grad_weight;
};
// PyTorch 1.13, float32.
constexpr std::array kPrintedNorms = {
    PrintedNorm{{1.5F, -2.25F, 0.125F, 3},
                {0.742425859F, -0.556819379F, 0.123737641F, -1.11363876F},
                {0.165062457F, -0.123856053F, 1.97293448F, -0.257628858F},
                {0.371212929F, 1.11363876F, 0.123737641F, 0.371212929F}},
    PrintedNorm{{1e-3F, 2e-3F, 0, -1e-3F},
                {0.632455528F, 0.632455528F, 0, 0.474341631F},
                {335.991974F, -276.69928F, 2529.82202F, -138.34964F},
                {0.316227764F, -1.26491106F, 0, -0.158113882F}},
    PrintedNorm{{100, -7, 3.5F, 0.25F},
                {1.99389684F, -0.0697863847F, 0.139572769F, -0.00373855652F},
                {-0.0033980133F, -0.00903375912F, 0.0792880133F, -0.00377197517F},
                {0.996948421F, 0.139572769F, 0.139572769F, 0.00124618551F}},
};

void check_near(const Four& ours, const Four& printed) {
    for (std::size_t c = 0; c < ours.size(); ++c) {
        CAPTURE(c, ours[c], printed[c]);
        // A handful of float roundings in PyTorch's sums, of numbers up to the largest of the row.
        float largest = 0;
        for (const float one : printed) largest = std::max(largest, std::abs(one));
        CHECK(std::abs(ours[c] - printed[c]) <= 1e-6F * largest);
    }
}

}  // namespace

TEST_CASE("normed rows and their gradients are PyTorch's", "[norm][golden]") {
    for (const PrintedNorm& printed : kPrintedNorms) {
        Four y = {}, grad_x = {}, grad_weight = {};
        rms_norm(printed.x, kNormWeight, kQueryKeyNormEps, y);
        rms_norm_back(printed.x, kNormWeight, kQueryKeyNormEps, kGradY, grad_x, grad_weight);
        check_near(y, printed.y);
        check_near(grad_x, printed.grad_x);
        check_near(grad_weight, printed.grad_weight);
    }
}

TEST_CASE("a normed row has the root mean square 1, and one twice as long is the same", "[norm][property]") {
    for (const std::uint64_t seed : {1, 2, 3}) {
        const std::vector<float> x = drawn_numbers(16, seed), ones(16, 1);
        std::vector<float> twice = x, y(16), y_of_twice(16);
        for (float& one : twice) one *= 2;
        rms_norm(x, ones, 0, y);
        rms_norm(twice, ones, 0, y_of_twice);
        CHECK(y == y_of_twice);  // a power of two: no other rounding
        CHECK(std::abs(rms_of(y, 0) - 1) < 1e-7);
    }
}

TEST_CASE("a row of zeros stays zeros", "[norm]") {
    Four y = {1, 1, 1, 1}, grad_x = {}, grad_weight = {};
    rms_norm(Four{}, kNormWeight, kQueryKeyNormEps, y);
    rms_norm_back(Four{}, kNormWeight, kQueryKeyNormEps, kGradY, grad_x, grad_weight);
    CHECK(y == Four{});
    CHECK(grad_weight == Four{});
    CHECK(grad_x[0] == 500);  // 0.5 / sqrt(1e-6)
}

TEST_CASE("no gradient at a row makes it longer or shorter", "[norm][property]") {
    const std::vector<float> x = drawn_numbers(8, 4), weight = drawn_numbers(8, 5), grad_y = drawn_numbers(8, 6);
    std::vector<float> grad_x(8), grad_weight(8);
    rms_norm_back(x, weight, 0, grad_y, grad_x, grad_weight);
    double along = 0;
    for (std::size_t c = 0; c < x.size(); ++c) along += static_cast<double>(x[c]) * static_cast<double>(grad_x[c]);
    CHECK(std::abs(along) < 1e-6);  // eight roundings to float of numbers around 2
}

}  // namespace attn::test
