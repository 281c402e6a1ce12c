// format.cpp decides what counts as a number; only infinities and NaN are added here.
#include "playground/link/link_numbers.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

#include "core/ground/check.h"
#include "core/words/code_points.h"
#include "playground/text/format.h"

namespace attn {
namespace {

// In any case; `word` is small.
bool is_word(std::string_view text, std::string_view word) {
    const auto is_same = [](char letter, char small) { return (letter | 0x20) == small; };
    return std::equal(text.begin(), text.end(), word.begin(), word.end(), is_same);
}

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
    if (const std::optional<double> number = parse_boundless(text)) {
        return std::clamp(*number, -std::numeric_limits<double>::max(), std::numeric_limits<double>::max());
    }
    text.remove_prefix(std::min(text.find_first_not_of(" \t\n\v\f\r"), text.size()));
    const bool is_negative = text.starts_with('-');
    if (is_negative || text.starts_with('+')) text.remove_prefix(1);
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    if (is_word(text, "inf") || is_word(text, "infinity")) return is_negative ? -kInfinity : kInfinity;
    if (is_word(text, "nan")) return std::numeric_limits<double>::quiet_NaN();
    return std::nullopt;
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

void read_from_one(std::string_view value, std::string_view key, int& field, Notes& notes) {
    int counted_from_one = field + 1;
    read_whole(value, key, counted_from_one, notes);
    field = counted_from_one - 1;
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

void note_unknown_word(std::string_view value, std::string_view key, std::string_view stays,
                       std::span<const std::string_view> known, Notes& notes) {
    std::string list;
    for (const std::string_view word : known) list += concat(list.empty() ? "" : ", ", word);
    notes.push_back(concat(key, " stays ", stays, ": ", quoted(value), " is none of ", list));
}

}  // namespace attn
