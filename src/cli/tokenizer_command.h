// attn tokenizer: learns the byte pairs of texts, and writes them as tokenizer.json.
#pragma once

#include <ostream>
#include <span>
#include <string>

namespace attn {

// Whether these arguments are about learning a tokenizer.
bool is_about_tokenizer(std::span<const std::string> arguments);

// As run_command: 0, or 2 with one sentence on `err`, where the figures go, too.
int run_tokenizer_command(std::span<const std::string> arguments, std::ostream& out, std::ostream& err);

std::string tokenizer_help_text();

}  // namespace attn
