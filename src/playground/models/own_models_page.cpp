// In the place of own_models.cpp: the page's program has no model in it.
#include "playground/models/own_models.h"

namespace attn {

void open_own_models() {}

}  // namespace attn
