// attn train: trains a model by a recipe.
#pragma once

#include <ostream>
#include <span>
#include <string>

namespace attn {

// Whether these arguments are about training.
bool is_about_training(std::span<const std::string> arguments);

// As run_command: 0, or 2 with one sentence on `err`, where progress goes, too.
int run_train_command(std::span<const std::string> arguments, std::ostream& out, std::ostream& err);

std::string train_help_text();

}  // namespace attn
