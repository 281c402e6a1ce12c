// Hands ImGui what fingers, mouse and keyboard do to the page's canvas. The page decides which events concern the
// canvas at all (web/canvas.js, web/keyboard.js); positions are in CSS pixels from the canvas's top left corner.
#include <emscripten.h>
#include <imgui.h>
#include <imgui_internal.h>  // which window is under the pointer, and letting go of a field

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <iterator>
#include <string_view>

#include "platform/web.h"

EM_JS_DEPS(input_web, "$UTF8ToString");

EM_JS(void, copy_to_clipboard, (const char* text), { Module["host"]["copy"](UTF8ToString(text)); });

namespace attn {
namespace {

struct NamedKey {
    std::string_view name;  // KeyboardEvent.key of keys without a character, else KeyboardEvent.code
    ImGuiKey key;
};

constexpr NamedKey kKeys[] = {
    {"ArrowLeft", ImGuiKey_LeftArrow},
    {"ArrowRight", ImGuiKey_RightArrow},
    {"ArrowUp", ImGuiKey_UpArrow},
    {"ArrowDown", ImGuiKey_DownArrow},
    {"PageUp", ImGuiKey_PageUp},
    {"PageDown", ImGuiKey_PageDown},
    {"Home", ImGuiKey_Home},
    {"End", ImGuiKey_End},
    {"Delete", ImGuiKey_Delete},
    {"Backspace", ImGuiKey_Backspace},
    {"Space", ImGuiKey_Space},
    {"Enter", ImGuiKey_Enter},
    {"NumpadEnter", ImGuiKey_KeypadEnter},
    {"Escape", ImGuiKey_Escape},
    {"F2", ImGuiKey_F2},
};

// A letter's or digit's key ("a", "7") or the name in the table; ImGuiKey_None for the rest.
ImGuiKey key_of_name(std::string_view name) {
    if (name.size() == 1 && name[0] >= 'a' && name[0] <= 'z')
        return static_cast<ImGuiKey>(ImGuiKey_A + (name[0] - 'a'));
    if (name.size() == 1 && name[0] >= '0' && name[0] <= '9')
        return static_cast<ImGuiKey>(ImGuiKey_0 + (name[0] - '0'));
    const auto* found =
        std::find_if(std::begin(kKeys), std::end(kKeys), [&](const NamedKey& key) { return key.name == name; });
    return found == std::end(kKeys) ? ImGuiKey_None : found->key;
}

// How far `window` can move its content by `delta` points of finger or wheel (positive: content moves right or down).
bool can_scroll(const ImGuiWindow& window, ImVec2 delta) {
    const bool is_fixed = (window.Flags & (ImGuiWindowFlags_NoScrollWithMouse | ImGuiWindowFlags_NoMouseInputs)) != 0;
    if (is_fixed) return false;
    const bool across = std::abs(delta.x) > std::abs(delta.y);
    const float now = across ? window.Scroll.x : window.Scroll.y;
    const float most = across ? window.ScrollMax.x : window.ScrollMax.y;
    return (across ? delta.x : delta.y) > 0 ? now > 0 : now + 1 <= most;  // ImGui scrolls by whole points
}

// Whether the window under the pointer, or one it stands in, can scroll so.
bool something_can_scroll(ImVec2 delta) {
    for (ImGuiWindow* window = ImGui::GetCurrentContext()->HoveredWindow; window != nullptr;
         window = window->ParentWindow) {
        if (can_scroll(*window, delta)) return true;
        if ((window->Flags & ImGuiWindowFlags_ChildWindow) == 0) break;
    }
    return false;
}

// The clipboard as ImGui sees it: the page's last paste or our last copy. A page may not read the system's by itself.
const char* clipboard_text(ImGuiContext*) {
    return web().clipboard.c_str();
}

void set_clipboard_text(ImGuiContext*, const char* text) {
    web().clipboard = text;
    copy_to_clipboard(text);
}

}  // namespace

void start_web_clipboard() {
    ImGui::GetPlatformIO().Platform_GetClipboardTextFn = clipboard_text;
    ImGui::GetPlatformIO().Platform_SetClipboardTextFn = set_clipboard_text;
}

}  // namespace attn

