// This file converts between three units: points (the panels', independent of the monitor), device pixels (points
// times the scale), and window units, which are points on some systems (macOS, Wayland) and device pixels on others
// (X11, Windows).
#include "platform/window_desktop.h"

#include <GLES3/gl3.h>
#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <imgui.h>
#include <imgui_impl_glfw.h>
#include <imgui_impl_opengl3.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "platform/icon_desktop.h"
#include "platform/platform.h"

namespace attn {
namespace {

// GLFW's description of the last error.
std::string& last_glfw_error() {
    static std::string description;
    return description;
}

int to_units(int points, float units_per_point) {
    return static_cast<int>(std::lround(static_cast<float>(points) * units_per_point));
}

void set_icon(GLFWwindow* window) {
    constexpr std::array kSizes = {16, 32, 48, 128};
    std::array<std::vector<std::uint8_t>, kSizes.size()> pixels;
    std::array<GLFWimage, kSizes.size()> images{};
    for (std::size_t i = 0; i < kSizes.size(); ++i) {
        pixels[i] = draw_icon(kSizes[i]);
        images[i] = GLFWimage{kSizes[i], kSizes[i], pixels[i].data()};
    }
    glfwSetWindowIcon(window, static_cast<int>(images.size()), images.data());
}

// Under Wayland the desktop finds icon and name through this, GLFW offers it from 3.4 on. This program may have been
// built with an older one than it runs with.
void hint_wayland_name() {
    constexpr int kWaylandAppId = 0x00026001;  // GLFW_WAYLAND_APP_ID
    int major = 0, minor = 0;
    glfwGetVersion(&major, &minor, nullptr);
    if (major > 3 || minor >= 4) glfwWindowHintString(kWaylandAppId, "attention-playground");
}

// Whether some monitor shows enough of the top edge to take hold of the window there.
bool is_on_a_monitor(const WindowPosition& position, int width) {
    constexpr int kEnough = 64;
    int num_monitors = 0;
    GLFWmonitor** monitors = glfwGetMonitors(&num_monitors);
    for (int i = 0; i < num_monitors; ++i) {
        int x = 0, y = 0, monitor_width = 0, monitor_height = 0;
        glfwGetMonitorWorkarea(monitors[i], &x, &y, &monitor_width, &monitor_height);
        const bool is_in_columns = position.x + width >= x + kEnough && position.x <= x + monitor_width - kEnough;
        if (is_in_columns && position.y >= y && position.y <= y + monitor_height - kEnough) return true;
    }
    return false;
}

}  // namespace

Result<std::unique_ptr<Window>> Window::open(const WindowWishes& wishes) {
    using Opened = Result<std::unique_ptr<Window>>;
    last_glfw_error().clear();
    glfwSetErrorCallback([](int, const char* description) { last_glfw_error() = description; });
    if (!glfwInit())
        return Opened::failure("No window can be opened, because there is no display (" + last_glfw_error() + ").");
    glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
    glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
    glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
    glfwWindowHint(GLFW_OPENGL_FORWARD_COMPAT, GLFW_TRUE);  // macOS gives 3.3 in no other way
    glfwWindowHint(GLFW_VISIBLE, GLFW_FALSE);               // shown once it has its place
    glfwWindowHintString(GLFW_X11_CLASS_NAME, "attention-playground");
    glfwWindowHintString(GLFW_X11_INSTANCE_NAME, "attention-playground");
    glfwWindowHint(GLFW_AUTO_ICONIFY, GLFW_FALSE);  // a window that fills the screen stays while a dialog is open
    hint_wayland_name();
    GLFWwindow* handle =
        glfwCreateWindow(wishes.size.width, wishes.size.height, "Attention Playground", nullptr, nullptr);
    if (!handle) {
        glfwTerminate();
        return Opened::failure("No window can be opened, because this system does not offer OpenGL 3.3 (" +
                               last_glfw_error() + ").");
    }
    std::unique_ptr<Window> window(new Window(handle, wishes));
    std::string error = window->start();
    if (!error.empty()) return Opened::failure(std::move(error));
    return window;
}

Window::Window(GLFWwindow* window, const WindowWishes& wishes) : window_(window), wishes_(wishes), size_(wishes.size) {
    glfwSetWindowUserPointer(window_, this);
    glfwMakeContextCurrent(window_);
    start_imgui_context();
    ImGui_ImplGlfw_InitForOpenGL(window_, false);
    ImGui_ImplOpenGL3_Init("#version 330");
}

Window::~Window() {
    ImGui_ImplOpenGL3_Shutdown();
    ImGui_ImplGlfw_Shutdown();
    ImGui::DestroyContext();
    picture_.reset();
    glfwDestroyWindow(window_);
    glfwTerminate();
}

std::string Window::start() {
    if (wishes_.is_offscreen) {
        const float pixels = scale();
        Result<Offscreen> picture = Offscreen::create(to_units(size_.width, pixels), to_units(size_.height, pixels));
        if (!picture) return picture.error();
        picture_ = std::move(*picture);
        return {};
    }
    const float units = units_per_point();
    int x = 0, y = 0, screen_width = 0, screen_height = 0;
    if (GLFWmonitor* monitor = glfwGetPrimaryMonitor(); monitor && wishes_.must_fit_screen) {
        glfwGetMonitorWorkarea(monitor, &x, &y, &screen_width, &screen_height);
        size_.width = std::min(size_.width, static_cast<int>(static_cast<float>(screen_width) / units));
        size_.height = std::min(size_.height, static_cast<int>(static_cast<float>(screen_height) / units));
    }
    glfwSetWindowSizeLimits(window_, to_units(kSmallestWindow.width, units), to_units(kSmallestWindow.height, units),
                            GLFW_DONT_CARE, GLFW_DONT_CARE);
    glfwSetWindowSize(window_, to_units(size_.width, units), to_units(size_.height, units));
    if (wishes_.position && is_on_a_monitor(*wishes_.position, to_units(size_.width, units)))
        glfwSetWindowPos(window_, wishes_.position->x, wishes_.position->y);
    set_icon(window_);
    install_callbacks();
    glfwSwapInterval(1);
    glfwShowWindow(window_);
    if (wishes_.is_full_screen) toggle_full_screen();
    return {};
}

// Each callback notes that something happened and hands it to ImGui's backend, the pointer in points.
void Window::install_callbacks() {
    static const auto self = [](GLFWwindow* window) -> Window& {
        Window& it = *static_cast<Window*>(glfwGetWindowUserPointer(window));
        it.has_event_ = true;
        return it;
    };
    glfwSetWindowFocusCallback(window_, [](GLFWwindow* window, int is_focused) {
        self(window);
        ImGui_ImplGlfw_WindowFocusCallback(window, is_focused);
    });
    glfwSetCursorEnterCallback(window_, [](GLFWwindow* window, int has_entered) {
        self(window);
        ImGui_ImplGlfw_CursorEnterCallback(window, has_entered);
    });
    glfwSetCursorPosCallback(window_, [](GLFWwindow* window, double x, double y) {
        const double units = static_cast<double>(self(window).units_per_point());
        ImGui_ImplGlfw_CursorPosCallback(window, x / units, y / units);
    });
    glfwSetMouseButtonCallback(window_, [](GLFWwindow* window, int button, int action, int modifiers) {
        self(window);
        ImGui_ImplGlfw_MouseButtonCallback(window, button, action, modifiers);
    });
    glfwSetScrollCallback(window_, [](GLFWwindow* window, double x, double y) {
        self(window);
        ImGui_ImplGlfw_ScrollCallback(window, x, y);
    });
    glfwSetKeyCallback(window_, [](GLFWwindow* window, int key, int scancode, int action, int modifiers) {
        self(window);
        if (key == GLFW_KEY_Q && action == GLFW_PRESS && modifiers == GLFW_MOD_CONTROL)
            glfwSetWindowShouldClose(window, GLFW_TRUE);
        const bool is_alt_enter = key == GLFW_KEY_ENTER && modifiers == GLFW_MOD_ALT;
        if (action == GLFW_PRESS && (is_alt_enter || (key == GLFW_KEY_F11 && modifiers == 0)))
            return self(window).toggle_full_screen();
        ImGui_ImplGlfw_KeyCallback(window, key, scancode, action, modifiers);
    });
    glfwSetDropCallback(window_, [](GLFWwindow* window, int num_paths, const char** paths) {
        Window& it = self(window);
        it.dropped_.insert(it.dropped_.end(), paths, paths + num_paths);
    });
    glfwSetCharCallback(window_, [](GLFWwindow* window, unsigned character) {
        self(window);
        ImGui_ImplGlfw_CharCallback(window, character);
    });
    glfwSetWindowRefreshCallback(window_, [](GLFWwindow* window) { self(window); });
    glfwSetFramebufferSizeCallback(window_, [](GLFWwindow* window, int, int) { self(window); });
    glfwSetWindowContentScaleCallback(window_, [](GLFWwindow* window, float, float) { self(window); });
    glfwSetWindowIconifyCallback(window_, [](GLFWwindow* window, int) { self(window); });
    glfwSetWindowCloseCallback(window_, [](GLFWwindow* window) { self(window); });
}

void Window::wait(std::optional<double> seconds) {
    if (!seconds)
        glfwWaitEvents();
    else if (*seconds > 0)
        glfwWaitEventsTimeout(*seconds);
    else
        glfwPollEvents();
}

void Window::wake() {
    has_event_ = true;
    glfwPostEmptyEvent();
}

bool Window::is_closing() const {
    return glfwWindowShouldClose(window_) != 0;
}

bool Window::is_iconified() const {
    return glfwGetWindowAttrib(window_, GLFW_ICONIFIED) != 0;
}

void Window::draw(const std::function<void()>& panels) {
    int width = 0, height = 0;
    glfwGetFramebufferSize(window_, &width, &height);
    if (picture_) {
        width = picture_->width();
        height = picture_->height();
    }
    ImGui_ImplOpenGL3_NewFrame();
    ImGui_ImplGlfw_NewFrame();
    fit_imgui(width, height, scale());  // the backend has counted in window units
    ImGui::NewFrame();
    panels();
    ImGui::Render();
    const ImVec4 ground = ImGui::GetStyleColorVec4(ImGuiCol_WindowBg);
    glViewport(0, 0, width, height);
    glClearColor(ground.x, ground.y, ground.z, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
    if (!picture_) {
        glfwSwapBuffers(window_);
        remember_place();
    }
}

void Window::set_title(const std::string& title) {
    glfwSetWindowTitle(window_, title.c_str());
}

void Window::copy(const std::string& text) {
    glfwSetClipboardString(window_, text.c_str());
}

std::vector<std::filesystem::path> Window::take_dropped() {
    return std::exchange(dropped_, {});
}

bool Window::fills_screen() const {
    return glfwGetWindowMonitor(window_) != nullptr;
}

void Window::toggle_full_screen() {
    GLFWmonitor* shown_on = monitor();
    if (!shown_on) return;
    if (fills_screen()) {
        WindowPosition place;
        glfwGetMonitorWorkarea(shown_on, &place.x, &place.y, nullptr, nullptr);
        place = position_.value_or(place);
        const float units = units_per_point();
        glfwSetWindowMonitor(window_, nullptr, place.x, place.y, to_units(size_.width, units),
                             to_units(size_.height, units), GLFW_DONT_CARE);
    } else {
        const GLFWvidmode* mode = glfwGetVideoMode(shown_on);  // as it is, so nothing on other monitors moves
        glfwSetWindowMonitor(window_, shown_on, 0, 0, mode->width, mode->height, mode->refreshRate);
    }
}

GLFWmonitor* Window::monitor() const {
    if (GLFWmonitor* filled = glfwGetWindowMonitor(window_)) return filled;
    int left = 0, top = 0, width = 0, height = 0;
    glfwGetWindowPos(window_, &left, &top);
    glfwGetWindowSize(window_, &width, &height);
    int num_monitors = 0;
    GLFWmonitor** monitors = glfwGetMonitors(&num_monitors);
    for (int i = 0; i < num_monitors; ++i) {
        int x = 0, y = 0;
        glfwGetMonitorPos(monitors[i], &x, &y);
        const GLFWvidmode* mode = glfwGetVideoMode(monitors[i]);
        const bool is_in_columns = left + width / 2 >= x && left + width / 2 < x + mode->width;
        if (is_in_columns && top + height / 2 >= y && top + height / 2 < y + mode->height) return monitors[i];
    }
    return glfwGetPrimaryMonitor();
}

void Window::remember_place() {
    if (is_iconified() || fills_screen() || glfwGetWindowAttrib(window_, GLFW_MAXIMIZED)) return;
    int width = 0, height = 0;
    glfwGetWindowSize(window_, &width, &height);
    const float units = units_per_point();
    size_ = {static_cast<int>(std::lround(static_cast<float>(width) / units)),
             static_cast<int>(std::lround(static_cast<float>(height) / units))};
    WindowPosition position;
    glfwGetError(nullptr);  // forgets older errors
    glfwGetWindowPos(window_, &position.x, &position.y);
    if (glfwGetError(nullptr) == GLFW_NO_ERROR) position_ = position;  // Wayland keeps the place to itself
}

float Window::scale() const {
    if (wishes_.scale) return *wishes_.scale;
    float x = 1, y = 1;
    if (!wishes_.is_offscreen) glfwGetWindowContentScale(window_, &x, &y);
    return x > 0 ? x : 1;  // some virtual monitors say 0
}

float Window::units_per_point() const {
    int width = 0, pixel_width = 0, height = 0;
    glfwGetWindowSize(window_, &width, &height);
    glfwGetFramebufferSize(window_, &pixel_width, &height);
    if (width <= 0 || pixel_width <= 0) return 1;
    return scale() * static_cast<float>(width) / static_cast<float>(pixel_width);
}

}  // namespace attn
