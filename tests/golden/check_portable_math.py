#!/usr/bin/env python3
"""Checks src/core/ground/portable_math.cpp against exact arithmetic: that its split constants add up to ln 2, pi/2 and ln 10000,
and have so few bits that products are exact; that what each Taylor series leaves out is far below the last bit; that so is
what the polynomial of simd_exp.h leaves out of a float. And the golden file beside it: arguments with the doubles
nearest to the true values.

    check_portable_math.py           check; exit 1 and name the first thing that is wrong
    check_portable_math.py --write   write portable_math.txt, then check
"""

import random
import re
import struct
import sys
from decimal import Decimal, getcontext
from fractions import Fraction
from math import exp, factorial, log
from pathlib import Path

FOLDER = Path(__file__).parent
GOLDEN = FOLDER / "portable_math.txt"
SOURCE = FOLDER / "../../src/core/ground/portable_math.cpp"
EXPONENTIAL = FOLDER / "../../src/core/ground/portable_exp.h"
KERNELS = FOLDER / "../../src/core/kernels/simd_exp.h"
getcontext().prec = 100
TINY = Fraction(1, 10**90)


# --- true values ---------------------------------------------------------------------------------------------------------


def series(first, square, divisor):
    """first/divisor(0) + first*square/divisor(1) + first*square^2/divisor(2) + ..."""
    total, power, n = Fraction(0), Fraction(first), 0
    while abs(power) > TINY:
        total += power / divisor(n)
        power = cut(power * square)
        n += 1
    return total


def cut(x):
    """To 110 decimals, so that fractions stay short."""
    return Fraction(round(x * 10**110), 10**110)


def artanh(x):
    return series(x, x * x, lambda n: 2 * n + 1)


def arctan(x):
    return series(x, -x * x, lambda n: 2 * n + 1)


PI = 16 * arctan(Fraction(1, 5)) - 4 * arctan(Fraction(1, 239))  # Machin 1706
LN_2 = 2 * artanh(Fraction(1, 3))
LN_10000 = 12 * LN_2 + 8 * artanh(Fraction(1, 9))  # 10 = 8 * (1 + 1/9) / (1 - 1/9)


def decimal(x):
    return Decimal(x.numerator) / Decimal(x.denominator)


def exact_exp(x):
    return Fraction(decimal(x).exp())


def exact_log(x):
    return Fraction(decimal(x).ln())


def exact_sin(x):
    rest = cut(x - round(x / (2 * PI)) * 2 * PI)
    total, term, n = Fraction(0), rest, 1
    while abs(term) > TINY:
        total += term
        term = cut(-term * rest * rest / ((n + 1) * (n + 2)))
        n += 2
    return total


def exact_acos(x):
    if x < 0:
        return PI - exact_acos(-x)
    if x == 1:
        return Fraction(0)
    tangent = Fraction(((1 - decimal(x)) / (1 + decimal(x))).sqrt())  # of half the angle
    halvings = 0
    while tangent > Fraction(1, 4):
        tangent = cut(Fraction(((1 + decimal(tangent) ** 2).sqrt() - 1) / decimal(tangent)))
        halvings += 1
    return 2 ** (halvings + 1) * arctan(tangent)


TRUE_VALUE = {
    "exp": exact_exp,
    "log": exact_log,
    "log2": lambda x: exact_log(x) / LN_2,
    "sin": exact_sin,
    "cos": lambda x: exact_sin(x + PI / 2),
    "acos": exact_acos,
    "power_of_10000": lambda x: exact_exp(x * LN_10000),
    "tanh": lambda x: 1 - 2 / (exact_exp(2 * x) + 1),
}


# --- the golden file -----------------------------------------------------------------------------------------------------


def arguments():
    """(function, argument): the ranges the program uses, the borders of the reductions, the hardest cases known."""
    generator = random.Random(20)
    for _ in range(120):
        yield "exp", generator.uniform(-30, 0)
        yield "exp", generator.uniform(-700, 700)
        yield "log", generator.random()
        yield "log2", generator.random()
        yield "log", generator.uniform(0.99, 1.01)
        yield "sin", generator.uniform(0, 6.2832)
        yield "cos", generator.uniform(0, 6.2832)
        yield "sin", generator.uniform(-(2**20), 2**20)
        yield "cos", generator.uniform(-(2**20), 2**20)
        yield "acos", generator.uniform(-1, 1)
        yield "power_of_10000", generator.random()
    for exponent in (-1074, -1030, -500, -60, -1, 1, 60, 1023):
        yield "log", 2.0**exponent * 1.25
        yield "log2", 2.0**exponent
    for quarter in (1, 2, 3, 4, 5, 711, 10000, 600001):  # where sine or cosine is nearly 0
        angle = float(quarter * PI / 2)
        yield "sin", angle
        yield "cos", angle
    for x in (-1.0, -0.5, 0.5, 1.0 - 2**-53):
        yield "acos", x
    for c in range(0, 768, 64):
        yield "power_of_10000", c / 768
    yield "exp", 2.0**-40
    yield "sin", 2.0**-40
    for _ in range(120):
        yield "tanh", generator.uniform(-20, 20)
        yield "tanh", generator.uniform(-1, 1)
        yield "tanh", generator.uniform(-0.01, 0.01)
    for x in (2.0**-40, -(2.0**-40), float(LN_2 / 4), float(LN_2 / 4) - 2.0**-54, float(LN_2 / 4) + 2.0**-54, 19.9, 20.1):
        yield "tanh", x


