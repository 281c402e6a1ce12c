// In the place of recipe_keys.cpp, cache_keys.cpp and position_keys.cpp, for the engine module that computes forward
// alone: it knows neither a recipe nor a view, and of positions those that are added to the embeddings.
#include "playground/link/cache_keys.h"
#include "playground/link/position_keys.h"
#include "playground/link/recipe_keys.h"

namespace attn {

void insert_recipe_keys(std::vector<KeyInfo>& /*table*/) {}
void insert_cache_keys(std::vector<KeyInfo>& /*table*/) {}
void insert_position_keys(std::vector<KeyInfo>& /*table*/) {}

Notes clamp_recipe(Inputs& /*inputs*/, int /*shown_sentence*/) {
    return {};
}

void clamp_positions(Inputs& /*inputs*/, Notes& /*notes*/) {}

void clamp_cache(const Inputs& /*inputs*/, View& /*view*/, Notes& /*notes*/) {}

}  // namespace attn
