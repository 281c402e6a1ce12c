// The one place where the program stops because of its own mistake.
#include "core/check.h"

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
    const std::string text = concat(file, ":", line, ": ", message);
    if (check_handler != nullptr) check_handler(text);
    std::fprintf(stderr, "%s\n", text.c_str());
    std::fflush(stderr);
    std::abort();
}

}  // namespace attn
