// Floats are written by std::to_chars; doubles and rounded numbers are written, and all numbers read, by decimal.h.
#include "playground/text/format.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "core/ground/check.h"
#include "core/ground/decimal.h"

namespace attn {
namespace {

constexpr std::string_view kMinus = "\u2212";
constexpr std::string_view kSpace = " \t\n\v\f\r";

// "1.5", -6: "1.5e−6", with the minus of the screen.
std::string shown_scientific(const Scientific& number) {
    return number.mantissa + "e" + (number.exponent < 0 ? std::string(kMinus) : "") +
           std::to_string(std::abs(number.exponent));
}

// "∞" or "NaN", without the sign.
std::string shown_special(double value) {
    return std::isnan(value) ? "NaN" : "∞";
}

std::string sign_of(double value) {
    return value < 0 ? std::string(kMinus) : "";
}

// Takes digits off the front of `text` and returns them.
std::string_view take_digits(std::string_view& text) {
    const std::size_t length = std::min(text.find_first_not_of("0123456789"), text.size());
    const std::string_view digits = text.substr(0, length);
    text.remove_prefix(length);
    return digits;
}

// Takes zeros off the front of `digits` and returns how many.
int take_zeros(std::string_view& digits) {
    const std::size_t length = std::min(digits.find_first_not_of('0'), digits.size());
    digits.remove_prefix(length);
    return static_cast<int>(length);
}

// Appends digits to those of a number until more would not change it: a text may have millions.
void add_digits(std::string& digits, std::string_view more) {
    const std::string_view kept = more.substr(0, kDecidingDigits - std::min(kDecidingDigits, digits.size()));
    digits += kept;
    const bool is_cut = more.find_first_not_of('0', kept.size()) != std::string_view::npos;
    if (is_cut && digits.size() == kDecidingDigits) digits += '1';
}

// Takes a sign off the front of `text`; true when it is a minus.
bool take_sign(std::string_view& text) {
    for (const std::string_view sign : {std::string_view("+"), std::string_view("-"), kMinus}) {
        if (!text.starts_with(sign)) continue;
        text.remove_prefix(sign.size());
        return sign != "+";
    }
    return false;
}

// What both kinds have in common: "nan", "inf", "-inf", "0" and "-0".
std::optional<std::string> special_number(double value) {
    if (std::isnan(value)) return "nan";  // without the sign of a NaN
    if (std::isinf(value)) return value < 0 ? "-inf" : "inf";
    if (value == 0) return std::signbit(value) ? "-0" : "0";
    return std::nullopt;
}

// The shorter of the two ways to write a finite, positive number, chosen as std::to_chars does: "1e5" counts as
// "1e+05".
std::string shorter_text(double value) {
    const Digits number = shortest_digits(value);
    const int count = static_cast<int>(number.digits.size());
    const int exponent = number.point - 1;
    const int after_point = std::max(count - number.point, 0);
    const int fixed_length = std::max(number.point, 1) + (after_point > 0 ? after_point + 1 : 0);
    const int scientific_length = count + (count > 1 ? 1 : 0) + (std::abs(exponent) < 100 ? 4 : 5);
    if (fixed_length <= scientific_length) return fixed_text(value, after_point);
    std::string text = number.digits;
    if (count > 1) text.insert(1, ".");
    return text + "e" + std::to_string(exponent);
}

}  // namespace

std::string shown_number(double value, int digits) {
    ATTN_CHECK(digits >= 0 && digits <= 17, "shown_number with ", digits, " digits, want 0 to 17");
    if (value == 0) return "0";
    const double size = std::abs(value);
    if (!std::isfinite(value)) return sign_of(value) + shown_special(value);
    const Scientific number = scientific(size, digits);
    if (size >= 1e6 || number.exponent < -digits) return sign_of(value) + shown_scientific(number);
    return sign_of(value) + fixed_text(size, digits);
}

std::string cell_number(double value) {
    if (value == 0) return "0";
    if (!std::isfinite(value)) return sign_of(value) + shown_special(value);
    const double size = std::abs(value);
    if (size >= 9999.5) return sign_of(value) + shown_scientific(scientific(size, 0));
    if (size < 0.005) return value < 0 ? ">\u2212.01" : "<.01";
    const bool is_whole = size == std::floor(size);
    const int decimals = is_whole || size >= 99.95 ? 0 : size >= 9.995 ? 1 : 2;
    std::string text = fixed_text(size, decimals);
    if (text.starts_with("0.")) text.erase(0, 1);
    return sign_of(value) + text;
}

std::string after_minus(double value, int digits) {
    const std::string text = shown_number(value, digits);
    return value < 0 ? "(" + text + ")" : text;
}

std::string exact_number(float value) {
    // Most readers take a double and round it to float. For one float of all (they were all tried) the shortest text
    // lies so near the middle between two floats that this ends at the other one.
    constexpr float kHardest = 0x1.5c87fap-84f;
    if (value == kHardest) return "7.03853069e-26";
    if (value == -kHardest) return "-7.03853069e-26";
    if (const auto text = special_number(value)) return *text;
    char buffer[32];  // "-1.17549435e-38" is the longest
    std::string text(buffer, std::to_chars(buffer, buffer + sizeof buffer, value).ptr);
    if (const std::size_t e = text.find('e'); e != text.npos) {  // "1e+05" is "1e5": in links a plus is a space
        const bool is_small = text[e + 1] == '-';
        const std::size_t digit = text.find_first_not_of('0', e + 2);
        text.replace(e + 1, digit - e - 1, is_small ? "-" : "");
    }
    return text;
}

std::string exact_number(double value) {
    if (const auto text = special_number(value)) return *text;
    return (value < 0 ? "-" : "") + shorter_text(std::abs(value));
}

std::optional<double> parse_number(std::string_view text) {
    const std::optional<double> number = parse_boundless(text);
    return number && std::isfinite(*number) ? number : std::nullopt;
}

std::string_view trimmed(std::string_view text) {
    text.remove_prefix(std::min(text.find_first_not_of(kSpace), text.size()));
    text.remove_suffix(text.size() - (text.find_last_not_of(kSpace) + 1));
    return text;
}

std::optional<double> parse_boundless(std::string_view text) {
    text = trimmed(text);
    const bool is_negative = take_sign(text);
    std::string_view whole = take_digits(text);
    std::string_view fraction;
    if (text.starts_with('.')) {
        text.remove_prefix(1);
        fraction = take_digits(text);
    }
    if (whole.empty() && fraction.empty()) return std::nullopt;
    take_zeros(whole);
    Digits number = {.digits = {}, .point = static_cast<int>(whole.size())};
    if (whole.empty()) number.point = -take_zeros(fraction);
    add_digits(number.digits, whole);
    add_digits(number.digits, fraction);
    if (text.starts_with('e') || text.starts_with('E')) {
        text.remove_prefix(1);
        const bool is_small = take_sign(text);
        const std::string_view digits = take_digits(text);
        if (digits.empty()) return std::nullopt;
        constexpr int kBeyondAllTexts = 1'000'000'000;
        int exponent = 0;
        for (const char digit : digits) exponent = std::min(exponent, kBeyondAllTexts / 10 - 1) * 10 + (digit - '0');
        number.point += is_small ? -exponent : exponent;
    }
    if (!text.empty()) return std::nullopt;
    const double size = nearest_double(number);
    return is_negative ? -size : size;
}

}  // namespace attn
