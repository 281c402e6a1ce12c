// Numbers as text, for the screen and for files, and text as numbers. Independent of the machine's locale, and the same
// natively and on the web: a decimal point is a point. Knows neither state nor screen.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "core/ground/check.h"

namespace attn {

// For people: `digits` decimals (0 to 17), "0.1500", "−2.0000". Scientific from 1e6, and where so few decimals would
// show only zeros: "1.5000e6", "−3.0000e−5". Zero of either sign is "0". Others: "∞", "−∞", "NaN". The minus is U+2212.
std::string shown_number(double value, int digits = 4);

// The same behind a minus: a negative number stands in brackets, "(−1.4300)".
std::string after_minus(double value, int digits = 4);

// A sum of `num_terms`, of more than eight the first four and the last three: "1 + 2 + 3 + 4 + … (7 more) … + 12 + 13 +
// 14". `text_of` writes a term.
template <class TextOf>
std::string sum_of_texts(std::size_t num_terms, const TextOf& text_of) {
    constexpr std::size_t kMostTerms = 8, kFirstTerms = 4, kLastTerms = 3;
    std::string text;
    for (std::size_t i = 0; i < num_terms; ++i) {
        if (i > 0) text += " + ";
        if (num_terms > kMostTerms && i == kFirstTerms) {
            const std::size_t num_left_out = num_terms - kFirstTerms - kLastTerms;
            text += concat("… (", num_left_out, " more) … + ");
            i += num_left_out;
        }
        text += text_of(i);
    }
    return text;
}

// For a cell of a heat map: two decimals without the zero before the point, ".60", "−1.20"; "<.01" and ">−.01" for what
// two decimals would show as zero. Whole numbers have none, "1", "0"; from 10 on there is one and from 100 on none,
// "12.3", "−123", so that no cell has more than 5 characters; from 1e4 on "1e4". The minus is U+2212.
std::string cell_number(double value);

// For JSON, CSV and links: the shortest ASCII text that reads back as the same number, "0.1", "-0", "1e-5", "1e30"; for
// a float also by way of a double, as JSON readers go. Never more than 9 significant digits for a float, 17 for a
// double. "inf", "-inf" and "nan" for what no number parser need accept.
std::string exact_number(float value);
std::string exact_number(double value);

// Without the ASCII white space at its ends.
std::string_view trimmed(std::string_view text);

// The double nearest to a typed decimal number: "1", "-1.5", ".5", "2.", "+1e-3"; the minus may be U+2212, ASCII white
// space may surround it. Nothing for all else: empty, "nan", "inf", "0x10", "1,5", "1 2", and numbers too large for a
// double. Numbers too small for one are 0.
std::optional<double> parse_number(std::string_view text);

// The same, but numbers too large for a double are infinite.
std::optional<double> parse_boundless(std::string_view text);

}  // namespace attn
