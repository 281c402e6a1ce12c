// The attn command: the engine without a window. Knows links, exports, streams, and the files that are
// named on its command line; no screen.
#pragma once

#include <istream>
#include <ostream>
#include <span>
#include <string>

namespace attn {

inline constexpr int kFailure = 2;  // exit code

// Runs `attn <arguments>` (the program's name is not among them). Returns the exit code: 0, or kFailure after one
// sentence on `err`. A malformed link is not an error: it is moved to the nearest legal state, and notes say so.
int run_command(std::span<const std::string> arguments, std::istream& in, std::ostream& out, std::ostream& err);

}  // namespace attn
