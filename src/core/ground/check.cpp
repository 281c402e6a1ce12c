// The parts of concat(): numbers and texts, one after the other.
#include "core/ground/check.h"

#include <array>
#include <charconv>

#include "core/ground/decimal.h"

namespace attn {
namespace {

template <class Integer>
void append_integer(std::string& text, Integer value) {
    std::array<char, 24> digits = {};
    text.append(digits.data(), std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr);
}

}  // namespace

void append_part(std::string& text, std::string_view part) {
    text += part;
}

void append_part(std::string& text, char part) {
    text += part;
}

void append_part(std::string& text, double part) {
    text += general_text(part);
}

void append_part(std::string& text, std::int64_t part) {
    append_integer(text, part);
}

void append_part(std::string& text, std::uint64_t part) {
    append_integer(text, part);
}

}  // namespace attn
