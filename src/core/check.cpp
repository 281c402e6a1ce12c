// The one place where the program stops because of its own mistake.
#include "core/check.h"

#include <array>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <utility>

#include "core/decimal.h"

namespace attn {
namespace {

CheckHandler check_handler = nullptr;

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

CheckHandler set_check_handler(CheckHandler handler) {
    return std::exchange(check_handler, handler);
}

void fail_check(const char* file, int line, const std::string& message) {
    const std::string text = concat(file, ":", line, ": ", message);
    if (check_handler != nullptr) check_handler(text);
    std::fputs((text + "\n").c_str(), stderr);
    std::fflush(stderr);
    std::abort();
}

}  // namespace attn
