// In the place of model_keys.cpp, model_limits.cpp, saying_keys.cpp and open_models.cpp, for the engine
// modules: no model is open there.
#include "playground/link/model_keys.h"
#include "playground/link/model_limits.h"
#include "playground/link/saying_keys.h"
#include "playground/state/open_models.h"

namespace attn {

void insert_model_keys(std::vector<KeyInfo>& /*table*/) {}
void clamp_model(Inputs& /*inputs*/, Notes& /*notes*/) {}
void insert_saying_keys(std::vector<KeyInfo>& /*table*/) {}
void clamp_saying(const Inputs& /*inputs*/, View& /*view*/, Notes& /*notes*/) {}

std::shared_ptr<const OpenModel> find_open_model(std::string_view /*name*/) {
    return nullptr;
}

int num_model_changes() {
    return 0;
}

}  // namespace attn
