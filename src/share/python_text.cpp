// See python_text.h.
#include "share/python_text.h"

#include <algorithm>
#include <array>
#include <cstdint>

#include "playground/format.h"

namespace attn {
namespace {

constexpr std::size_t kWidth = 100;  // of a line of numbers

struct CodePoints {
    std::uint32_t first, last;
};
// What cannot be seen, joins what stands before it, or turns the direction of writing.
constexpr std::array<CodePoints, 14> kEscaped = {{{0, 0x1f},
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
                                                  {0xfeff, 0xffff},
                                                  {0xe0000, 0x10ffff}}};

bool is_escaped(std::uint32_t code_point) {
    return std::any_of(kEscaped.begin(), kEscaped.end(),
                       [&](const CodePoints& range) { return code_point >= range.first && code_point <= range.last; });
}

// Takes one code point off the front of valid UTF-8; `bytes` are those it had.
std::uint32_t take_code_point(std::string_view& text, std::string_view& bytes) {
    const auto byte = [&](std::size_t i) { return static_cast<std::uint32_t>(static_cast<unsigned char>(text[i])); };
    const std::size_t length = byte(0) < 0x80 ? 1 : byte(0) < 0xe0 ? 2 : byte(0) < 0xf0 ? 3 : 4;
    ATTN_CHECK(length <= text.size(), "a token ends inside a character");
    std::uint32_t code_point = length == 1 ? byte(0) : byte(0) & (0x7fU >> length);
    for (std::size_t i = 1; i < length; ++i) code_point = code_point << 6 | (byte(i) & 0x3fU);
    bytes = text.substr(0, length);
    text.remove_prefix(length);
    return code_point;
}

std::string hexadecimal(std::uint32_t number, int num_digits) {
    std::string digits;
    for (int shift = 4 * (num_digits - 1); shift >= 0; shift -= 4) digits += "0123456789abcdef"[number >> shift & 0xfU];
    return digits;
}

// "1" is a whole number to Python, and a list of them a tensor of whole numbers.
std::string as_float(std::string number) {
    const bool is_whole = number.find_first_not_of("-0123456789") == std::string::npos;
    return is_whole ? number + ".0" : number;
}

}  // namespace

void PythonText::block(std::string_view lines) {
    while (!lines.empty()) {
        const std::size_t end = std::min(lines.find('\n'), lines.size());
        line(lines.substr(0, end));
        lines.remove_prefix(std::min(end + 1, lines.size()));
    }
}

std::string python_string(std::string_view text) {
    std::string literal = "\"";
    while (!text.empty()) {
        std::string_view bytes;
        const std::uint32_t code_point = take_code_point(text, bytes);
        if (code_point == '"' || code_point == '\\') {
            literal += concat("\\", bytes);
        } else if (code_point == '\n') {
            literal += "\\n";
        } else if (!is_escaped(code_point)) {
            literal += bytes;
        } else {
            literal += code_point > 0xffff ? "\\U" + hexadecimal(code_point, 8) : "\\u" + hexadecimal(code_point, 4);
        }
    }
    return literal + "\"";
}

std::string python_number(float value) {
    return as_float(exact_number(value));
}

std::string python_number(double value) {
    return as_float(exact_number(value));
}

std::string python_list(const std::vector<std::string>& items, const std::string& indent) {
    std::size_t length = indent.size();
    for (const std::string& item : items) length += item.size() + 2;
    std::string text = "[";
    if (length <= kWidth) {
        for (const std::string& item : items) text += concat(text.size() > 1 ? ", " : "", item);
        return text + "]";
    }
    std::string line;
    for (const std::string& item : items) {
        if (!line.empty() && indent.size() + 4 + line.size() + item.size() + 2 > kWidth) {
            text += concat("\n", indent, "    ", line);
            line.clear();
        }
        line += concat(line.empty() ? "" : " ", item, ",");
    }
    return concat(text, "\n", indent, "    ", line, "\n", indent, "]");
}

std::string python_list(const std::vector<float>& numbers, const std::string& indent) {
    std::vector<std::string> items;
    for (const float number : numbers) items.push_back(python_number(number));
    return python_list(items, indent);
}

std::string python_matrix(const std::vector<std::vector<float>>& rows, const std::string& indent) {
    if (rows.size() == 1) return concat("[", python_list(rows[0], indent), "]");
    std::string text = "[\n";
    for (const std::vector<float>& row : rows)
        text += concat(indent, "    ", python_list(row, concat(indent, "    ")), ",\n");
    return concat(text, indent, "]");
}

}  // namespace attn
