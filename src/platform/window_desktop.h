// The desktop's window, made with GLFW, GL 3.3 and ImGui's backends. Draws what it is told and collects events.
// Must not know what is drawn, what is remembered, or when a frame is due.
#pragma once

#include <atomic>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/ground/result.h"
#include "platform/command_line_desktop.h"
#include "platform/last_visit_desktop.h"
#include "platform/offscreen_desktop.h"

struct GLFWmonitor;
struct GLFWwindow;

namespace attn {

struct WindowWishes {
    WindowSize size;
    bool must_fit_screen = true;             // make it smaller where the monitor is
    std::optional<WindowPosition> position;  // ignored where no monitor shows it any more
    std::optional<float> scale;              // device pixels a point; nothing: the monitor's
    bool is_full_screen = false;             // F11 and Alt+Enter change it
    bool is_offscreen = false;               // draw into memory; nothing appears
};

class Window {
public:
    // One at a time. The error is a sentence.
    static Result<std::unique_ptr<Window>> open(const WindowWishes& wishes);
    ~Window();
    Window(const Window&) = delete;
    Window& operator=(const Window&) = delete;

    // Sleeps until something happens, at most this many seconds; nothing: without end.
    void wait(std::optional<double> seconds);

    // Ends wait() from any thread.
    void wake();

    // Whether something happened since the last forget_event(): input, a new size, wake().
    bool has_event() const { return has_event_; }
    void forget_event() { has_event_ = false; }

    bool is_closing() const;
    bool is_iconified() const;

    // Draws one frame around `panels`, which is called between ImGui::NewFrame and ImGui::Render.
    void draw(const std::function<void()>& panels);

    void set_title(const std::string& title);

    // Puts `text` into the clipboard.
    void copy(const std::string& text);

    // Files that were dropped on the window since somebody looked.
    std::vector<std::filesystem::path> take_dropped();

    // Size and place as they are when the window is neither maximized nor iconified nor fills the screen.
    WindowSize size() const { return size_; }
    std::optional<WindowPosition> position() const { return position_; }

    // The picture in memory, for windows that are offscreen.
    const Offscreen& picture() const { return *picture_; }

private:
    explicit Window(GLFWwindow* window, const WindowWishes& wishes);
    std::string start();  // the rest of opening; empty or a sentence
    void install_callbacks();
    void remember_place();
    bool fills_screen() const;
    void toggle_full_screen();
    GLFWmonitor* monitor() const;   // the one that shows the window's middle, or the first; null where there is none
    float scale() const;            // device pixels a point
    float units_per_point() const;  // window units (what GLFW measures windows and the pointer in) a point

    GLFWwindow* window_;
    WindowWishes wishes_;
    std::optional<Offscreen> picture_;
    std::atomic<bool> has_event_ = true;
    WindowSize size_;
    std::optional<WindowPosition> position_;
    std::vector<std::filesystem::path> dropped_;
};

}  // namespace attn
