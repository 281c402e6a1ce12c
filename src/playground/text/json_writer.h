// Writes JSON (RFC 8259) as it goes, at the end of a text. Whoever streams an export larger than memory takes the text
// away in between and empties it. Knows no state and no tensors.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace attn {

// The caller keeps the order: inside an object a key before each value. Members and elements stand on lines of their
// own, except inside a row.
class JsonWriter {
public:
    explicit JsonWriter(std::string& out) : out_(out) {}

    void begin_object();
    void end_object();
    void begin_array();
    void end_array();
    void begin_row();  // an array on one line
    void end_row();

    void key(std::string_view name);
    void text(std::string_view value);  // valid UTF-8
    void number(float value);           // null unless finite: JSON has no infinity
    void number(double value);          // likewise
    void integer(std::int64_t value);
    void boolean(bool value);
    void null();

    void member(std::string_view name, std::string_view value) {
        key(name);
        text(value);
    }
    void integer(std::string_view name, std::int64_t value);
    void number(std::string_view name, float value);
    void number(std::string_view name, double value);
    void texts(std::string_view name, const std::vector<std::string>& values);  // an array
    void flag(std::string_view name, bool value) {
        key(name);
        boolean(value);
    }

private:
    enum class Container { object, array, row };
    void begin(Container container, char bracket);
    void end(char bracket);
    void before_value();
    void new_line();

    struct Level {
        Container container;
        bool is_empty;
    };
    std::string& out_;
    std::vector<Level> levels_;
    bool has_key_ = false;  // a key was written and waits for its value
};

}  // namespace attn
