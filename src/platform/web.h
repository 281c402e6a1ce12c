// What the parts of the web platform share. A module drives one canvas, so there is one of these; a page with two
// playgrounds has two modules. The page (web/engine.js) calls in through the exported C functions of the *_web.cpp
// files and is called through Module.host. It must not know what is drawn, or why.
#pragma once

#include <imgui.h>

#include <list>
#include <string>

#include "platform/last_picture.h"
#include "platform/platform.h"

namespace attn {

struct Web {
    FrameInput next;               // what has happened since the last frame
    DrawFrame draw_frame;          // empty until Platform::run
    DoWork do_work;                // the same
    bool takes_zoom = false;       // FrameOutput::takes_zoom of the last frame
    bool follows_up = false;       // FrameOutput::follows_up of the last frame
    bool follows_down = false;     // likewise
    std::string clipboard;         // what was copied or pasted last
    std::list<std::string> files;  // on their way out: the page takes them part by part
    std::string sentence;          // what the page's field says, as far as this module knows
    bool is_rehearsed = false;     // once, before the first picture
    LastPicture on_screen;         // of the canvas
    ImGuiPlatformImeData ime;      // whether ImGui wants text, and where its caret is
    std::string items;             // what stands where, as of the last frame that was asked: FrameOutput::items
};

Web& web();

// An open model's numbers are wanted: the page reads them from its files (page_models.cpp).
void tell_model_wants_bytes();

// Gives ImGui the page's clipboard.
void start_web_clipboard();

}  // namespace attn
