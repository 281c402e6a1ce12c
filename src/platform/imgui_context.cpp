// What both platforms need of ImGui: setting up its context, and asking whether it has more to do.
#include <imgui.h>
#include <imgui_internal.h>  // the queue of input events has no public reader

#include <cmath>
#include <cstdlib>
#include <limits>

#include "core/ground/memory_room.h"
#include "platform/platform.h"

namespace attn {
namespace {

// The size in points whose product with `scale` is cut down to exactly `device_pixels`.
float points_for(int device_pixels, float scale) {
    float points = static_cast<float>(device_pixels) / scale;
    while (static_cast<int>(points * scale) < device_pixels)
        points = std::nextafter(points, std::numeric_limits<float>::max());
    return points;
}

// ImGui does not look whether it got its memory.
void* allocate_for_imgui(std::size_t bytes, void*) {
    void* const memory = std::malloc(bytes);
    require_memory(memory != nullptr || bytes == 0);
    return memory;
}

}  // namespace

void start_imgui_context() {
    IMGUI_CHECKVERSION();
    ImGui::SetAllocatorFunctions(allocate_for_imgui, [](void* memory, void*) { std::free(memory); });
    ImGui::CreateContext();
    ImGuiIO& io = ImGui::GetIO();
    io.IniFilename = nullptr;
    io.LogFilename = nullptr;
    io.ConfigFlags |= ImGuiConfigFlags_NavEnableKeyboard;
    io.ConfigInputTextCursorBlink = false;  // a blinking cursor would cost two frames a second for ever
}

void fit_imgui(int device_width, int device_height, float scale) {
    ImGuiIO& io = ImGui::GetIO();
    io.DisplaySize = {points_for(device_width, scale), points_for(device_height, scale)};
    io.DisplayFramebufferScale = {scale, scale};
}

bool imgui_has_pending_input() {
    return ImGui::GetCurrentContext()->InputEventsQueue.Size > 0;
}

}  // namespace attn
