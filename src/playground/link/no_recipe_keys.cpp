// In the place of recipe_keys.cpp, for the engine module: it computes forward alone and knows no recipe.
#include "playground/link/recipe_keys.h"

namespace attn {

void insert_recipe_keys(std::vector<KeyInfo>& /*table*/) {}

Notes clamp_recipe(Inputs& /*inputs*/, int /*shown_sentence*/) {
    return {};
}

}  // namespace attn
