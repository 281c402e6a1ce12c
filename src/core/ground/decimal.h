// Decimal digits of binary numbers and back, correctly rounded, ties to the even digit: the same text as std::to_chars
// with a precision, the same number as std::strtod. They are not used because the
// tables of the first are a hundred kilobytes that do not compress, and the second knows locales and, on the web,
// computes with numbers of 128 bits.
#pragma once

#include <cstddef>
#include <string>

namespace attn {

inline constexpr int kGeneralDigits = 6;
// Any number with six significant digits, as printf's %g writes it: "0.25", "1e+06", "-inf", "nan".
std::string general_text(double value);

// `value` finite and not negative, `decimals` at least 0: fixed_text(2.5, 3) is "2.500", fixed_text(2.5, 0) is "2".
std::string fixed_text(double value, int decimals);

// "1.5000" and -6 for 1.5e-6: one digit before the point, `exponent` that of the rounded number; 0 has exponent 0.
struct Scientific {
    std::string mantissa;
    int exponent;
};

// `value` finite and not negative, `decimals` at least 0.
Scientific scientific(double value, int decimals);

// The number with the fewest significant digits that reads back as `value` (finite and positive), of those the nearest:
// the digits, without zeros at the end, and where the point is: "15" and -5 are 0.15e-5.
struct Digits {
    std::string digits;
    int point;  // how many of the digits stand before the point; may be negative, or more than there are
};
Digits shortest_digits(double value);

// What lies between two doubles has at most 767 digits: of more than this many from the first that is not 0 on, only
// counts whether one of the rest is not 0.
inline constexpr std::size_t kDecidingDigits = 800;

// The double nearest to these digits, of which there may be any number, zeros at either end too; infinity beyond the
// largest double.
double nearest_double(const Digits& number);

}  // namespace attn
