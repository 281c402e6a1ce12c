// Something that a visitor can do in the text version, by its name: see do_act.
#pragma once

#include <string>

namespace attn {

struct Act {
    std::string name, label;
    bool is_possible = true;
};

}  // namespace attn
