// Each function reduces its argument exactly, sums a Taylor series of the small rest, and puts the two together.
// A number that no double holds (ln 2, pi/2, ln 10000) is cut into parts with so few bits that the products with them
// are exact; that the parts add up is what check_portable_math.py shows. The exponential's are in portable_exp.h.
#include "core/ground/portable_math.h"

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "core/ground/check.h"
#include "core/ground/portable_exp.h"

namespace attn::portable {
namespace {

// 32 bits and fewer each: exact times any whole number up to 2^20.
constexpr double kHalfPi1 = 0x1.921fb544p+0;
constexpr double kHalfPi2 = 0x1.0b4611a6p-34;
constexpr double kHalfPi3 = 0x1.3198a2ep-69;
constexpr double kHalfPi4 = 0x1.b839a252049c1p-104;
constexpr double kTwoOverPi = 0x1.45f306dc9c883p-1;
constexpr double kHalfPi = 0x1.921fb54442d18p+0;  // to the nearest double, and what is left
constexpr double kHalfPiRest = 0x1.1a62633145c07p-54;
constexpr double kLn10000High = 0x1.26bb1b8p+3;  // 26 bits
constexpr double kLn10000Low = 0x1.daaa8ac16ea57p-24;
constexpr double kMaxAngle = 0x1p20;

// The first kCount coefficients.
template <std::size_t kCount, class Coefficient>
constexpr std::array<double, kCount> series(Coefficient coefficient) {
    std::array<double, kCount> result = {};
    for (std::size_t n = 0; n < kCount; ++n) result[n] = coefficient(static_cast<int>(n));
    return result;
}

constexpr double factorial(int n) {  // exact up to 22!
    double product = 1;
    for (int i = 2; i <= n; ++i) product *= i;
    return product;
}

// (2n)! / (4^n n!^2) = 1/2 * 3/4 * ... * (2n-1)/2n
constexpr double central(int n) {
    double product = 1;
    for (int i = 1; i <= n; ++i) product = product * (2 * i - 1) / (2 * i);
    return product;
}

constexpr double sign(int n) {
    return n % 2 == 0 ? 1 : -1;
}

// 2 artanh(s) = 2s + s^3 (2/3 + 2/5 s^2 + ...), up to s^21
constexpr auto kArtanh = series<10>([](int n) { return 2.0 / (2 * n + 3); });
// sin r = r + r^3 (-1/3! + r^2/5! - ...), up to r^17/17!; cos r = 1 - r^2/2 + r^4 (1/4! - r^2/6! + ...), up to r^18/18!
constexpr auto kSin = series<8>([](int n) { return sign(n + 1) / factorial(2 * n + 3); });
constexpr auto kCos = series<8>([](int n) { return sign(n) / factorial(2 * n + 4); });
// arcsin s = s + s^3 (1/2 / 3 + 3/8 / 5 s^2 + ...), up to s^53
constexpr auto kArcsin = series<26>([](int n) { return central(n + 1) / (2 * n + 3); });

// c[0] + c[1] x + c[2] x^2 + ...
template <std::size_t kCount>
double polynomial(const std::array<double, kCount>& c, double x) {
    double sum = c[kCount - 1];
    for (std::size_t n = kCount - 1; n-- > 0;) sum = sum * x + c[n];
    return sum;
}

int nearest_whole(double x) {
    return static_cast<int>(x < 0 ? x - 0.5 : x + 0.5);
}

// 2^exponent, -1022 <= exponent <= 1023.
double power_of_two(int exponent) {
    return std::bit_cast<double>(static_cast<std::uint64_t>(exponent + 1023) << 52);
}

// e^(high + low), |high| < 750, |low| < 2^-20.
double exp_of_sum(double high, double low) {
    const int n = nearest_whole(high * kOneOverLn2);
    const double rest = high - n * kLn2High;  // exact: both are near, and have bits to spare
    const double less = n * kLn2Low - low;
    const double r = rest - less;           // |r| <= ln(2) / 2, rounded
    const double tail = (rest - r) - less;  // what the rounding took
    const double value = 1 + (r + (r * r * polynomial(kExp, r) + tail));
    return value * power_of_two(n / 2) * power_of_two(n - n / 2);  // the last product alone may round, or overflow
}

// x = 2^exponent * mantissa, sqrt(1/2) <= mantissa < sqrt(2). x > 0, finite.
struct Parts {
    int exponent = 0;
    double mantissa = 1;
};

Parts parts_of(double x) {
    constexpr std::uint64_t kRootOfHalf = 0x3fe6a09e667f3bcdU;
    const bool is_tiny = x < std::numeric_limits<double>::min();
    const std::uint64_t bits = std::bit_cast<std::uint64_t>(is_tiny ? x * 0x1p54 : x);
    const auto exponent = static_cast<std::int64_t>(bits - kRootOfHalf) >> 52;
    const double mantissa = std::bit_cast<double>(bits - (static_cast<std::uint64_t>(exponent) << 52));
    return {static_cast<int>(exponent) - (is_tiny ? 54 : 0), mantissa};
}

// What log and log2 give where there is no finite logarithm: zero, less, infinity, NaN.
bool has_logarithm(double x) {
    return x > 0 && x <= std::numeric_limits<double>::max();
}
double odd_logarithm(double x) {
    if (x == 0) return -std::numeric_limits<double>::infinity();
    return x < 0 ? std::numeric_limits<double>::quiet_NaN() : x;
}

// exponent * ln 2 + ln(1 + f), with s = f / (2 + f): ln(1 + f) = 2 artanh(s) = 2s + s R, and 2s = f - s f
// = f - (f^2/2 - s f^2/2). So f, which is exact, is the first and largest term.
double log_of_parts(int exponent, double mantissa) {
    const double f = mantissa - 1;  // exact
    const double s = f / (2 + f);
    const double r = s * s * polynomial(kArtanh, s * s);
    const double half_square = 0.5 * f * f;
    return exponent * kLn2High - ((half_square - (s * (half_square + r) + exponent * kLn2Low)) - f);
}

// angle = quarter * pi/2 + rest + tail, |rest| <= pi/4 and a little.
struct Turn {
    int quarter = 0;
    double rest = 0, tail = 0;
};

// a + b = sum + error, exactly (Knuth 1969).
struct ExactSum {
    double sum, error;
    ExactSum(double a, double b) : sum(a + b) {
        const double b_part = sum - a;
        error = (a - (sum - b_part)) + (b - b_part);
    }
};

Turn turn_of(double angle) {
    ATTN_CHECK(!(std::abs(angle) > kMaxAngle), "angle is ", angle, ", want at most 2^20");
    if (!(std::abs(angle) > 0x1.921fb5p-1)) return {0, angle, 0};  // below pi/4, or NaN
    const int n = nearest_whole(angle * kTwoOverPi);
    const double first = angle - n * kHalfPi1;  // exact
    const ExactSum second(first, -(n * kHalfPi2));
    const ExactSum third(second.sum, -(n * kHalfPi3));
    const double low = (second.error + third.error) - n * kHalfPi4;
    const double rest = third.sum + low;
    return {n, rest, (third.sum - rest) + low};
}

double sin_of_rest(const Turn& turn) {
    const double r = turn.rest;
    const double square = r * r;
    return r + (r * square * polynomial(kSin, square) + turn.tail * (1 - 0.5 * square));
}

double cos_of_rest(const Turn& turn) {
    const double square = turn.rest * turn.rest;
    const double half = 0.5 * square;
    const double first = 1 - half;
    const double rounding = (1 - first) - half;
    return first + (rounding + (square * square * polynomial(kCos, square) - turn.rest * turn.tail));
}

// arcsin(s) - s, for s^2 = square <= 1/4.
double arcsin_beyond(double s, double square) {
    return s * square * polynomial(kArcsin, square);
}

}  // namespace

double exp(double x) {
    if (x > 710) return std::numeric_limits<double>::infinity();
    if (x < -746) return 0;
    return x == x ? exp_of_sum(x, 0) : x;
}

double tanh(double x) {
    const double twice = 2 * std::abs(x);
    if (twice > 40) return x < 0 ? -1 : 1;
    // e^twice - 1: where that is small, without the 1 that would round it.
    const bool is_small = twice < kLn2High / 2;
    const double beyond_one = is_small ? twice + twice * twice * polynomial(kExp, twice) : exp(twice) - 1;
    const double size = beyond_one / (beyond_one + 2);
    return x < 0 ? -size : size;
}

double log(double x) {
    if (!has_logarithm(x)) return odd_logarithm(x);
    const Parts parts = parts_of(x);
    return log_of_parts(parts.exponent, parts.mantissa);
}

double log2(double x) {
    if (!has_logarithm(x)) return odd_logarithm(x);
    const Parts parts = parts_of(x);
    return parts.exponent + log_of_parts(0, parts.mantissa) * kOneOverLn2;
}

double sin(double angle) {
    const Turn turn = turn_of(angle);
    const double value = turn.quarter % 2 == 0 ? sin_of_rest(turn) : cos_of_rest(turn);
    return (turn.quarter & 2) == 0 ? value : -value;
}

double cos(double angle) {
    const Turn turn = turn_of(angle);
    const double value = turn.quarter % 2 == 0 ? cos_of_rest(turn) : sin_of_rest(turn);
    return ((turn.quarter + 1) & 2) == 0 ? value : -value;
}

double acos(double x) {
    ATTN_CHECK(!(std::abs(x) > 1), "x is ", x, ", want -1 to 1");
    if (std::abs(x) <= 0.5) return kHalfPi - (x - (kHalfPiRest - arcsin_beyond(x, x * x)));
    const double square = (1 - std::abs(x)) / 2;  // of the sine of half the angle; exact
    const double s = std::sqrt(square);
    const double half = s + arcsin_beyond(s, square);
    return x < 0 ? 2 * (kHalfPi - (half - kHalfPiRest)) : 2 * half;
}

double power_of_10000(double exponent) {
    ATTN_CHECK(exponent >= 0 && exponent <= 1, "exponent is ", exponent, ", want 0 to 1");
    constexpr std::uint64_t kUpper26Bits = ~((std::uint64_t{1} << 27) - 1);
    const double upper = std::bit_cast<double>(std::bit_cast<std::uint64_t>(exponent) & kUpper26Bits);
    const double lower = exponent - upper;
    const double low = upper * kLn10000Low + lower * (kLn10000High + kLn10000Low);
    return exp_of_sum(upper * kLn10000High, low);
}

double power_of_ten(int exponent) {
    ATTN_CHECK(exponent >= -22 && exponent <= 22, "exponent is ", exponent, ", want -22 to 22");
    double power = 1;
    for (int i = 0; i < std::abs(exponent); ++i) power *= 10;  // exact
    return exponent < 0 ? 1 / power : power;
}

}  // namespace attn::portable
