// Window, loop, address bar, clipboard, system fonts: the only room that knows the browser or the desktop.
// One header, two bodies: platform_web.cpp and platform_desktop.cpp.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "core/result.h"
#include "render/text_bitmap.h"

namespace attn {

// What the world tells a frame.
struct FrameInput {
    bool system_is_dark = false;
    bool reduces_motion = false;
    bool is_touch = false;                // the last input was a finger
    bool page_shows_sentence = false;     // the page around the canvas carries title and sentence field
    bool gl_was_lost = false;             // the GL context is new: make GL objects again
    double seconds = 0;                   // monotonic clock
    std::optional<std::string> link;      // arrived from outside: command line, address bar, Back, saved state
    std::optional<std::string> sentence;  // the page's field now says this (first sentence of the batch)
};

// What a frame tells the world.
struct FrameOutput {
    bool wants_another = false;           // draw again without waiting for input
    std::optional<double> wake_after;     // seconds until a frame is wanted even without input
    std::string sentence;                 // what the page's field should say
    bool is_dark = false;                 // the theme that was drawn
    std::optional<std::string> link;      // the state rested: show and remember this link
    bool is_new_step = true;              // Back should return to the link before (else it is replaced)
    std::string announcement;             // one sentence for screen readers when it changed
};

using DrawFrame = std::function<FrameOutput(const FrameInput&)>;

class Platform {
public:
    // Opens the window or takes the page's canvas, starts GL and ImGui with its backends. The error is a sentence.
    static Result<Platform> open(int argument_count, char** arguments);

    // Draws at once, then whenever something happened. Desktop: returns when the window is closed. Web: returns at once, the
    // browser goes on calling.
    void run(DrawFrame draw_frame);

    // The platform's own text engine (Pango on the desktop, the browser's canvas on the web).
    RasterizeText text_engine() const;
};

}  // namespace attn
