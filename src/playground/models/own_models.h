// The models of the project that are part of the program: of the desktop's and of the attn command. The page has them
// beside it and fetches one when it is asked for.
#pragma once

#include <optional>
#include <string_view>

#include "playground/models/model_opening.h"

namespace attn {

// Opens them, under their names. On the page nothing happens.
void open_own_models();

// The files of the one that has this name; nothing where there is none, as on the page.
std::optional<ModelFiles> own_model_files(std::string_view name);

}  // namespace attn
