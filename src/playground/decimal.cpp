// See decimal.h. Every double is a whole number times a power of two, so its decimal digits end: all of them are
// written out, 767 significant ones at most, and then rounded as one does on paper.
#include "playground/decimal.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <vector>

#include "core/check.h"

namespace attn {
namespace {

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
    std::vector<std::string> chunks;
    while (!is_zero(limbs)) chunks.push_back(chunk_text(take_chunk(limbs)));
    std::string digits;
    for (std::size_t i = chunks.size(); i-- > 0;) digits += chunks[i];
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

// All digits of a finite number that is not negative, without zeros at either end; none for 0.
Digits exact_digits(double value) {
    if (value == 0) return {"", 0};
    int exponent = 0;
    const double fraction = std::frexp(value, &exponent);  // 0.5 to 1
    const auto mantissa = static_cast<std::uint64_t>(std::ldexp(fraction, kBitsOfDouble));
    const int shift = exponent - kBitsOfDouble;
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

// What a reader takes the digits for.
double read_back(const Digits& number) {
    return std::strtod(
        (number.digits + "e" + std::to_string(number.point - static_cast<int>(number.digits.size()))).c_str(), nullptr);
}

}  // namespace

std::string fixed_text(double value, int decimals) {
    ATTN_CHECK(std::isfinite(value) && value >= 0 && decimals >= 0, "fixed_text of ", value, " with ", decimals,
               " decimals");
    Digits number = exact_digits(value);
    number = rounded(number, number.point + decimals);
    const std::string whole = digits_from(number, std::min(number.point - 1, 0), number.point);  // at least one digit
    return decimals == 0 ? whole : whole + "." + digits_from(number, number.point, number.point + decimals);
}

Scientific scientific(double value, int decimals) {
    ATTN_CHECK(std::isfinite(value) && value >= 0 && decimals >= 0, "scientific of ", value, " with ", decimals,
               " decimals");
    const Digits number = rounded(exact_digits(value), decimals + 1);
    std::string mantissa = digits_from(number, 0, 1);
    if (decimals > 0) mantissa += "." + digits_from(number, 1, decimals + 1);
    return {mantissa, number.digits.empty() ? 0 : number.point - 1};
}

Digits shortest_digits(double value) {
    ATTN_CHECK(std::isfinite(value) && value > 0, "shortest_digits of ", value);
    // A number of up to 15 digits survives the way through a normal double: if there is one, it is `value` with 15
    // digits.
    constexpr int kSurvive = std::numeric_limits<double>::digits10;
    constexpr int kEnough = std::numeric_limits<double>::max_digits10;
    const Digits exact = exact_digits(value);
    for (int count = value < std::numeric_limits<double>::min() ? 1 : kSurvive; count < kEnough; ++count) {
        Digits near = rounded(exact, count);
        if (read_back(near) != value) {
            // Below a power of two the doubles are denser than above, so the number above may read back where the
            // nearest, below, does not.
            near = exact;
            near.digits.resize(static_cast<std::size_t>(count));
            add_one(near);
            if (read_back(near) != value) continue;
        }
        near.digits.erase(near.digits.find_last_not_of('0') + 1);
        return near;
    }
    return rounded(exact, kEnough);
}

}  // namespace attn
