// What the two platforms share of ImGui: how its context is set up, and whether it has more to do.
#include <imgui.h>
#include <imgui_internal.h>  // the queue of input events has no public reader

#include "platform/platform.h"

namespace attn {

void start_imgui_context() {
    IMGUI_CHECKVERSION();
    ImGui::CreateContext();
    ImGuiIO& io = ImGui::GetIO();
    io.IniFilename = nullptr;
    io.LogFilename = nullptr;
    io.ConfigFlags |= ImGuiConfigFlags_NavEnableKeyboard;
    io.ConfigInputTextCursorBlink = false;  // a blinking cursor would cost two frames a second for ever
}

bool imgui_has_pending_input() { return ImGui::GetCurrentContext()->InputEventsQueue.Size > 0; }

}  // namespace attn
