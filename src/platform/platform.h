// Window, loop, address bar, clipboard, files, system fonts: the only room that knows the browser or the desktop.
// One header, two bodies: platform_web.cpp and platform_desktop.cpp. It must not know what is drawn, or why.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/result.h"
#include "render/text_bitmap.h"
#include "share/png_drawing.h"

namespace attn {

// A file on its way in or out. The name has no folders.
struct FileData {
    std::string name;
    std::string media_type;  // on the way out
    std::string bytes;
};

// What the world tells a frame.
struct FrameInput {
    bool system_is_dark = false;
    bool reduces_motion = false;
    bool is_touch = false;                // the last input was a finger
    bool page_shows_sentence = false;     // the page around the canvas carries title and sentence field
    bool gl_was_lost = false;             // the GL context is new: make GL objects again
    bool is_closing = false;              // perhaps the last frame: what waits to be remembered is handed out now
    bool wants_items = false;             // a test asks what stands where
    bool is_rehearsal = false;            // nobody sees this frame: ImGui learns how much room things take
    double seconds = 0;                   // monotonic clock
    std::optional<std::string> link;      // arrived from outside: command line, address bar, Back, saved state
    std::optional<std::string> sentence;  // the page's field now says this (the shown sentence of the batch)
    std::string note;                     // a sentence for the visitor about the world, or empty
    std::vector<FileData> files;          // dropped on the picture, or chosen after FrameOutput::wants_file
    std::vector<std::string> recent;      // files opened or saved lately, newest first, as people know them; desktop
    bool can_open_recent = false;         // FrameOutput::opens_recent has a meaning
    std::string page_address;             // of the page around, without '#' and what follows; empty on the desktop
};

// What a frame tells the world.
struct FrameOutput {
    bool wants_another = false;        // draw again without waiting for input
    std::optional<double> wake_after;  // seconds until a frame is wanted even without input
    std::string sentence;              // the shown sentence: for the page's field and the window's title
    bool is_dark = false;              // the theme that was drawn
    std::optional<std::string> link;   // the state rested: show and remember this link
    bool is_new_step = true;           // Back should return to the link before (else it is replaced)
    std::string announcement;          // one sentence for screen readers; empty when there is nothing new to say
    bool takes_zoom = false;           // the wheel with Ctrl, or two fingers, here and now are for the picture
    bool hides_sentence = false;       // the page's field is to be left out
    bool locks_sentence = false;       // the page's field is to be read only
    std::optional<FileData> save;      // the visitor wants this as a file; platforms ask where
    std::optional<std::string> copy;   // the visitor wants this text in the clipboard
    bool wants_file = false;           // ask the visitor for files to open
    std::optional<int> opens_recent;   // open FrameInput::recent[i]
    std::string items;                 // when asked for: what stands where, as JSON (items_as_json)
    bool has_work = false;             // DoWork has something to do
    std::string failure;               // not empty: nothing more can be drawn, for the reason this sentence gives
};

// Draws one frame. Called with GL current, between ImGui::NewFrame and ImGui::Render, which are the platform's
// business.
using DrawFrame = std::function<FrameOutput(const FrameInput&)>;

// What became of a piece of work between frames.
struct WorkOutput {
    bool has_more = false;
    bool wants_frame = false;  // there is something new to see
};

// Works for some 10 ms and returns: what takes longer than a frame is done piece by piece between them, as long as
// there is more and the picture can be seen. Called with GL current.
using DoWork = std::function<WorkOutput()>;

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
    // both functions and all they own are gone. Web: returns 0 at once, the browser goes on calling: what a frame needs
    // must be owned by the functions, not by the caller.
    int run(DrawFrame draw_frame, DoWork do_work);

    // The clock of FrameInput::seconds, now. Browsers let it stand still for up to 0.1 s at a time. Needs an open
    // platform.
    static double seconds();

    // Bytes the whole program has in memory: all of WebAssembly's, or what the system counts. 0: nobody knows.
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
