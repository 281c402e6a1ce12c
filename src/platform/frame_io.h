// Input and output of a frame: plain data, so that the program can be tested without
// a window.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace attn {

// A file on its way in or out. The name has no folders.
struct FileData {
    std::string name;
    std::string media_type;  // on the way out
    std::string bytes;
    // Of a model's numbers, which may be more than memory has room for twice: no bytes but the size, and what reads
    // those from `begin` on. It returns nothing, or a sentence that says why they cannot be read. On the desktop.
    std::uint64_t size = 0;
    std::function<std::string(std::uint64_t begin, std::span<std::uint8_t> into)> read_part = {};
};

// What the world tells a frame.
struct FrameInput {
    bool system_is_dark = false;
    bool reduces_motion = false;
    // What the system insists on, 0xRRGGBB: ground, text, links, what is chosen, and what is written on that.
    std::optional<std::array<unsigned, 5>> forced_colors;
    bool got_keyboard = false;            // just now, and not by a pointer
    bool is_touch = false;                // the last input was a finger
    bool page_shows_sentence = false;     // the page around the canvas carries title and sentence field
    bool gl_was_lost = false;             // the GL context is new: make GL objects again
    bool is_closing = false;              // perhaps the last frame: what waits to be remembered is handed out now
    bool wants_items = false;             // a test asks what stands where
    bool has_all = false;                 // of the program: nothing that opens has to be fetched first
    bool is_rehearsal = false;            // nobody sees this frame: ImGui learns how much room things take
    double seconds = 0;                   // monotonic clock
    std::optional<std::string> link;      // arrived from outside: command line, address bar, Back, saved state
    std::optional<std::string> sentence;  // the page's field now says this (the shown sentence of the batch)
    std::string note;                     // a sentence for the visitor about what went wrong, or empty
    std::string success;                  // likewise about what went well
    std::vector<FileData> files;          // dropped on the picture, or chosen after FrameOutput::wants_file
    std::vector<std::string> recent;      // files opened or saved lately, newest first, as people know them; desktop
    bool can_open_recent = false;         // FrameOutput::opens_recent has a meaning
    std::string visited;                  // steps of lessons seen in earlier visits, as FrameOutput::visited has them
    bool can_share_link = false;          // FrameOutput::share has a meaning
    std::string page_address;             // of the page around, without '#' and what follows; empty on the desktop
    bool has_fetch_page = false;          // FrameOutput::opens_fetch_page has a meaning
};

// What a frame tells the world.
struct FrameOutput {
    bool wants_another = false;          // draw again without waiting for input
    bool plays = false;                  // something moves by itself: the next frame is for that, not for the input
    std::optional<double> wake_after;    // seconds until a frame is wanted even without input
    std::string sentence;                // the shown sentence: for the page's field and the window's title
    bool is_dark = false;                // the theme that was drawn
    std::optional<std::string> link;     // the state rested: show and remember this link
    std::optional<std::string> visited;  // with the link: all steps of lessons that were seen, now and earlier
    bool is_new_step = true;             // Back should return to the link before (else it is replaced)
    std::string announcement;            // one sentence for screen readers; empty when there is nothing new to say
    bool takes_zoom = false;             // the wheel with Ctrl, or two fingers, here and now are for the picture
    bool follows_up = false;             // a finger that drags upwards here and now is for the picture
    bool follows_down = false;           // likewise downwards
    bool hides_sentence = false;         // the page's field is to be left out
    bool locks_sentence = false;         // the page's field is to be read only
    std::optional<FileData> save;        // the visitor wants this as a file; platforms ask where
    std::optional<std::string> copy;     // the visitor wants this text in the clipboard
    std::optional<std::string> share;    // the visitor wants to hand this link on, by the system's sheet for that
    bool wants_file = false;             // ask the visitor for files to open
    bool opens_author_page = false;      // with the state as it is: where the page has one
    bool opens_fetch_page = false;       // that fetches models, with the state as it is
    bool opens_sheet = false;            // of the answers: where the page has one
    int num_answers = 0;                 // counts what was answered, and what changed it: AnswerLog::version
    std::optional<int> opens_recent;     // open FrameInput::recent[i]
    std::string items;                   // when asked for: what stands where, as JSON (items_as_json)
    bool has_work = false;               // DoWork has something to do
    std::string failure;                 // not empty: nothing more can be drawn, for the reason this sentence gives
};

// Draws one frame. Called with GL current, between ImGui::NewFrame and ImGui::Render, which the platform calls. The
// files of the input may be moved away.
using DrawFrame = std::function<FrameOutput(FrameInput&)>;

// What became of a piece of work between frames.
struct WorkOutput {
    bool has_more = false;
    bool wants_frame = false;  // there is something new to see
};

// Works for some 10 ms and returns: what takes longer than a frame is done piece by piece between them, as long as
// there is more and the picture can be seen. Called with GL current.
using DoWork = std::function<WorkOutput()>;

}  // namespace attn