extern "C" {

// The pointer is here now. kind: 0 mouse, 1 finger, 2 pen.
EMSCRIPTEN_KEEPALIVE void web_pointer_at(int kind, float x, float y) {
    attn::web().next.is_touch = kind == 1;
    ImGuiIO& io = ImGui::GetIO();
    io.AddMouseSourceEvent(kind == 1   ? ImGuiMouseSource_TouchScreen
                           : kind == 2 ? ImGuiMouseSource_Pen
                                       : ImGuiMouseSource_Mouse);
    io.AddMousePosEvent(x, y);
}

// The pointer left the canvas, or the finger was lifted.
EMSCRIPTEN_KEEPALIVE void web_pointer_gone() {
    ImGui::GetIO().AddMousePosEvent(-FLT_MAX, -FLT_MAX);
}

// The primary button, or the finger, went down or up at the last position.
EMSCRIPTEN_KEEPALIVE void web_pointer_button(int is_down) {
    ImGui::GetIO().AddMouseButtonEvent(0, is_down != 0);
}

// The wheel turned; notches, positive to the right end and to the bottom.
EMSCRIPTEN_KEEPALIVE void web_wheel(float right, float down) {
    ImGui::GetIO().AddMouseWheelEvent(-right, -down);
}

// Whether something under the pointer, as of the last frame, can scroll when the content moves by (x, y) CSS pixels, or
// follows a finger that moves so. If not, the gesture belongs to the page.
EMSCRIPTEN_KEEPALIVE int web_can_scroll(float x, float y) {
    const bool follows = std::abs(y) > std::abs(x) && (y < 0 ? attn::web().follows_up : attn::web().follows_down);
    return follows || attn::something_can_scroll(ImVec2(x, y));
}

// Whether what is under the pointer, as of the last frame, can be zoomed. If not, the gesture belongs to the page.
EMSCRIPTEN_KEEPALIVE int web_can_zoom() {
    return attn::web().takes_zoom;
}

// Two fingers, or Control and the wheel, over what can be zoomed; notches of a wheel, positive to enlarge.
EMSCRIPTEN_KEEPALIVE void web_zoom(float notches) {
    ImGuiIO& io = ImGui::GetIO();
    const ImGuiKey control = io.ConfigMacOSXBehaviors ? ImGuiMod_Super : ImGuiMod_Ctrl;
    io.AddKeyEvent(control, true);
    io.AddMouseWheelEvent(0, notches);
    io.AddKeyEvent(control, false);
}

// A key went down or up: "a" to "z", "0" to "9", or a name like "ArrowLeft". Returns whether ImGui knows the key.
EMSCRIPTEN_KEEPALIVE int web_key(const char* name, int is_down) {
    const ImGuiKey key = attn::key_of_name(name);
    if (key == ImGuiKey_None) return 0;
    attn::web().next.is_touch = false;
    ImGui::GetIO().AddKeyEvent(key, is_down != 0);
    return 1;
}

// Which modifier keys are down.
EMSCRIPTEN_KEEPALIVE void web_modifiers(int control, int shift, int alt, int meta) {
    ImGuiIO& io = ImGui::GetIO();
    io.AddKeyEvent(ImGuiMod_Ctrl, control != 0);
    io.AddKeyEvent(ImGuiMod_Shift, shift != 0);
    io.AddKeyEvent(ImGuiMod_Alt, alt != 0);
    io.AddKeyEvent(ImGuiMod_Super, meta != 0);
}

// Whether the shortcuts of a Mac apply (Command instead of Control).
EMSCRIPTEN_KEEPALIVE void web_use_mac_keys(int is_mac) {
    ImGui::GetIO().ConfigMacOSXBehaviors = is_mac != 0;
}

// Text was typed; composed characters arrive whole.
EMSCRIPTEN_KEEPALIVE void web_text(const char* text) {
    ImGui::GetIO().AddInputCharactersUTF8(text);
}

// Text was pasted: ImGui reads it from the clipboard at its own shortcut.
EMSCRIPTEN_KEEPALIVE void web_paste(const char* text) {
    attn::web().clipboard = text;
    ImGuiIO& io = ImGui::GetIO();
    const ImGuiKey shortcut = io.ConfigMacOSXBehaviors ? ImGuiMod_Super : ImGuiMod_Ctrl;
    io.AddKeyEvent(shortcut, true);
    io.AddKeyEvent(ImGuiKey_V, true);
    io.AddKeyEvent(ImGuiKey_V, false);
    io.AddKeyEvent(shortcut, false);
}

// The canvas got or lost the keyboard, by a pointer or not. A field that was being edited keeps what was typed and
// closes.
EMSCRIPTEN_KEEPALIVE void web_focus(int has_focus, int by_pointer) {
    attn::web().next.got_keyboard = has_focus != 0 && by_pointer == 0;
    ImGui::GetIO().AddFocusEvent(has_focus != 0);
    if (!has_focus) ImGui::ClearActiveID();
}

}  // extern "C"
