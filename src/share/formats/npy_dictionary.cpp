// Reads the dictionary from left to right, sign after sign.
#include "share/formats/npy_dictionary.h"

#include <cstddef>

namespace attn {
namespace {

constexpr std::size_t kMaxAxes = 32;  // NumPy 1's limit

class DictionaryReader {
public:
    explicit DictionaryReader(std::string_view text) : rest_(text) {}

    std::optional<NpyDictionary> read() {
        NpyDictionary header;
        bool has_type = false, has_order = false, has_shape = false;
        if (!take('{')) return std::nullopt;
        while (!take('}')) {
            const std::optional<std::string> key = read_string();
            if (!key || !take(':')) return std::nullopt;
            if (*key == "descr" && !has_type) {
                has_type = read_type(header.type);
                if (!has_type) return std::nullopt;
            } else if (*key == "fortran_order" && !has_order) {
                has_order = read_flag(header.is_fortran);
                if (!has_order) return std::nullopt;
            } else if (*key == "shape" && !has_shape) {
                has_shape = read_shape(header.shape);
                if (!has_shape) return std::nullopt;
            } else {
                return std::nullopt;
            }
            if (!take(',') && !peek('}')) return std::nullopt;
        }
        skip_blanks();
        if (!rest_.empty() || !has_type || !has_order || !has_shape) return std::nullopt;
        return header;
    }

private:
    void skip_blanks() {
        while (!rest_.empty() && (rest_.front() == ' ' || rest_.front() == '\n')) rest_.remove_prefix(1);
    }
    bool peek(char sign) {
        skip_blanks();
        return !rest_.empty() && rest_.front() == sign;
    }
    bool take(char sign) {
        if (!peek(sign)) return false;
        rest_.remove_prefix(1);
        return true;
    }
    bool take(std::string_view word) {
        skip_blanks();
        if (!rest_.starts_with(word)) return false;
        rest_.remove_prefix(word.size());
        return true;
    }

    // A string without escapes: no name of a type has any.
    std::optional<std::string> read_string() {
        const char quote = peek('"') ? '"' : '\'';
        if (!take(quote)) return std::nullopt;
        const std::size_t end = rest_.find(quote);
        if (end == std::string_view::npos) return std::nullopt;
        std::string text(rest_.substr(0, end));
        rest_.remove_prefix(end + 1);
        return text;
    }

    // A list describes records; its first sign tells enough to refuse it by name.
    bool read_type(std::string& type) {
        if (peek('[')) {
            const std::size_t end = rest_.rfind(']');
            if (end == std::string_view::npos) return false;
            rest_.remove_prefix(end + 1);
            type = "[]";
            return true;
        }
        const std::optional<std::string> text = read_string();
        if (text) type = *text;
        return text.has_value();
    }

    bool read_flag(bool& flag) {
        flag = take("True");
        return flag || take("False");
    }

    bool read_shape(std::vector<std::int64_t>& shape) {
        if (!take('(')) return false;
        while (!take(')')) {
            skip_blanks();
            std::int64_t length = 0;
            std::size_t num_digits = 0;
            while (!rest_.empty() && rest_.front() >= '0' && rest_.front() <= '9') {
                if (++num_digits > 18) return false;  // stays below 2^63
                length = length * 10 + (rest_.front() - '0');
                rest_.remove_prefix(1);
            }
            if (num_digits == 0 || shape.size() == kMaxAxes) return false;
            shape.push_back(length);
            if (!rest_.empty() && rest_.front() == 'L') rest_.remove_prefix(1);  // Python 2 wrote 3L
            if (!take(',') && !peek(')')) return false;
        }
        return true;
    }

    std::string_view rest_;
};

}  // namespace

std::optional<NpyDictionary> read_npy_dictionary(std::string_view text) {
    return DictionaryReader(text).read();
}

}  // namespace attn
