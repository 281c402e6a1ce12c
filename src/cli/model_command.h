// attn trace, export and generate for a model's files.
#pragma once

#include <ostream>
#include <span>
#include <string>

namespace attn {

// As run_command: 0, or 2 with one sentence on `err`.
int run_model_command(std::span<const std::string> arguments, std::ostream& out, std::ostream& err);

}  // namespace attn
