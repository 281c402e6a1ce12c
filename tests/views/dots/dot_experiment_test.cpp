// Random dot products: their numbers are PyTorch's, their variance is what statistics expects, and the sentence's rows
// are those of the trace.
#include "views/dots/dot_experiment.h"
#include "core/explain/stage_numbers.h"

#include <catch_amalgamated.hpp>
#include <cmath>

#include "core/ground/check.h"
#include "playground/link/state_url.h"

using namespace attn;

namespace {

constexpr int kWidth = 512;

DotExperiment drawn(int num_pairs, std::uint64_t seed, int dim) {
    DotExperiment experiment(num_pairs, seed, dim);
    experiment.draw(num_pairs);
    return experiment;
}

// torch.var of a list: n - 1 in the divisor, mean taken first.
double variance_of(const std::vector<double>& values) {
    double mean = 0;
    for (const double value : values) mean += value / static_cast<double>(values.size());
    double sum = 0;
    for (const double value : values) sum += (value - mean) * (value - mean);
    return sum / static_cast<double>(values.size() - 1);
}

}  // namespace

TEST_CASE("the pairs are torch.randn(pairs, 2, 512), whatever the pieces they are drawn in", "[dots][golden]") {
    constexpr int kPairs = 12;
    std::vector<float> x(kPairs * 2 * kWidth);
    TorchGenerator generator(0);
    fill_randn(generator, x);
    CHECK(x[0] == Catch::Approx(-1.1258F).margin(5e-5));  // as PyTorch prints torch.manual_seed(0); torch.randn(1024)
    CHECK(x[1] == Catch::Approx(-1.1524F).margin(5e-5));

    for (const int dim : {1, 5, 64, 512}) {
        DotExperiment experiment(kPairs, 0, dim);
        for (int piece = 0; !experiment.is_done(); ++piece) experiment.draw(1 + piece % 3);
        REQUIRE(experiment.products().size() == kPairs);
        std::vector<double> products;
        for (int pair = 0; pair < kPairs; ++pair) {
            const float* query = &x[static_cast<std::size_t>(pair * 2 * kWidth)];
            double product = 0;
            for (int c = 0; c < dim; ++c)
                product += static_cast<double>(query[c]) * static_cast<double>(query[kWidth + c]);
            products.push_back(product);
            // The same products added in the same order.
            CHECK(experiment.products()[static_cast<std::size_t>(pair)] == product);
        }
        // Two ways to the same variance in double.
        CHECK(experiment.variance(dim) == Catch::Approx(variance_of(products)).epsilon(1e-10));
    }
}

TEST_CASE("the variance of q·k is d within what a thousand pairs can tell", "[dots][property]") {
    // A product of two standard normals has variance 1 and fourth moment 9, so that the sum of d of them has an excess
    // kurtosis of 6 / d, and the variance found in n pairs a relative standard error of sqrt((2 + 6 / d) / n). Five of
    // them: seeds are fixed, and one wrong alarm in a million d would be expected.
    constexpr int kPairs = 1000;
    for (const std::uint64_t seed : {0ULL, 123ULL, 789ULL}) {
        const DotExperiment experiment = drawn(kPairs, seed, 64);
        for (int d = 1; d <= kWidth; ++d) {
            const double error = std::sqrt((2 + 6.0 / d) / kPairs);
            CAPTURE(seed, d);
            CHECK(experiment.variance(d) == Catch::Approx(d).epsilon(5 * error));
        }
        // A quarter more numbers raise the variance: a fall would be more than five standard errors away.
        for (int d = 8; d * 4 <= kWidth; d *= 2) CHECK(experiment.variance(d) < experiment.variance(4 * d));
    }
}

TEST_CASE("a seed stands for its numbers", "[dots]") {
    const DotExperiment one = drawn(100, 123, 20);
    const DotExperiment again = drawn(100, 123, 20);
    const DotExperiment other = drawn(100, 124, 20);
    CHECK(one.variance(20) == again.variance(20));
    CHECK(one.variance(20) != other.variance(20));
    // Of fewer pairs the first ones are the same.
    const DotExperiment fewer = drawn(50, 123, 20);
    CHECK(std::equal(fewer.products().begin(), fewer.products().end(), one.products().begin()));
    CHECK(one.is_of(100, 123, 20));
    CHECK_FALSE(one.is_of(100, 124, 20));
    CHECK_FALSE(one.is_of(101, 123, 20));
    CHECK_FALSE(one.is_of(100, 123, 21));
}

TEST_CASE("a histogram counts each value in its part", "[dots]") {
    const std::vector<double> values = {-2, -1.99, -0.01, 0, 0.5, 1.99, 2, 7};
    CHECK(histogram(values, 1, 2, 4) == std::vector<int>{2, 1, 2, 1});
    CHECK(histogram(values, 2, 2, 4) == std::vector<int>{0, 3, 3, 1});  // half as far out
}

