// The one place where the program stops because of its own mistake. ATTN_CHECK (check.h) calls it.
#pragma once

#include <string>

namespace attn {

// Prints `file:line: message` to standard error and aborts.
[[noreturn]] void fail_check(const char* file, int line, const std::string& message);

// Called with the text just before the program aborts: the page shows it where the picture would be. A test's handler
// may throw instead of returning. Returns the handler before; null, the default, is none.
using CheckHandler = void (*)(const std::string& text);
CheckHandler set_check_handler(CheckHandler handler);

}  // namespace attn
