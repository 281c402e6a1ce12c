// A number between a minus and a plus: both repeat while they are held, and the number itself can be typed.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "ui/kit/widgets.h"

namespace attn {

// What the visitor did to the number; the caller knows what the next legal value is.
struct StepperEvent {
    int step = 0;                      // -1: less, +1: more
    std::optional<std::string> typed;  // any text
};

struct StepperLook {
    bool can_decrease = true;
    bool can_increase = true;
    Icon more = Icon::plus;       // what stands on the right: plus, or "again" for a new seed
    std::string_view label = {};  // what stands beside it, unless that is its setting's
};

// `name` is the key of the link: the items are "heads-", "heads" and "heads+".
StepperEvent stepper(Canvas& canvas, const std::string& name, const std::string& value, const StepperLook& look,
                     float width);
float stepper_width(const Look& look, const std::string& value);

}  // namespace attn