def golden_lines():
    return [f"{name} {x.hex()} {float(TRUE_VALUE[name](Fraction(x))).hex()}\n" for name, x in arguments()]


# --- the source ----------------------------------------------------------------------------------------------------------


def require(is_right, sentence):
    if not is_right:
        sys.exit(f"check_portable_math.py: {sentence}")


def num_bits(x):
    """From the highest to the lowest bit that is set."""
    numerator = Fraction(x).numerator
    return (numerator // (numerator & -numerator)).bit_length()


def check_constants(code):
    found = {name: float.fromhex(text) for name, text in re.findall(r"double (k\w+) = (0x[0-9a-f.]+p[+-]\d+);", code)}
    parts = {
        "ln 2": (LN_2, ["kLn2High", "kLn2Low"], 1, 42),  # exponents of doubles: 11 bits
        "pi/2": (PI / 2, ["kHalfPi1", "kHalfPi2", "kHalfPi3", "kHalfPi4"], 3, 33),  # quarters: 20 bits
        "pi/2 in two": (PI / 2, ["kHalfPi", "kHalfPiRest"], 0, 53),
        "ln 10000": (LN_10000, ["kLn10000High", "kLn10000Low"], 1, 26),  # the upper half of an exponent: 26 bits
        "1 / ln 2": (1 / LN_2, ["kOneOverLn2"], 0, 53),
        "2 / pi": (2 / PI, ["kTwoOverPi"], 0, 53),
    }
    for what, (value, names, num_exact, most_bits) in parts.items():
        rest = value
        for i, name in enumerate(names):
            require(name in found, f"neither portable_math.cpp nor portable_exp.h has {name}")
            part = found[name]
            if i < num_exact:
                require(num_bits(part) <= most_bits, f"{name} has {num_bits(part)} bits, want at most {most_bits}")
            if i == len(names) - 1:
                require(float(rest) == part, f"{name} is {part.hex()}, the rest of {what} is {float(rest).hex()}")
            rest -= Fraction(part)


def central(n):
    return Fraction(factorial(2 * n), 4**n * factorial(n) ** 2)


def check_series(code):
    """The first term that is left out, over the smallest result it is added to, in ulp (at least 2^-53 of the result)."""
    count = {name: int(number) for name, number in re.findall(r"auto (k\w+) = series<(\d+)>", code)}
    exponential = re.search(r"kExp = .*?array<double, (\d+)>", code, re.DOTALL)
    require(exponential, "portable_exp.h has no kExp")
    count["kExp"] = int(exponential[1])
    half_ln_2, s, quarter = LN_2 / 2, Fraction(1716, 10000), PI / 4
    left_out = {
        "kExp": half_ln_2 ** (count["kExp"] + 2) / factorial(count["kExp"] + 2) / exact_exp(-half_ln_2),
        "kArtanh": s ** (2 * count["kArtanh"] + 2) / (2 * count["kArtanh"] + 3),  # over 2s
        "kSin": quarter ** (2 * count["kSin"] + 2) / factorial(2 * count["kSin"] + 3),  # over sin r > 0.9 r
        "kCos": quarter ** (2 * count["kCos"] + 4) / factorial(2 * count["kCos"] + 4) / exact_sin(quarter),
        "kArcsin": central(count["kArcsin"] + 1) / (2 * count["kArcsin"] + 3) / 4 ** (count["kArcsin"] + 1),  # over s
    }
    for name, error in left_out.items():
        ulp = float(error * 2**53)
        print(f"{name}: {count[name]} coefficients leave out {ulp:.1e} ulp")
        require(ulp < 0.05, f"{name} leaves out {ulp} ulp")


def check_float_exp(code):
    """The largest relative error of the kernels' e^r, |r| <= ln(2) / 2, its coefficients as they are as floats."""
    body = re.search(r"Batch sum\((.*?)\n    return", code, re.DOTALL)
    require(body, "simd_exp.h has no polynomial that begins with 'Batch sum('")
    texts = re.findall(r"([0-9.e-]+)f\)", body[0])
    coefficients = [struct.unpack("f", struct.pack("f", float(text)))[0] for text in texts]
    worst = 0
    for k in range(-2000, 2001):
        r, total = k / 2000 * log(2) / 2, 0
        for coefficient in coefficients:
            total = total * r + coefficient
        worst = max(worst, abs(total / exp(r) - 1))
    print(f"exp of a float: {len(coefficients)} coefficients leave out {worst * 2**24:.2f} ulp")
    require(worst < 4e-9, f"the kernels' exp is wrong by {worst:.1e}")


def main():
    if "--write" in sys.argv:
        GOLDEN.write_text("".join(golden_lines()))
    code = SOURCE.read_text() + EXPONENTIAL.read_text()
    check_constants(code)
    check_series(code)
    check_float_exp(KERNELS.read_text())
    for number, (line, true_line) in enumerate(zip(GOLDEN.read_text().splitlines(True), golden_lines(), strict=True), 1):
        require(line == true_line, f"{GOLDEN.name}:{number} is {line.strip()}, want {true_line.strip()}")
    print(f"{GOLDEN.name}: {number} values are right")


main()
