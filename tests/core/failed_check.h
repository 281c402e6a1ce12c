// Runs code whose ATTN_CHECK should fail and gives back the message, without ending the test program.
#pragma once

#include <string>

#include "core/ground/check.h"

namespace attn::test {

struct CheckFailure {
    std::string message;
};

// The message of the first check that fails in `code`, or nothing. The handler throws, so `code` stops there.
template <class Code>
std::string failed_check(Code code) {
    const CheckHandler before = set_check_handler([](const std::string& text) { throw CheckFailure{text}; });
    std::string message;
    try {
        code();
    } catch (const CheckFailure& failure) {
        message = failure.message;
    }
    set_check_handler(before);
    return message;
}

}  // namespace attn::test
