// One frame of the program: takes what the world tells it, draws the panels, and says what the world should do.
#pragma once

#include "app/program.h"

namespace attn {

// Called between ImGui::NewFrame and ImGui::Render. The files of the input may be moved away.
FrameOutput draw_frame(Program& program, FrameInput& input);

}  // namespace attn