TEST_CASE("the entropy of a row is that of its weights", "[dots]") {
    const std::vector<float> even = {0.25F, 0.25F, 0.25F, 0.25F};
    const std::vector<float> sure = {0, 1, 0};
    const std::vector<float> mixed = {0.5F, 0.25F, 0.25F, 0};
    CHECK(spread_of(even).entropy == 2);
    CHECK(spread_of(sure).entropy == 0);
    CHECK_FALSE(std::signbit(spread_of(sure).entropy));
    CHECK(spread_of(mixed).entropy == 1.5);
    CHECK(spread_of(mixed).largest == 0.5);
}

TEST_CASE("the sentence with another head_dim is the one that a link with this head_dim gives", "[dots]") {
    const ReadLink link = read_link("text=a+small+step+for+me&init=torch.randn&d_in=8&d_out=8&heads=2&seed=5");
    const Evaluation evaluation = evaluate(link.state.inputs, 0);
    const std::vector<HeadDimStep> steps = vary_head_dim(link.state.inputs, evaluation);
    REQUIRE(steps.size() == 7);
    for (const HeadDimStep& step : steps) {
        CAPTURE(step.head_dim);
        Inputs inputs = link.state.inputs;
        inputs.d_out = step.head_dim;
        inputs.num_heads = 1;
        const Evaluation other = evaluate(inputs, 0);
        std::vector<double> scores;
        RowSpread mean;
        const Matrix raw = stage_matrix(*other.problem, other.trace, TensorId::scores, 0);
        const Matrix weights = stage_matrix(*other.problem, other.trace, TensorId::weights, 0);
        for (int i = 0; i < other.num_tokens(); ++i) {
            for (int j = 0; j <= i; ++j) scores.push_back(static_cast<double>(raw(i, j)));
            mean.entropy += spread_of(row_of(weights, i)).entropy / other.num_tokens();
            mean.largest += spread_of(row_of(weights, i)).largest / other.num_tokens();
        }
        // The same floats, added in another order in double.
        CHECK(step.variance == Catch::Approx(variance_of(scores)).epsilon(1e-9));
        CHECK(step.scaled_variance == Catch::Approx(step.variance / step.head_dim).epsilon(1e-12));
        CHECK(step.scaled.entropy == Catch::Approx(mean.entropy).epsilon(1e-9));
        CHECK(step.scaled.largest == Catch::Approx(mean.largest).epsilon(1e-9));
        // Larger scores give sharper rows.
        if (step.head_dim > 1) CHECK(step.unscaled.largest > step.scaled.largest);
    }
}

TEST_CASE("without matrices head_dim goes along the divisors of d_in", "[dots]") {
    const ReadLink link = read_link("text=a+small+step&init=none&d_in=6&d_out=6&heads=2");
    std::vector<int> dims;
    for (const HeadDimStep& step : vary_head_dim(link.state.inputs, evaluate(link.state.inputs, 0)))
        dims.push_back(step.head_dim);
    CHECK(dims == std::vector<int>{1, 2, 3, 6});
}

TEST_CASE("each scale gives the rows that a link with this scale gives", "[dots]") {
    const std::string link = "text=a+small+step+for+me&d_in=8&d_out=8&heads=2&init=torch.randn&temperature=0.7&scale=";
    const Evaluation present = evaluate(read_link(link + "dim").state.inputs, 0);
    for (int row = 0; row < 5; ++row) {
        const ScaleSpreads spreads = vary_scale(present, 1, row);
        const auto check = [&](const std::string& scale, const RowSpread& spread) {
            const Evaluation other = evaluate(read_link(link + scale).state.inputs, 0);
            const Vector weights = stage_row(*other.problem, other.trace, TensorId::weights, 1, row);
            const RowSpread expected = spread_of(elements(weights));
            // Floats against a softmax in double.
            CHECK(spread.entropy == Catch::Approx(expected.entropy).margin(1e-5));
            CHECK(spread.largest == Catch::Approx(expected.largest).margin(1e-5));
        };
        check("sqrt", spreads.sqrt);
        check("none", spreads.none);
        check("dim", spreads.dim);
    }
}

TEST_CASE("a long sentence is looked at as far as it is said", "[dots]") {
    std::string text;
    for (int i = 0; i < 300; ++i) text += concat("w", i, "+");
    const ReadLink link = read_link(concat("text=", text, "&heads=1"));
    const Evaluation evaluation = evaluate(link.state.inputs, 0);
    REQUIRE(evaluation.num_tokens() == 300);
    CHECK(vary_head_dim(link.state.inputs, evaluation).size() == 7);
}
