// Walks through UTF-8, with tables of the invisible characters.
#include "core/words/code_points.h"

#include <algorithm>
#include <array>

#include "core/ground/check.h"
#include "core/words/tokens.h"

namespace attn {
namespace {

struct CodePoints {
    std::uint32_t first, last;
};
// What cannot be seen, joins what stands before it, or turns the direction of writing.
constexpr std::array<CodePoints, 15> kUnseen = {{{0, 0x1f},
                                                 {0x7f, 0xa0},
                                                 {0xad, 0xad},
                                                 {0x300, 0x36f},
                                                 {0x61c, 0x61c},
                                                 {0x115f, 0x1160},
                                                 {0x180b, 0x180f},
                                                 {0x2000, 0x200f},
                                                 {0x2028, 0x202f},
                                                 {0x205f, 0x206f},
                                                 {0xe000, 0xf8ff},
                                                 {0xfe00, 0xfe0f},
                                                 {0xfeff, 0xfeff},
                                                 {0xfff0, 0xffff},
                                                 {0xe0000, 0x10ffff}}};

}  // namespace

CodePoint take_code_point(std::string_view& text) {
    const auto byte = [&](std::size_t i) { return static_cast<std::uint32_t>(static_cast<unsigned char>(text[i])); };
    const std::size_t length = byte(0) < 0x80 ? 1 : byte(0) < 0xe0 ? 2 : byte(0) < 0xf0 ? 3 : 4;
    ATTN_CHECK(length <= text.size(), "a text ends inside a character");
    CodePoint code_point{.number = length == 1 ? byte(0) : byte(0) & (0x7fU >> length),
                         .bytes = text.substr(0, length)};
    for (std::size_t i = 1; i < length; ++i) code_point.number = code_point.number << 6 | (byte(i) & 0x3fU);
    text.remove_prefix(length);
    return code_point;
}

bool is_seen(std::uint32_t code_point) {
    return std::none_of(kUnseen.begin(), kUnseen.end(),
                        [&](const CodePoints& range) { return code_point >= range.first && code_point <= range.last; });
}

bool turns_writing(std::uint32_t code_point) {
    return code_point == 0x61c || code_point == 0x200e || code_point == 0x200f ||
           (code_point >= 0x202a && code_point <= 0x202e) || (code_point >= 0x2066 && code_point <= 0x2069);
}

bool is_no_character(std::uint32_t code_point) {
    return (code_point & 0xfffeU) == 0xfffe || (code_point >= 0xfdd0 && code_point <= 0xfdef);
}

namespace {

std::string without_breaks(std::string_view bytes) {
    const std::string clean = clean_utf8(bytes).text;
    std::string line;
    for (std::string_view rest = clean; !rest.empty();) {
        const auto [number, character] = take_code_point(rest);
        const bool is_break =
            (number >= 0x09 && number <= 0x0d) || number == 0x85 || number == 0x2028 || number == 0x2029;
        if (is_break) {
            line += ' ';
        } else if (!is_no_character(number)) {
            line += character;
        }
    }
    return line;
}

}  // namespace

std::string one_line(std::string_view bytes) {
    constexpr std::uint32_t kIsolate = 0x2068, kEndOfIsolate = 0x2069;
    const std::string clean = without_breaks(bytes);
    std::string line;
    int num_open = 0;  // isolates that have no end yet
    for (std::string_view rest = clean; !rest.empty();) {
        const auto [number, character] = take_code_point(rest);
        const bool is_end = number == kEndOfIsolate && num_open > 0;
        num_open += number == kIsolate ? 1 : is_end ? -1 : 0;
        if (turns_writing(number) && number != kIsolate && !is_end) {
            line += concat("<U+", hexadecimal(number, 4), ">");
        } else {
            line += character;
        }
    }
    for (; num_open > 0; --num_open) line += "\u2069";
    return line;
}

std::string quoted(std::string_view text) {
    constexpr std::size_t kLongest = 80;
    const bool is_cut = text.size() > kLongest;
    std::string_view shown = text.substr(0, kLongest);
    // A character cut in two would read as a broken one.
    const auto is_inside_character = [&](std::size_t at) { return continues_code_point(text[at]); };
    while (is_cut && shown.size() > kLongest - 4 && is_inside_character(shown.size())) shown.remove_suffix(1);
    return concat('"', without_breaks(shown), is_cut ? "…" : "", '"');
}

std::string hexadecimal(std::uint32_t number, int num_digits) {
    std::string digits;
    for (int shift = 4 * (num_digits - 1); shift >= 0; shift -= 4) digits += "0123456789abcdef"[number >> shift & 0xfU];
    return digits;
}

}  // namespace attn
