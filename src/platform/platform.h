// Window, loop, address bar, clipboard, files, system fonts: the only room that knows the browser or the desktop.
// One header, two bodies: platform_web.cpp and platform_desktop.cpp. It must not know what is drawn, or why.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/ground/result.h"
#include "platform/frame_io.h"
#include "render/text_bitmap.h"
#include "scene/pens/png_drawing.h"

namespace attn {

// Looks at the arguments before anything is opened. Returns the exit code when the program is done already: --help and
// --version (0) or arguments nobody understands (2, with a sentence on standard error). The web has no arguments.
std::optional<int> answer_arguments(int argument_count, char** arguments);

// Shows a sentence where the picture would be: standard error on the desktop, the page on the web.
void show_failure(const std::string& sentence);

class Platform {
public:
    // Opens the window or takes the page's canvas, starts GL and ImGui with its backends. The error is a sentence.
    // answer_arguments must have let these arguments pass.
    static Result<Platform> open(int argument_count, char** arguments);
    ~Platform();
    Platform(Platform&&) noexcept;
    Platform& operator=(Platform&&) noexcept;

    // Draws at once, then whenever something happened. Desktop: returns the exit code when the window is closed, after
    // both functions and all they own are gone. Web: returns 0 at once, the browser keeps calling: what a frame needs
    // must be owned by the functions, not by the caller.
    int run(DrawFrame draw_frame, DoWork do_work);

    // The clock of FrameInput::seconds, now. Browsers let it stand still for up to 0.1 s at a time. Needs an open
    // platform.
    static double seconds();

    // Bytes the whole program has in memory: all of WebAssembly's, or what the system counts. 0: unknown.
    static std::int64_t memory_bytes();

    // The platform's own text engine (Pango on the desktop, the browser's canvas on the web). Needs no open platform.
    static RasterizeText text_engine();

    // Draws figures with the same fonts (Cairo on the desktop, the browser's canvas on the web). Needs no open
    // platform.
    static DrawPng figure_engine();

private:
    struct Body;
    explicit Platform(std::unique_ptr<Body> body);
    std::unique_ptr<Body> body_;
};

// Starts an ImGui context as both platforms want it: nothing is written to disk, and nothing blinks, so that an idle
// program draws no frames. Shared: imgui_context.cpp.
void start_imgui_context();

// Tells ImGui the size of the framebuffer and how many of its pixels make a point, exactly: where ImGui multiplies
// again and cuts off the fraction, no row of pixels is lost to rounding.
void fit_imgui(int device_width, int device_height, float scale);

// True while ImGui still holds input it has not shown to the panels (it spreads a fast click over two frames).
bool imgui_has_pending_input();

}  // namespace attn
