// Every double is a whole number times a power of two, so it has finitely many decimal digits: all of them are
// written out, at most 767 significant ones, and then rounded as on paper. What the screen shows, floats with
// a few decimals, is rounded in one 64-bit word instead, in an eighth of the time. Reading uses long division.
#include "core/ground/decimal.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "core/ground/fail_check.h"

namespace attn {
namespace {

// ATTN_CHECK writes its numbers with this file, so it cannot be used here. A failing check names its line alone.
void require(bool holds, int line) {
    if (!holds) fail_check(__FILE__, line, {});
}

constexpr int kBitsOfDouble = std::numeric_limits<double>::digits;  // 53
constexpr int kLimbBits = 32;
constexpr int kChunk = 9;  // decimal digits that fit into a limb
constexpr std::uint32_t kChunkSize = 1'000'000'000;

// A whole number, the lowest limb first.
using Limbs = std::vector<std::uint32_t>;

// mantissa · 2^shift; `shift` at least 0.
Limbs shifted(std::uint64_t mantissa, int shift) {
    Limbs limbs(static_cast<std::size_t>(shift / kLimbBits), 0);
    const int bits = shift % kLimbBits;
    const std::uint64_t low = mantissa << bits;
    limbs.push_back(static_cast<std::uint32_t>(low));
    limbs.push_back(static_cast<std::uint32_t>(low >> kLimbBits));
    limbs.push_back(bits == 0 ? 0 : static_cast<std::uint32_t>(mantissa >> (2 * kLimbBits - bits)));
    return limbs;
}

bool is_zero(const Limbs& limbs) {
    return std::all_of(limbs.begin(), limbs.end(), [](std::uint32_t limb) { return limb == 0; });
}

// Divides by 10^9 and returns the remainder.
std::uint32_t take_chunk(Limbs& limbs) {
    std::uint64_t rest = 0;
    for (std::size_t i = limbs.size(); i-- > 0;) {
        const std::uint64_t part = rest << kLimbBits | limbs[i];
        limbs[i] = static_cast<std::uint32_t>(part / kChunkSize);
        rest = part % kChunkSize;
    }
    while (!limbs.empty() && limbs.back() == 0) limbs.pop_back();
    return static_cast<std::uint32_t>(rest);
}

// Of a fraction limbs / 2^(32 · size): multiplies by 10^9 and returns what comes before the point.
std::uint32_t next_chunk(Limbs& limbs) {
    std::uint64_t carry = 0;
    for (std::uint32_t& limb : limbs) {
        const std::uint64_t product = std::uint64_t{limb} * kChunkSize + carry;
        limb = static_cast<std::uint32_t>(product);
        carry = product >> kLimbBits;
    }
    return static_cast<std::uint32_t>(carry);
}

// "000000042".
std::string chunk_text(std::uint32_t chunk) {
    std::string text(kChunk, '0');
    for (int i = kChunk - 1; i >= 0; --i, chunk /= 10)
        text[static_cast<std::size_t>(i)] = static_cast<char>('0' + chunk % 10);
    return text;
}

// The digits of mantissa · 2^shift, a number without fraction.
std::string whole_digits(std::uint64_t mantissa, int shift) {
    Limbs limbs = shifted(mantissa, shift);
    std::string digits;
    while (!is_zero(limbs)) digits.insert(0, chunk_text(take_chunk(limbs)));
    return digits;
}

// The digits after the point of part / 2^bits, a number below 1.
std::string fraction_digits(std::uint64_t part, int bits) {
    const int num_limbs = (bits + kLimbBits - 1) / kLimbBits;
    Limbs limbs = shifted(part, num_limbs * kLimbBits - bits);
    limbs.resize(static_cast<std::size_t>(num_limbs));
    std::string digits;
    while (!is_zero(limbs)) digits += chunk_text(next_chunk(limbs));
    return digits;
}

// mantissa · 2^shift.
struct Binary {
    std::uint64_t mantissa;
    int shift;
};

Binary binary(double value) {
    int exponent = 0;
    const double fraction = std::frexp(value, &exponent);  // 0.5 to 1
    return {static_cast<std::uint64_t>(std::ldexp(fraction, kBitsOfDouble)), exponent - kBitsOfDouble};
}

// value · 10^decimals rounded to a whole number, if everything on the way fits 64 bits.
std::optional<std::uint64_t> rounded_product(double value, int decimals) {
    auto [mantissa, shift] = binary(value);
    const int zeros = std::countr_zero(mantissa);
    if (decimals < 0 || zeros == 64) return std::nullopt;
    mantissa >>= zeros;
    shift += zeros;
    for (int i = 0; i < decimals; ++i, ++shift) {  // 10 is 5 · 2
        if (mantissa > std::numeric_limits<std::uint64_t>::max() / 5) return std::nullopt;
        mantissa *= 5;
    }
    if (shift >= 0) return shift <= std::countl_zero(mantissa) ? std::optional(mantissa << shift) : std::nullopt;
    if (shift <= -64) return std::nullopt;
    const std::uint64_t whole = mantissa >> -shift;
    const std::uint64_t rest = mantissa - (whole << -shift);
    const std::uint64_t half = std::uint64_t{1} << (-shift - 1);
    return whole + (rest > half || (rest == half && whole % 2 == 1) ? 1 : 0);
}

// All digits of a finite number that is not negative, without zeros at either end; none for 0.
Digits exact_digits(double value) {
    if (value == 0) return {"", 0};
    const auto [mantissa, shift] = binary(value);
    std::string digits;
    int point = 0;
    if (shift >= 0) {
        digits = whole_digits(mantissa, shift);
        point = static_cast<int>(digits.size());
    } else {
        const std::uint64_t whole = -shift < 64 ? mantissa >> -shift : 0;
        digits = whole_digits(whole, 0);
        point = static_cast<int>(digits.size());
        digits += fraction_digits(-shift < 64 ? mantissa - (whole << -shift) : mantissa, -shift);
    }
    const std::size_t zeros = digits.find_first_not_of('0');
    digits.erase(0, zeros);
    digits.erase(digits.find_last_not_of('0') + 1);
    return {digits, point - static_cast<int>(zeros)};
}

// The number of 10^(digits - count) that is one larger: "0.199" becomes "0.200".
void add_one(Digits& number) {
    std::string& digits = number.digits;
    const std::size_t nines = digits.find_last_not_of('9');
    if (nines == digits.npos) {
        digits.assign(1, '1');
        ++number.point;
    } else {
        digits.erase(nines + 1);
        ++digits[nines];
    }
}

// Whether the digits from `count` on are more than half of the digit before, or exactly half and that one is odd.
bool rounds_up(const std::string& digits, int count) {
    if (count < 0 || count >= static_cast<int>(digits.size())) return false;
    const auto at = static_cast<std::size_t>(count);
    const bool is_half = digits[at] == '5' && at + 1 == digits.size();
    if (is_half) return at > 0 && (digits[at - 1] - '0') % 2 == 1;
    return digits[at] >= '5';
}

// Keeps `count` significant digits, fewer if the others are zeros. With 0 of them, what is left is nothing or 1.
Digits rounded(Digits number, int count) {
    const bool is_up = rounds_up(number.digits, count);
    if (count < static_cast<int>(number.digits.size()))
        number.digits.resize(static_cast<std::size_t>(std::max(count, 0)));
    if (is_up) add_one(number);
    return number;
}

// The digits from place `first` to place `last` (not included), counted from the first digit there is; zeros around
// them.
std::string digits_from(const Digits& number, int first, int last) {
    std::string text;
    for (int i = first; i < last; ++i) {
        const bool is_there = i >= 0 && i < static_cast<int>(number.digits.size());
        text += is_there ? number.digits[static_cast<std::size_t>(i)] : '0';
    }
    return text;
}

// limbs · factor + addend.
void multiply_add(Limbs& limbs, std::uint32_t factor, std::uint32_t addend) {
    std::uint64_t carry = addend;
    for (std::uint32_t& limb : limbs) {
        carry += std::uint64_t{limb} * factor;
        limb = static_cast<std::uint32_t>(carry);
        carry >>= kLimbBits;
    }
    if (carry != 0) limbs.push_back(static_cast<std::uint32_t>(carry));
}

// The whole number of these digits, the first of which is not 0.
Limbs limbs_of(std::string_view digits) {
    Limbs limbs;
    while (!digits.empty()) {
        std::uint32_t factor = 1, chunk = 0;
        for (const char digit : digits.substr(0, kChunk)) {
            factor *= 10;
            chunk = chunk * 10 + static_cast<std::uint32_t>(digit - '0');
        }
        multiply_add(limbs, factor, chunk);
        digits.remove_prefix(std::min<std::size_t>(kChunk, digits.size()));
    }
    return limbs;
}

void multiply_by_power_of_10(Limbs& limbs, int power) {
    for (; power >= kChunk; power -= kChunk) multiply_add(limbs, kChunkSize, 0);
    for (; power > 0; --power) multiply_add(limbs, 10, 0);
}

void shift_left(Limbs& limbs, int bits) {
    constexpr int kAtOnce = kLimbBits - 1;
    for (; bits > 0; bits -= kAtOnce) multiply_add(limbs, std::uint32_t{1} << std::min(bits, kAtOnce), 0);
}

// Below, the highest limb is never 0.
int count_bits(const Limbs& limbs) {
    return static_cast<int>(limbs.size()) * kLimbBits - std::countl_zero(limbs.back());
}

bool is_less(const Limbs& left, const Limbs& right) {
    if (left.size() != right.size()) return left.size() < right.size();
    return std::lexicographical_compare(left.rbegin(), left.rend(), right.rbegin(), right.rend());
}

// left -= right, which is not larger.
void subtract(Limbs& left, const Limbs& right) {
    std::int64_t rest = 0;
    for (std::size_t i = 0; i < left.size(); ++i) {
        rest += std::int64_t{left[i]} - (i < right.size() ? right[i] : 0);
        left[i] = static_cast<std::uint32_t>(rest);
        rest >>= kLimbBits;
    }
    while (!left.empty() && left.back() == 0) left.pop_back();
}

// The double nearest to top / bottom, both above 0: binary long division, a bit at a time.
double nearest_quotient(Limbs top, Limbs bottom) {
    constexpr int kLowest =
        std::numeric_limits<double>::min_exponent - kBitsOfDouble;  // 2^-1074 is the smallest double
    int power = count_bits(top) - count_bits(bottom);
    shift_left(power >= 0 ? bottom : top, std::abs(power));
    if (is_less(top, bottom)) {
        shift_left(top, 1);
        --power;
    }
    // The quotient is 2^power to 2^(power + 1).
    const int num_bits = std::min(kBitsOfDouble, power - kLowest + 1);  // fewer below the smallest normal double
    if (num_bits < 0) return 0;
    std::uint64_t mantissa = 0;
    for (int bit = 0; bit < num_bits; ++bit) {
        mantissa <<= 1;
        if (!is_less(top, bottom)) {
            subtract(top, bottom);
            ++mantissa;
        }
        shift_left(top, 1);
    }
    if (is_less(bottom, top) || (top == bottom && mantissa % 2 == 1)) ++mantissa;
    return std::ldexp(static_cast<double>(mantissa), power - num_bits + 1);
}

// By one loop and not by std::to_string, which has another function for each length: the page's first picture would
// have to know all lengths beforehand (tools/split.mjs).
std::string digits_of(std::uint64_t whole) {
    std::string text;
    do {
        text.insert(text.begin(), static_cast<char>('0' + whole % 10));
        whole /= 10;
    } while (whole > 0);
    return text;
}

}  // namespace

std::string general_text(double value) {
    constexpr int kDigits = kGeneralDigits;
    const std::string sign = std::signbit(value) ? "-" : "";
    if (std::isnan(value)) return sign + "nan";
    if (std::isinf(value)) return sign + "inf";
    if (value == 0) return sign + "0";
    Digits number = rounded(exact_digits(std::abs(value)), kDigits);
    number.digits.erase(number.digits.find_last_not_of('0') + 1);
    const int count = static_cast<int>(number.digits.size());
    const int exponent = number.point - 1;
    if (exponent >= -4 && exponent < kDigits)
        return sign + fixed_text(std::abs(value), std::max(count - number.point, 0));
    if (count > 1) number.digits.insert(1, ".");
    const std::string size = std::to_string(std::abs(exponent));
    return sign + number.digits + (exponent < 0 ? "e-" : "e+") + (size.size() < 2 ? "0" : "") + size;
}

std::string fixed_text(double value, int decimals) {
    require(std::isfinite(value) && value >= 0 && decimals >= 0, __LINE__);
    if (const std::optional<std::uint64_t> whole = rounded_product(value, decimals)) {
        std::string text = digits_of(*whole);
        const auto num_after = static_cast<std::size_t>(decimals);
        if (text.size() <= num_after) text.insert(0, num_after + 1 - text.size(), '0');
        if (decimals > 0) text.insert(text.size() - num_after, 1, '.');
        return text;
    }
    Digits number = exact_digits(value);
    number = rounded(number, number.point + decimals);
    const std::string whole = digits_from(number, std::min(number.point - 1, 0), number.point);  // at least one digit
    return decimals == 0 ? whole : whole + "." + digits_from(number, number.point, number.point + decimals);
}

Scientific scientific(double value, int decimals) {
    require(std::isfinite(value) && value >= 0 && decimals >= 0, __LINE__);
    // The exponent is what the power of two says, or one more.
    constexpr double kLog10Of2 = 0.30102999566398120;
    int exponent = value == 0 ? 0 : static_cast<int>(std::floor(std::ilogb(value) * kLog10Of2));
    while (const std::optional<std::uint64_t> whole = rounded_product(value, decimals - exponent)) {
        std::string text = digits_of(*whole);
        if (text.size() == static_cast<std::size_t>(decimals) + 1) {
            if (decimals > 0) text.insert(1, 1, '.');
            return {text, exponent};
        }
        ++exponent;
    }
    const Digits number = rounded(exact_digits(value), decimals + 1);
    std::string mantissa = digits_from(number, 0, 1);
    if (decimals > 0) mantissa += "." + digits_from(number, 1, decimals + 1);
    return {mantissa, number.digits.empty() ? 0 : number.point - 1};
}

Digits shortest_digits(double value) {
    require(std::isfinite(value) && value > 0, __LINE__);
    // A number of up to 15 digits survives the way through a normal double: if there is one, it is `value` with 15
    // digits.
    constexpr int kSurvive = std::numeric_limits<double>::digits10;
    constexpr int kEnough = std::numeric_limits<double>::max_digits10;
    const Digits exact = exact_digits(value);
    for (int count = value < std::numeric_limits<double>::min() ? 1 : kSurvive; count < kEnough; ++count) {
        Digits near = rounded(exact, count);
        if (nearest_double(near) != value) {
            // Below a power of two the doubles are denser than above, so the number above may read back where the
            // nearest, below, does not.
            near = exact;
            near.digits.resize(static_cast<std::size_t>(count));
            add_one(near);
            if (nearest_double(near) != value) continue;
        }
        near.digits.erase(near.digits.find_last_not_of('0') + 1);
        return near;
    }
    return rounded(exact, kEnough);
}

double nearest_double(const Digits& number) {
    std::string_view digits = number.digits;
    const std::size_t zeros = std::min(digits.find_first_not_of('0'), digits.size());
    digits.remove_prefix(zeros);
    digits = digits.substr(0, digits.find_last_not_of('0') + 1);
    const std::int64_t point = number.point - static_cast<std::int64_t>(zeros);
    if (digits.empty() || point < std::numeric_limits<double>::min_exponent10 - kBitsOfDouble) return 0;
    if (point > std::numeric_limits<double>::max_exponent10 + 1) return std::numeric_limits<double>::infinity();
    std::string cut;
    if (digits.size() > kDecidingDigits) {
        cut = digits.substr(0, kDecidingDigits);
        digits = cut += '1';
    }
    const int exponent = static_cast<int>(point) - static_cast<int>(digits.size());
    // Up to 2^53 and 10^22 both are exact doubles, and one product or quotient is rounded once.
    if (digits.size() <= std::numeric_limits<double>::digits10 && std::abs(exponent) <= 22) {
        std::uint64_t whole = 0;
        for (const char digit : digits) whole = whole * 10 + static_cast<std::uint64_t>(digit - '0');
        double power = 1;
        for (int i = std::abs(exponent); i > 0; --i) power *= 10;
        return exponent < 0 ? static_cast<double>(whole) / power : static_cast<double>(whole) * power;
    }
    Limbs top = limbs_of(digits);
    Limbs bottom = {1};
    multiply_by_power_of_10(exponent >= 0 ? top : bottom, std::abs(exponent));
    return nearest_quotient(std::move(top), std::move(bottom));
}

}  // namespace attn
