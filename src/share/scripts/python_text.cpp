// Writes texts and numbers so that Python reads them back as they are.
#include "share/scripts/python_text.h"

#include <algorithm>

#include "core/ground/check.h"
#include "core/words/code_points.h"
#include "playground/link/link_text.h"
#include "playground/text/format.h"

namespace attn {
namespace {

constexpr std::size_t kWidth = 100;  // of a line of numbers

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
        const auto [number, bytes] = take_code_point(text);
        if (number == '"' || number == '\\') {
            literal += concat("\\", bytes);
        } else if (number == '\n') {
            literal += "\\n";
        } else if (is_seen(number)) {
            literal += bytes;
        } else {
            literal += number > 0xffff ? "\\U" + hexadecimal(number, 8) : "\\u" + hexadecimal(number, 4);
        }
    }
    return literal + "\"";
}

std::string python_comment_link(std::string_view link) {
    constexpr std::string_view kDeclaring = "coding=";
    std::string text = with_encoded(link, "!$():?@\\^{|}");
    for (std::size_t at = text.find(kDeclaring); at != std::string::npos; at = text.find(kDeclaring, at))
        text.replace(at + kDeclaring.size() - 1, 1, "%3D");  // in a value: no key ends so
    return text;
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
