// The mean of heads, and rollout worked out by hand.
#include "model/roles/rollout.h"

#include <catch_amalgamated.hpp>

using Catch::Approx;

TEST_CASE("rollout is the product of the halved layers, worked out by hand", "[rollout][golden]") {
    attn::MatrixD first = attn::zeros<attn::MatrixD>(2, 2), second = first;
    first(0, 0) = 1, first(1, 0) = 0.5, first(1, 1) = 0.5;
    second(0, 0) = 1, second(1, 0) = 0.2, second(1, 1) = 0.8;
    attn::Rollout rollout;
    rollout.add_layer(first);  // (first + I) / 2 = [[1, 0], [.25, .75]]
    CHECK(rollout.matrix()(1, 0) == Approx(0.25));
    CHECK(rollout.matrix()(1, 1) == Approx(0.75));
    rollout.add_layer(second);  // [[1, 0], [.1, .9]] times that
    CHECK(rollout.matrix()(0, 0) == 1.0);
    CHECK(rollout.matrix()(1, 0) == Approx(0.1 + 0.9 * 0.25));
    CHECK(rollout.matrix()(1, 1) == Approx(0.9 * 0.75));
}

TEST_CASE("the mean of heads is taken cell by cell, and rows of rollout sum to 1", "[rollout][property]") {
    attn::WeightRows weights;
    weights.resize(2, 3);
    const float heads[2][3][3] = {{{1, 0, 0}, {.25F, .75F, 0}, {.2F, .3F, .5F}},
                                  {{1, 0, 0}, {.75F, .25F, 0}, {.6F, .1F, .3F}}};
    for (int h = 0; h < 2; ++h) {
        for (std::size_t i = 0; i < 3; ++i) std::copy_n(heads[h][i], 3, weights.head(h) + i * weights.row_stride());
    }
    const attn::MatrixD mean = mean_of_heads(weights);
    CHECK(mean(1, 0) == Approx(0.5));
    CHECK(mean(2, 0) == Approx(0.4));
    CHECK(mean(2, 2) == Approx(0.4));
    attn::Rollout rollout;
    for (int layer = 0; layer < 5; ++layer) {
        rollout.add_layer(mean);
        for (int i = 0; i < 3; ++i) {
            double sum = 0;
            for (int j = 0; j < 3; ++j) sum += rollout.matrix()(i, j);
            CHECK(sum == Approx(1));
        }
    }
}
