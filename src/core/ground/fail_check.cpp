// Says where the mistake is, to a handler and to standard error, and aborts.
#include "core/ground/fail_check.h"

#include <cstdio>
#include <cstdlib>
#include <utility>

namespace attn {
namespace {

CheckHandler check_handler = nullptr;

}  // namespace

CheckHandler set_check_handler(CheckHandler handler) {
    return std::exchange(check_handler, handler);
}

void fail_check(const char* file, int line, const std::string& message) {
    const std::string text = std::string(file) + ":" + std::to_string(line) + ": " + message;
    if (check_handler != nullptr) check_handler(text);
    std::fputs((text + "\n").c_str(), stderr);
    std::fflush(stderr);
    std::abort();
}

}  // namespace attn
