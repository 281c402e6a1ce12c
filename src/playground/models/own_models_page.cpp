// In the place of own_models.cpp: the page's program has no model in it.
#include "playground/models/own_models.h"

namespace attn {

void open_own_models() {}

std::optional<ModelFiles> own_model_files(std::string_view /*name*/) {
    return std::nullopt;
}

}  // namespace attn
