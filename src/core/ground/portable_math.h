// Exponential, logarithm, sine, cosine and arc cosine whose last bit is the same on every machine: the C libraries of
// desktops and browsers differ there. Only + - * / and square roots, each rounded as IEEE 754 says, in the order
// written (the build fuses nothing), so a compiler cannot change a result. Knows nothing of attention.
//
// The series are those of Taylor after a reduction of the argument. tests/golden/check_portable_math.py derives the
// split constants, and shows how much each series leaves out; the errors named here are in units in the last place
// (ulp) of a double, the largest found over millions of arguments by its exact arithmetic or against the C library.
#pragma once

namespace attn::portable {

// e^x: off by less than 1 ulp. Too large: infinity; below -745.2: 0. NaN stays NaN.
double exp(double x);

// The hyperbolic tangent: at most 3 ulp. NaN stays NaN.
double tanh(double x);

// The natural logarithm: less than 1 ulp. 0 gives -infinity, less than 0 and NaN give NaN.
double log(double x);

// The logarithm of base 2: at most 2 ulp, and exact for powers of two. 0, negative numbers and NaN as in log.
double log2(double x);

// Sine and cosine of an angle in radians, |angle| <= 2^20 (or NaN, which stays NaN): less than 1 ulp.
double sin(double angle);
double cos(double angle);

// The angle in [0, pi] whose cosine is x, -1 <= x <= 1: at most 2 ulp. NaN stays NaN.
double acos(double x);

// 10000^exponent, 0 <= exponent <= 1, of the exponent as it is: less than 1 ulp.
double power_of_10000(double exponent);

// 10^exponent, -22 <= exponent <= 22: the nearest double.
double power_of_ten(int exponent);

}  // namespace attn::portable
