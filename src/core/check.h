// Checks for our own mistakes: wrong shapes, indices out of range. They stop the program in every build type.
// What people type never ends here: clamp_to_legal and the file readers deal with it in words.
#pragma once

#include <sstream>
#include <string>

namespace attn {

// Prints `file:line: message` to standard error and aborts.
[[noreturn]] void fail_check(const char* file, int line, const std::string& message);

// Called with the text just before the program aborts: the page shows it where the picture would be. A test's handler
// may throw instead of returning. Returns the handler before; null, the default, is none.
using CheckHandler = void (*)(const std::string& text);
CheckHandler set_check_handler(CheckHandler handler);

// The arguments written one after the other: concat("T is ", 3) is "T is 3".
template <class... Parts>
std::string concat(const Parts&... parts) {
    std::ostringstream text;
    (text << ... << parts);
    return text.str();
}

}  // namespace attn

// ATTN_CHECK(rows == T, "weights has ", rows, " rows, want ", T): stops with the values in the message.
#define ATTN_CHECK(condition, ...)                                                             \
    do {                                                                                       \
        if (!(condition)) ::attn::fail_check(__FILE__, __LINE__, ::attn::concat(__VA_ARGS__)); \
    } while (false)
