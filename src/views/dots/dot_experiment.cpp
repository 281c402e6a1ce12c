// Draws random pairs a few at a time, and measures the spread of scores and weights.
#include "views/dots/dot_experiment.h"
#include "core/explain/stage_numbers.h"
#include "core/fast/attend.h"

#include <algorithm>
#include <array>

#include "core/ground/check.h"
#include "core/ground/portable_math.h"
#include "playground/link/legal.h"

namespace attn {
namespace {

constexpr std::size_t kDims = kMaxPairsDim;
constexpr std::array<int, 13> kListedDims = {1, 2, 4, 5, 8, 16, 20, 32, 64, 100, 128, 256, 512};
constexpr std::array<int, 7> kHeadDims = {1, 2, 4, 8, 16, 32, 64};

// Running variance with n - 1 in the divisor. The means are near 0, so plain sums lose no precision.
struct Spread {
    double sum = 0;
    double sum_of_squares = 0;
    std::int64_t count = 0;

    void add(double value) {
        sum += value;
        sum_of_squares += value * value;
        ++count;
    }
    double variance() const {
        if (count < 2) return 0;
        const auto n = static_cast<double>(count);
        return std::max(0.0, (sum_of_squares - sum * sum / n) / (n - 1));
    }
};

// The first rows and columns of the flags.
Flags cut(const Flags& hidden, int size) {
    Flags part = zeros<Flags>(size, size);
    for (int i = 0; i < size; ++i) {
        const std::span<const std::uint8_t> row = row_of(hidden, i);
        std::copy_n(row.begin(), size, row_of(part, i).begin());
    }
    return part;
}

Matrix cut_rows(const Matrix& matrix, int rows) {
    Matrix part = zeros<Matrix>(rows, matrix.shape(1));
    std::copy_n(matrix.begin(), part.size(), part.begin());
    return part;
}

double variance_of_visible(const Matrix& scores, const Flags& hidden) {
    Spread spread;
    const std::span<const float> numbers = elements(scores);
    const std::span<const std::uint8_t> flags = elements(hidden);
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        if (flags[i] == 0) spread.add(static_cast<double>(numbers[i]));
    }
    return spread.variance();
}

// The mean of the rows' entropies and largest weights.
RowSpread mean_spread(const Matrix& weights) {
    RowSpread mean;
    const int rows = length(weights, 0);
    for (int i = 0; i < rows; ++i) {
        const RowSpread spread = spread_of(row_of(weights, i));
        mean.entropy += spread.entropy / rows;
        mean.largest += spread.largest / rows;
    }
    return mean;
}

HeadDimStep step_of(AttentionProblem& problem) {
    HeadDimStep step;
    step.head_dim = problem.head_dim();
    const AttentionTrace trace = attend(problem);
    step.variance = variance_of_visible(stage_matrix(problem, trace, TensorId::scores, 0), problem.hidden);
    step.scaled_variance = step.variance / step.head_dim;
    problem.settings.scale = Scale::none;
    step.unscaled = mean_spread(stage_matrix(problem, attend(problem), TensorId::weights, 0));
    problem.settings.scale = Scale::sqrt;
    step.scaled = mean_spread(stage_matrix(problem, trace, TensorId::weights, 0));
    return step;
}

}  // namespace

DotExperiment::DotExperiment(int num_pairs, std::uint64_t seed, int dim)
    : num_pairs_(num_pairs),
      seed_(seed),
      dim_(dim),
      generator_(seed),
      numbers_(2 * kDims),
      sums_(kDims),
      sums_of_squares_(kDims) {
    ATTN_CHECK(num_pairs >= 2 && num_pairs <= kMaxPairs, "num_pairs is ", num_pairs);
    ATTN_CHECK(dim >= 1 && dim <= kMaxPairsDim, "dim is ", dim);
    products_.reserve(static_cast<std::size_t>(num_pairs));
}

void DotExperiment::draw(int count) {
    const int end = std::min(num_pairs_, num_drawn() + count);
    while (num_drawn() < end) {
        // randn draws blocks of 16 in order, so drawing pair by pair gives what one large randn gives.
        fill_randn(generator_, numbers_);
        double product = 0;
        double kept = 0;
        for (std::size_t c = 0; c < kDims; ++c) {
            product += static_cast<double>(numbers_[c]) * static_cast<double>(numbers_[kDims + c]);
            sums_[c] += product;
            sums_of_squares_[c] += product * product;
            if (c + 1 == static_cast<std::size_t>(dim_)) kept = product;
        }
        products_.push_back(kept);
    }
}

