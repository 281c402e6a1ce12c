// A pasted block whose commas may part numbers or be decimal points: the question.
#pragma once

#include <cstddef>
#include <vector>

#include "ui/frame/frame.h"

namespace attn {

// A way to read a pasted block, and the state with it.
struct PastedReading {
    std::size_t rows = 0, columns = 0;
    bool has_decimal_commas = false;
    PlaygroundState state;
    Notes notes = {};
};

// Asks which of them was meant.
void ask_about_commas(UiFrame& frame, std::vector<PastedReading> readings);

}  // namespace attn
