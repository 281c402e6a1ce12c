#include "ui/frame/play_clock.h"

#include <imgui.h>

#include <algorithm>

namespace attn {

float frame_seconds() {
    constexpr float kLongest = 0.05F;
    return std::min(ImGui::GetIO().DeltaTime, kLongest);
}

}  // namespace attn
