// Decimal digits of binary numbers, correctly rounded, ties to the even digit: the same text as std::to_chars with a
// precision. Why not that one: its tables are a hundred kilobytes that no packer makes smaller, a third of the page.
// Knows no signs, infinities or NaN.
#pragma once

#include <string>

namespace attn {

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

}  // namespace attn
