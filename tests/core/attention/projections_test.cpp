// Learned matrices: PyTorch's order and ranges, transposition, and what is absent.
#include "core/attention/projections.h"
#include "core/golden_json.h"

#include <array>
#include <catch_amalgamated.hpp>
#include <cmath>

#include "core/failed_check.h"
#include "core/problems.h"

namespace attn::test {

TEST_CASE("torch.rand fills W_query, W_key, W_value as in the lecture", "[projections][golden]") {
    const nlohmann::json golden = load_golden("journey-6x3.json").at("recomputed");
    const Projections p = make_projections(Init::torch_rand, 123, 3, 2, false, false);
    const double tolerance = 0.51e-6;  // six decimals are written
    require_close(p.w_query, golden.at("W_query"), tolerance);
    require_close(p.w_key, golden.at("W_key"), tolerance);
    require_close(p.w_value, golden.at("W_value"), tolerance);
    CHECK(p.b_query.size() + p.b_key.size() + p.b_value.size() + p.w_out.size() + p.b_out.size() == 0);
}

TEST_CASE("nn.Linear is kept as the transpose of what was drawn, each role after the one before", "[projections]") {
    const int d_in = 3;
    const int d_out = 4;
    const Projections p = make_projections(Init::torch_linear, 7, d_in, d_out, true, true);
    TorchGenerator generator(7);
    const auto check_next = [&](const Matrix& w, const Vector& b, int n_in) {
        const float bound = static_cast<float>(1 / std::sqrt(static_cast<double>(n_in)));
        for (int row = 0; row < d_out; ++row) {
            for (int column = 0; column < n_in; ++column) {
                // 3e-7: PyTorch's bound goes through sqrt(3) and may differ from 1/sqrt(n_in) in the last bit
                CHECK(std::abs(w(column, row) - (2 * generator.uniform24() - 1) * bound) <= 3e-7f);
            }
        }
        for (int c = 0; c < d_out; ++c) CHECK(std::abs(b(c) - (2 * generator.uniform24() - 1) * bound) <= 3e-7f);
    };
    check_next(p.w_query, p.b_query, d_in);
    check_next(p.w_key, p.b_key, d_in);
    check_next(p.w_value, p.b_value, d_in);
    check_next(p.w_out, p.b_out, d_out);
}

TEST_CASE("nn.Linear(5, 3) of seed 1 maps torch.randn(2, 5) to what PyTorch's tutorial prints",
          "[projections][golden]") {
    // pytorch.org, "Deep Learning with PyTorch" of the natural language tutorials: the affine map.
    const std::array printed = {0.1755F, -0.3268F, -0.5069F, -0.6602F, 0.2260F, 0.1089F};
    const Projections p = make_projections(Init::torch_linear, 1, 5, 3, true, false);
    TorchGenerator generator(1);
    std::array<float, 18> linear{};  // the weight and the bias come before the data
    fill_uniform(generator, linear, 0, 1);
    Matrix data = zeros<Matrix>(2, 5);
    fill_randn(generator, elements(data));
    for (int i = 0; i < 2; ++i) {
        for (int c = 0; c < 3; ++c) {
            float sum = p.b_query(c);
            for (int k = 0; k < 5; ++k) sum += data(i, k) * p.w_query(k, c);
            // Half a unit of the last digit printed, and the rounding of six terms below 1.
            CHECK(std::abs(sum - printed[static_cast<std::size_t>(3 * i + c)]) <= 0.51e-4F);
        }
    }
}

TEST_CASE("without biases the output projection still has one", "[projections]") {
    const Init init = GENERATE(Init::torch_rand, Init::torch_linear, Init::torch_randn, Init::identity);
    const Projections p = make_projections(init, 1, 5, 4, false, true);
    CHECK(p.b_query.size() == 0);
    CHECK(p.b_key.size() == 0);
    CHECK(p.b_value.size() == 0);
    CHECK(p.b_out.size() == 4);
    CHECK(length(p.w_out, 0) == 4);
    CHECK(length(p.w_out, 1) == 4);
}

TEST_CASE("torch.randn matrices of fewer than 16 elements share normals across matrices as PyTorch does",
          "[projections][golden]") {
    // torch.randn of seed 0 drawn as (3, 1) three times is torch.randn(3, 3), printed in many tutorials.
    const std::array printed = {1.5410f, -0.2934f, -2.1788f, 0.5684f, -1.0845f, -1.3986f, 0.4033f, 0.8380f, -0.7193f};
    const Projections p = make_projections(Init::torch_randn, 0, 3, 1, false, false);
    const std::array matrices = {&p.w_query, &p.w_key, &p.w_value};
    for (std::size_t k = 0; k < printed.size(); ++k) {
        CHECK(std::abs((*matrices[k / 3])(k % 3, 0) - printed[k]) <= 0.51e-4f);
    }
}

TEST_CASE("identity has ones on the diagonal and zeros elsewhere, also when it is not square", "[projections]") {
    const auto [d_in, d_out] = GENERATE(table<int, int>({{3, 3}, {2, 5}, {5, 2}, {1, 1}}));
    const Projections p = make_projections(Init::identity, 99, d_in, d_out, true, true);
    for (int i = 0; i < d_in; ++i) {
        for (int j = 0; j < d_out; ++j) CHECK(p.w_value(i, j) == (i == j ? 1.0f : 0.0f));
    }
    for (const float b : p.b_query) CHECK(b == 0);
    for (const float b : p.b_out) CHECK(b == 0);
}

TEST_CASE("without matrices nothing is there", "[projections]") {
    const Projections p = make_projections(Init::none, 5, 4, 4, false, false);
    CHECK(p.w_query.size() + p.w_key.size() + p.w_value.size() + p.w_out.size() == 0);
}

TEST_CASE("matrices drawn in slices are those drawn at once, whatever the slices are", "[projections][property]") {
    const Init init = GENERATE(Init::torch_rand, Init::torch_linear, Init::torch_randn, Init::identity);
    // 3 x 3 is fewer than a block of 16 normals, 5 x 7 is not a whole number of blocks, 16 x 16 is.
    const auto [d_in, d_out] = GENERATE(table<int, int>({{3, 3}, {5, 7}, {16, 16}, {40, 13}}));
    const std::size_t slice = GENERATE(1, 16, 40, 1000);
    const bool bias = GENERATE(false, true);
    CAPTURE(static_cast<int>(init), d_in, d_out, slice, bias);
    ProjectionDraw draw(init, 11, {.d_in = d_in, .d_out = d_out, .bias = bias, .out = true});
    int num_slices = 1;
    while (!draw.advance(slice)) ++num_slices;
    CHECK((slice > 1 || num_slices >= d_in * d_out / 16));
    const Projections sliced = draw.take();
    const Projections whole = make_projections(init, 11, d_in, d_out, bias, true);
    CHECK(sliced.w_query == whole.w_query);
    CHECK(sliced.w_key == whole.w_key);
    CHECK(sliced.w_value == whole.w_value);
    CHECK(sliced.w_out == whole.w_out);
    CHECK(sliced.b_query == whole.b_query);
    CHECK(sliced.b_value == whole.b_value);
    CHECK(sliced.b_out == whole.b_out);
    // At once means: in one call of the library's function for the whole matrix.
    if (init == Init::torch_randn) {
        TorchGenerator generator(11);
        Matrix first = zeros<Matrix>(d_in, d_out);
        fill_randn(generator, elements(first));
        CHECK(sliced.w_query == first);
    }
}

TEST_CASE("shared keys and values are drawn so narrow, in the same order", "[projections]") {
    const Projections p = make_projections(Init::torch_linear, 7,
                                           {.d_in = 3, .d_out = 4, .bias = true, .num_heads = 4, .num_kv_heads = 2});
    CHECK(length(p.w_key, 1) == 2);
    CHECK(length(p.b_value, 0) == 2);
    TorchGenerator generator(7);
    const auto draw = [&](std::size_t count) {
        std::vector<float> numbers(count);
        fill_uniform(generator, numbers, -0.57735026F, 0.57735026F);  // 1 / sqrt(3)
        return numbers;
    };
    draw(12 + 4);  // w_query (4, 3) and b_query
    const std::vector<float> w_key = draw(2 * 3);
    for (int row = 0; row < 2; ++row) {
        for (int column = 0; column < 3; ++column)
            CHECK(p.w_key(column, row) == w_key[static_cast<std::size_t>(row * 3 + column)]);
    }
}

TEST_CASE("latents are drawn as modules in the order down, up: query, latent, key, value", "[projections]") {
    const Projections p =
        make_projections(Init::torch_rand, 7, {.d_in = 3, .d_out = 4, .query_latent = 2, .latent = 1});
    TorchGenerator generator(7);
    const auto require_next = [&](const Matrix& w, std::size_t rows, std::size_t columns) {
        REQUIRE(w.shape(0) == rows);
        REQUIRE(w.shape(1) == columns);
        std::vector<float> numbers(rows * columns);
        fill_rand(generator, numbers);
        CHECK(std::equal(numbers.begin(), numbers.end(), w.begin()));
    };
    require_next(p.w_down_query, 3, 2);
    require_next(p.w_query, 2, 4);
    require_next(p.w_down_kv, 3, 1);
    require_next(p.w_key, 1, 4);
    require_next(p.w_value, 1, 4);
    CHECK(p.w_out.size() == 0);
}

TEST_CASE("what is turned alone is drawn last, so that no other number moves", "[projections]") {
    const Init init = GENERATE(Init::torch_rand, Init::torch_linear, Init::torch_randn);
    ProjectionShape shape = {
        .d_in = 3, .d_out = 4, .bias = true, .out = true, .num_heads = 2, .query_latent = 2, .latent = 1};
    const Projections without = make_projections(init, 7, shape);
    shape.rope_dim = 4;
    const Projections p = make_projections(init, 7, shape);
    for (const auto matrix : {&Projections::w_query, &Projections::w_key, &Projections::w_value, &Projections::w_out,
                              &Projections::w_down_query, &Projections::w_down_kv})
        CHECK(p.*matrix == without.*matrix);
    CHECK(p.b_out == without.b_out);
    REQUIRE((length(p.w_query_rope, 0) == 2 && length(p.w_query_rope, 1) == 8));
    REQUIRE((length(p.w_key_rope, 0) == 3 && length(p.w_key_rope, 1) == 4));
    CHECK(p.w_key_rope(0, 0) != 0);
    CHECK(without.w_key_rope.size() == 0);
    const Projections ones = make_projections(Init::identity, 7, shape);
    CHECK((ones.w_query_rope(1, 1) == 1 && ones.w_key_rope(2, 2) == 1 && ones.w_key_rope(2, 1) == 0));
}

TEST_CASE("a mean of groups has the mean of each group's columns, and one head a group changes nothing",
          "[projections][golden]") {
    const ProjectionShape all = {.d_in = 2, .d_out = 4, .bias = true, .num_heads = 4};
    ProjectionShape means = all;
    means.num_kv_heads = 2;
    means.kv_from = KvFrom::mean;
    const Projections drawn = make_projections(Init::torch_rand, 5, all);
    const Projections p = make_projections(Init::torch_rand, 5, means);
    CHECK(p.w_query == drawn.w_query);
    REQUIRE(length(p.w_key, 1) == 2);
    for (int row = 0; row < 2; ++row) {
        CHECK(p.w_key(row, 0) == (drawn.w_key(row, 0) + drawn.w_key(row, 1)) / 2);
        CHECK(p.w_value(row, 1) == (drawn.w_value(row, 2) + drawn.w_value(row, 3)) / 2);
    }
    CHECK(p.b_value(1) == (drawn.b_value(2) + drawn.b_value(3)) / 2);
    means.num_kv_heads = 4;
    CHECK(make_projections(Init::torch_rand, 5, means).w_key == drawn.w_key);
    CHECK(mean_of_groups(drawn.w_key, 2, 2)(0, 1) == (drawn.w_key(0, 1) + drawn.w_key(0, 3)) / 2);
}

TEST_CASE("sizes that the program cannot ask for are refused", "[projections][bad-input]") {
    using Catch::Matchers::ContainsSubstring;
    CHECK_THAT(failed_check([] { make_projections(Init::torch_rand, 1, 0, 4, false, false); }),
               ContainsSubstring("d_in is 0"));
    CHECK_THAT(failed_check([] { make_projections(Init::torch_rand, 1, 4, 1025, false, false); }),
               ContainsSubstring("d_out is 1025"));
    CHECK_THAT(failed_check([] { make_projections(Init::none, 1, 4, 5, false, false); }),
               ContainsSubstring("want d_in = 4"));
    CHECK(!failed_check([] { make_projections(Init::none, 1, 4, 4, true, false); }).empty());
}

}  // namespace attn::test
