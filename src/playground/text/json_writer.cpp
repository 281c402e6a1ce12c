// Numbers go through exact_number, so that no locale changes them.
#include "playground/text/json_writer.h"

#include <cmath>

#include "core/ground/check.h"
#include "playground/text/format.h"

namespace attn {

void JsonWriter::begin_object() {
    begin(Container::object, '{');
}
void JsonWriter::end_object() {
    end('}');
}
void JsonWriter::begin_array() {
    begin(Container::array, '[');
}
void JsonWriter::end_array() {
    end(']');
}
void JsonWriter::begin_row() {
    begin(Container::row, '[');
}
void JsonWriter::end_row() {
    end(']');
}

void JsonWriter::key(std::string_view name) {
    ATTN_CHECK(!levels_.empty() && levels_.back().container == Container::object && !has_key_, "no place for key ",
               name);
    text(name);
    out_ += ": ";
    has_key_ = true;
}

void JsonWriter::text(std::string_view value) {
    constexpr std::string_view kDigits = "0123456789abcdef";
    before_value();
    out_ += '"';
    for (const char character : value) {
        const auto byte = static_cast<unsigned char>(character);
        if (character == '"' || character == '\\') {
            out_ += '\\';
            out_ += character;
        } else if (character == '\n') {
            out_ += "\\n";
        } else if (byte < 0x20) {
            out_ += "\\u00";
            out_ += kDigits[byte >> 4U];
            out_ += kDigits[byte & 15U];
        } else {
            out_ += character;
        }
    }
    out_ += '"';
}

void JsonWriter::number(float value) {
    before_value();
    out_ += std::isfinite(value) ? exact_number(value) : "null";
}

void JsonWriter::number(double value) {
    before_value();
    out_ += std::isfinite(value) ? exact_number(value) : "null";
}

void JsonWriter::integer(std::int64_t value) {
    before_value();
    out_ += concat(value);
}

void JsonWriter::boolean(bool value) {
    before_value();
    out_ += value ? "true" : "false";
}

void JsonWriter::null() {
    before_value();
    out_ += "null";
}

void JsonWriter::integer(std::string_view name, std::int64_t value) {
    key(name);
    integer(value);
}

void JsonWriter::number(std::string_view name, float value) {
    key(name);
    number(value);
}

void JsonWriter::number(std::string_view name, double value) {
    key(name);
    number(value);
}

void JsonWriter::texts(std::string_view name, const std::vector<std::string>& values) {
    key(name);
    begin_array();
    for (const std::string& one : values) text(one);
    end_array();
}

void JsonWriter::begin(Container container, char bracket) {
    before_value();
    out_ += bracket;
    const bool is_in_row = !levels_.empty() && levels_.back().container == Container::row;
    levels_.push_back({.container = is_in_row ? Container::row : container, .is_empty = true});
}

void JsonWriter::end(char bracket) {
    ATTN_CHECK(!levels_.empty() && !has_key_, "nothing to end with ", bracket);
    const Level level = levels_.back();
    levels_.pop_back();
    if (level.container != Container::row && !level.is_empty) new_line();
    out_ += bracket;
}

void JsonWriter::before_value() {
    if (has_key_ || levels_.empty()) {
        has_key_ = false;
        return;
    }
    Level& level = levels_.back();
    if (!level.is_empty) out_ += level.container == Container::row ? ", " : ",";
    level.is_empty = false;
    if (level.container != Container::row) new_line();
}

void JsonWriter::new_line() {
    out_ += '\n';
    for (std::size_t i = 0; i < levels_.size(); ++i) out_ += "  ";
}

}  // namespace attn
