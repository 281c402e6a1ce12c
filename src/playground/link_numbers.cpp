// See link_numbers.h. std::strtod is asked only about what parse_number refuses: infinities and NaN.
#include "playground/link_numbers.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "playground/format.h"

namespace attn {
namespace {

void note_unreadable(std::string_view value, std::string_view key, const std::string& stays, Notes& notes) {
    notes.push_back(concat(key, " stays ", stays, ": ", quoted(value), " is not a number"));
}

// The number in `value`; nothing, with a note, where there is none. `stays` is what the field holds.
std::optional<double> read_or_note(std::string_view value, std::string_view key, const std::string& stays,
                                   Notes& notes) {
    const std::optional<double> number = read_double(value);
    if (number && !std::isnan(*number)) return number;
    note_unreadable(value, key, stays, notes);
    return std::nullopt;
}

}  // namespace

std::optional<double> read_double(std::string_view text) {
    if (const std::optional<double> number = parse_number(text)) return number;
    const std::string copy(text);
    char* end = nullptr;
    const double number = std::strtod(copy.c_str(), &end);
    const bool is_all_read = !copy.empty() && end == copy.c_str() + copy.size();
    if (!is_all_read || std::isfinite(number)) return std::nullopt;
    const bool is_written_out = copy.find_first_of("0123456789") != std::string::npos;
    return is_written_out ? std::copysign(std::numeric_limits<double>::max(), number) : number;
}

float nearest_float(double number) {
    constexpr double kLargest = std::numeric_limits<float>::max();
    if (std::isfinite(number)) number = std::clamp(number, -kLargest, kLargest);
    return static_cast<float>(number);
}

bool is_too_large_for_float(double number) {
    return std::isfinite(number) && std::abs(number) >= 0x1.ffffffp127;
}

void read_number(std::string_view value, std::string_view key, double& field, Notes& notes) {
    if (const auto number = read_or_note(value, key, exact_number(field), notes)) field = *number;
}

void read_whole(std::string_view value, std::string_view key, int& field, Notes& notes) {
    const std::optional<double> number = read_or_note(value, key, concat(field), notes);
    if (!number) return;
    const double whole = std::clamp(std::round(*number), -1e9, 1e9);
    field = static_cast<int>(whole);
    if (std::abs(*number) < 1e9 && whole != *number) {
        notes.push_back(concat(key, " set to ", field, ": ", quoted(value), " is not a whole number"));
    }
}

void read_seed(std::string_view value, std::string_view key, std::uint64_t& field, Notes& notes) {
    // Digits alone are read exactly: a double holds only 53 bits.
    const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), field);
    if (error == std::errc() && end == value.data() + value.size()) return;

    const std::optional<double> number = read_or_note(value, key, concat(field), notes);
    if (!number) return;
    constexpr std::uint64_t kLargest = std::numeric_limits<std::uint64_t>::max();
    const double whole = std::round(*number);
    field = whole < 0x1p64 ? static_cast<std::uint64_t>(std::max(whole, 0.0)) : kLargest;
    if (whole != *number || whole < 0 || whole >= 0x1p64) {
        notes.push_back(concat(key, " set to ", field, ": a seed is a whole number from 0 to ", kLargest));
    }
}

void read_flag(std::string_view value, std::string_view key, bool& field, Notes& notes) {
    const std::optional<double> number = read_or_note(value, key, concat(field), notes);
    if (!number) return;
    field = *number != 0;
    if (field && *number != 1) notes.push_back(concat(key, " set to 1: it is 0 or 1"));
}

}  // namespace attn
