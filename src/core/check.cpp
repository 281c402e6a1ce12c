// The one place where the program stops because of its own mistake.
#include "core/check.h"

#include <cstdio>
#include <cstdlib>

namespace attn {

void fail_check(const char* file, int line, const std::string& message) {
    std::fprintf(stderr, "%s:%d: %s\n", file, line, message.c_str());
    std::fflush(stderr);
    std::abort();
}

}  // namespace attn
