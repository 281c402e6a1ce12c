// How the last computation spent its time, and how near it came to this machine's limit. Measured when the card opens,
// by the program (UiRequest::Kind::measure): panels have no clock.
#pragma once

#include <optional>

#include "playground/visit/performance.h"
#include "ui/frame/frame.h"

namespace attn {

struct PerformanceMemory {
    std::optional<Performance> measured;
    int version = -1;  // of the evaluation that was asked about last
};

// What the program measured.
void keep_performance(PanelMemory& memory, Performance performance);

// The word that opens the card, at the cursor; and the card while it is open.
void put_performance_link(UiFrame& frame);

}  // namespace attn
