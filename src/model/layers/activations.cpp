// Plain sums in the order written, in double.
#include "model/layers/activations.h"

#include <array>
#include <cmath>

#include "core/attention/rms_norm.h"
#include "core/ground/check.h"
#include "core/ground/portable_exp.h"
#include "core/ground/portable_math.h"

namespace attn {
namespace {

constexpr double kRootOfTwoOverPi = 0x1.9884533d43651p-1;
constexpr double kOneOverRootOfTwoPi = 0.39894228040143267794;

// Where normal_share is known; between them it goes by its derivatives. Beyond the last it is 0 or 1 to 1e-17.
constexpr int kPointsAUnit = 8;
constexpr int kLastUnit = 9;
constexpr int kNumPoints = 2 * kLastUnit * kPointsAUnit + 1;

// What gelu_tanh divides by is 1 + e to this.
double gelu_exponent(double x) {
    return -2 * (kRootOfTwoOverPi * (x + 0.044715 * x * x * x));
}

// The first numbers, in whole blocks, to the same bits as one by one. Returns how many.
std::size_t gelu_in_blocks(std::span<float> hidden) {
    constexpr std::size_t kBlock = 8;
    constexpr float kMost = 1e4F;  // beyond lie infinities, too
    std::size_t done = 0;
    for (; done + kBlock <= hidden.size(); done += kBlock) {
        const std::span<float> block = hidden.subspan(done, kBlock);
        std::array<double, kBlock> x, exponentials;
        bool is_usual = true;
        for (std::size_t k = 0; k < kBlock; ++k) {
            x[k] = static_cast<double>(block[k]);
            exponentials[k] = gelu_exponent(x[k]);
            is_usual = is_usual && std::abs(block[k]) < kMost;
        }
        if (!is_usual) {
            for (float& one : block) one = static_cast<float>(gelu_tanh(static_cast<double>(one)));
            continue;
        }
        portable::exp_of_each(exponentials);
        for (std::size_t k = 0; k < kBlock; ++k) block[k] = static_cast<float>(x[k] / (1 + exponentials[k]));
    }
    return done;
}

double normal_density(double x) {
    return kOneOverRootOfTwoPi * portable::exp(-x * x / 2);
}

// 1/2 + density * (x + x^3 / 3 + x^5 / (3 * 5) + ...), all terms of one sign (Abramowitz and Stegun 26.2.11).
double normal_share_by_series(double x) {
    double term = x, sum = x;
    for (int n = 3; std::abs(term) > 1e-18 * std::abs(sum); n += 2) {
        term *= x * x / n;
        sum += term;
    }
    return 0.5 + normal_density(x) * sum;
}

std::array<double, kNumPoints> make_points() {
    std::array<double, kNumPoints> points = {};
    for (int i = 0; i < kNumPoints; ++i)
        points[static_cast<std::size_t>(i)] = normal_share_by_series(static_cast<double>(i) / kPointsAUnit - kLastUnit);
    return points;
}

}  // namespace

double gelu_tanh(double x) {
    // 1/2 (1 + tanh u) is 1 / (1 + e^(-2u)).
    const double divisor = 1 + portable::exp(gelu_exponent(x));
    return std::isinf(divisor) ? 0.0 * x : x / divisor;
}

double normal_share(double x) {
    static const std::array<double, kNumPoints> kPoints = make_points();
    if (!(std::abs(x) < kLastUnit)) return std::isnan(x) ? x : x > 0 ? 1.0 : 0.0;
    const double nearest = std::floor(x * kPointsAUnit + 0.5) / kPointsAUnit;
    const double h = x - nearest;  // at most 1/16
    // Taylor: the derivatives are the density times Hermite's polynomials, H(n+1) = -x H(n) - n H(n-1).
    double before = 0, polynomial = 1, power = h, sum = 0;
    for (int n = 0; n < 10; ++n) {
        sum += polynomial * power;
        const double next = -nearest * polynomial - n * before;
        before = polynomial;
        polynomial = next;
        power *= h / (n + 2);
    }
    const auto point = static_cast<std::size_t>((nearest + kLastUnit) * kPointsAUnit);
    return kPoints[point] + normal_density(nearest) * sum;
}

double silu(double x) {
    const double divisor = 1 + portable::exp(-x);
    return std::isinf(divisor) ? 0.0 * x : x / divisor;
}

double activated(Activation activation, double x) {
    switch (activation) {
        case Activation::gelu_tanh:
            return gelu_tanh(x);
        case Activation::gelu_exact:
            return x * normal_share(x);
        case Activation::relu:
            return x < 0 ? 0 : x;
        case Activation::silu:
            return silu(x);
    }
    fail_check(__FILE__, __LINE__, "no such activation");
}

void activate(Activation activation, std::span<float> hidden, std::span<const float> gate) {
    ATTN_CHECK(gate.empty() || gate.size() == hidden.size(), "the gate has ", gate.size(), " numbers, want ",
               hidden.size());
    const bool is_plain_gelu = activation == Activation::gelu_tanh && gate.empty();
    for (std::size_t i = is_plain_gelu ? gelu_in_blocks(hidden) : 0; i < hidden.size(); ++i) {
        const auto x = static_cast<double>(hidden[i]);
        hidden[i] = static_cast<float>(gate.empty() ? activated(activation, x)
                                                    : activated(activation, static_cast<double>(gate[i])) * x);
    }
}

NormScale norm_scale(NormKind kind, std::span<const float> row, double eps) {
    if (kind == NormKind::none) return {};
    if (kind == NormKind::rms) return {.mean = 0, .scale = 1 / rms_of(row, eps)};
    const auto size = static_cast<double>(row.size());
    NormScale result;
    for (const float x : row) result.mean += static_cast<double>(x);
    result.mean /= size;
    double squares = 0;
    for (const float x : row) {
        const double distance = static_cast<double>(x) - result.mean;
        squares += distance * distance;
    }
    result.scale = 1 / std::sqrt(squares / size + eps);
    return result;
}

void normalize(NormKind kind, double eps, std::span<const float> row, std::span<const float> weight,
               std::span<const float> bias, std::span<float> out) {
    const NormScale by = norm_scale(kind, row, eps);
    for (std::size_t c = 0; c < row.size(); ++c) {
        float y =
            kind == NormKind::none ? row[c] : static_cast<float>((static_cast<double>(row[c]) - by.mean) * by.scale);
        if (!weight.empty()) y *= weight[c];
        if (!bias.empty()) y += bias[c];
        out[c] = y;
    }
}

Matrix norm_rows(const ModelConfig& config, const NormWeights& weights, const Matrix& x) {
    if (config.norm == NormKind::none) return x;
    Matrix out = unset<Matrix>(x.shape(0), x.shape(1));
    const std::vector<float> weight = weights.weights(), bias = numbers_of(weights.bias);
    for (int i = 0; i < length(x, 0); ++i)
        normalize(config.norm, config.norm_eps, row_of(x, i), weight, bias, row_of(out, i));
    return out;
}

}  // namespace attn