double DotExperiment::variance(int d) const {
    ATTN_CHECK(d >= 1 && d <= kMaxPairsDim, "d is ", d);
    ATTN_CHECK(num_drawn() >= 2, "a variance needs two pairs, ", num_drawn(), " were drawn");
    const auto place = static_cast<std::size_t>(d - 1);
    const Spread spread = {.sum = sums_[place],
                           .sum_of_squares = sums_of_squares_[place],
                           .count = static_cast<std::int64_t>(num_drawn())};
    return spread.variance();
}

std::vector<int> histogram(std::span<const double> values, double divisor, double reach, int num_bins) {
    ATTN_CHECK(num_bins >= 1 && reach > 0, num_bins, " bins up to ", reach);
    std::vector<int> bins(static_cast<std::size_t>(num_bins));
    for (const double value : values) {
        const double place = (value / divisor + reach) / (2 * reach) * num_bins;
        if (place >= 0 && place < num_bins) ++bins[static_cast<std::size_t>(place)];
    }
    return bins;
}

std::span<const int> listed_dims() {
    return kListedDims;
}

RowSpread spread_of(std::span<const float> weights) {
    RowSpread spread;
    for (const float number : weights) {
        const auto weight = static_cast<double>(number);
        if (weight > 0) spread.entropy -= weight * portable::log2(weight);
        spread.largest = std::max(spread.largest, weight);
    }
    spread.entropy = std::max(spread.entropy, 0.0);  // a weight of 1 gives -0
    return spread;
}

std::vector<HeadDimStep> vary_head_dim(const Inputs& inputs, const Evaluation& evaluation) {
    ATTN_CHECK(!evaluation.is_empty(), "an empty sentence has no scores");
    const int T = std::min(evaluation.num_tokens(), kMaxExperimentTokens);
    AttentionProblem problem{.embeddings = cut_rows(evaluation.problem->embeddings, T),
                             .projections = {},
                             .hidden = cut(evaluation.problem->hidden, T),
                             .settings = {.num_heads = 1, .mask = inputs.mask, .scale = Scale::sqrt}};
    std::vector<HeadDimStep> steps;
    if (inputs.init == Init::none) {
        for (const int heads : legal_num_heads(inputs.d_in)) {  // the first of this many heads
            problem.settings.num_heads = heads;
            steps.insert(steps.begin(), step_of(problem));
        }
        return steps;
    }
    for (const int head_dim : kHeadDims) {
        problem.projections = make_projections(inputs.init, inputs.seed,
                                               {.d_in = inputs.d_in,
                                                .d_out = head_dim,
                                                .bias = inputs.bias,
                                                .query_latent = inputs.query_latent,
                                                .latent = inputs.latent});
        steps.push_back(step_of(problem));
    }
    return steps;
}

ScaleSpreads vary_scale(const Evaluation& evaluation, int head, int row) {
    ATTN_CHECK(!evaluation.is_empty(), "an empty sentence has no weights");
    const AttentionProblem& problem = *evaluation.problem;
    const Vector scores = stage_row(problem, evaluation.trace, TensorId::scores, head, row);
    const auto spread_with = [&](Scale scale) {
        AttentionSettings settings = problem.settings;
        settings.scale = scale;
        const double divisor = static_cast<double>(score_divisor(settings, problem.head_dim()));
        std::vector<double> visible;
        for (int j = 0; j < problem.num_tokens(); ++j) {
            if (problem.hidden(row, j) == 0) visible.push_back(static_cast<double>(scores(j)) / divisor);
        }
        const double row_max = *std::max_element(visible.begin(), visible.end());
        double row_sum = 0;
        for (const double score : visible) row_sum += portable::exp(score - row_max);
        std::vector<float> weights;
        for (const double score : visible)
            weights.push_back(static_cast<float>(portable::exp(score - row_max) / row_sum));
        return spread_of(weights);
    };
    return {.sqrt = spread_with(Scale::sqrt), .none = spread_with(Scale::none), .dim = spread_with(Scale::dim)};
}

}  // namespace attn
