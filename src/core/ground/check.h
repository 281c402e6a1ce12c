// Checks for our own mistakes: wrong shapes, indices out of range. They stop the program in every build type.
// What people type never gets here: clamp_to_legal and the file readers correct or refuse it in words.
#pragma once

#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>

#include "core/ground/fail_check.h"

namespace attn {

// One part of concat(), without the standard library's streams: their locales weigh more than the rest of the engine.
void append_part(std::string& text, std::string_view part);
void append_part(std::string& text, char part);
void append_part(std::string& text, double part);  // six significant digits, as %g writes them
void append_part(std::string& text, std::int64_t part);
void append_part(std::string& text, std::uint64_t part);

template <std::integral Part>
void append_part(std::string& text, Part part) {
    if constexpr (std::signed_integral<Part>) {
        append_part(text, std::int64_t{part});
    } else {
        append_part(text, std::uint64_t{part});
    }
}

// The arguments written one after the other: concat("T is ", 3) is "T is 3".
template <class... Parts>
std::string concat(const Parts&... parts) {
    std::string text;
    (append_part(text, parts), ...);
    return text;
}

}  // namespace attn

// ATTN_CHECK(rows == T, "weights has ", rows, " rows, want ", T): stops with the values in the message. The engine
// module says the file and the line alone: the messages were 2 KB of its download.
#ifdef ATTN_CHECKS_WITHOUT_WORDS
#define ATTN_CHECK(condition, ...)                                             \
    do {                                                                       \
        if (!(condition)) ::attn::fail_check(__FILE_NAME__, __LINE__, {});     \
        static_cast<void>(sizeof(::attn::concat(__VA_ARGS__))); /* not made */ \
    } while (false)
#else
#define ATTN_CHECK(condition, ...)                                                             \
    do {                                                                                       \
        if (!(condition)) ::attn::fail_check(__FILE__, __LINE__, ::attn::concat(__VA_ARGS__)); \
    } while (false)
#endif
