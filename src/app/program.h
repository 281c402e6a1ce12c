// The data of the program that lives as long as the window. Knows no window: it is given the clock and the text engine.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "platform/frame_io.h"
#include "playground/models/model_opening.h"
#include "playground/numbers/computation.h"
#include "playground/visit/performance.h"
#include "playground/visit/session.h"
#include "scene/pens/png_drawing.h"
#include "share/exports/exports.h"
#include "ui/shell/ui.h"

namespace attn {

// What the platform does for the program between its frames.
struct World {
    double (*seconds)() = nullptr;                                                // monotonic clock
    DrawPng draw_png;                                                             // empty: no PNG files
    std::function<std::int64_t()> memory_bytes = [] { return std::int64_t{0}; };  // of the whole program; 0: unknown
};

inline constexpr double kSeen = 0.1;  // seconds until a frame that was drawn is on the screen

struct Program {
    // The session lives longer than the program.
    Program(Ui panels, World around, Session& visit)
        : world(std::move(around)), session(visit), ui(std::move(panels)) {}

    World world;
    Session& session;
    Computation computation;
    double drawn_at = 0;            // seconds: the last frame
    PartSeconds part_seconds = {};  // that the numbers took so far
    Ui ui;
    std::vector<UiRequest> requests;   // files and copies to be made once the numbers are there
    std::optional<ExportWork> making;  // of the first of them
    std::optional<double> held_at;     // seconds: since when files of a long text wait for a word about them to be seen
    bool is_word_out = false;          // the event that asked for them is over: what was drawn and told in it is out
    std::vector<FileData> files;       // that came in, the first one first; one at a time waits for an answer
    std::optional<ModelOpening> opening_model;  // whose files came in
    std::optional<double> opening_at;           // seconds: since when the first waits for a word about it to be seen
    bool is_model_refused = false;              // the own model was waited for in vain: nothing waits for it again
    std::string outcome;    // what became of a file or a request: a sentence that screen readers are still to be told
    std::string announced;  // what screen readers were told last
    std::string announced_step;              // "causal 2": the lesson and its step, from 0
    std::string announced_focus;             // the item
    std::string announced_focus_words;       // and what was said of it
    Notes announced_notes;                   // above the picture
    std::string last_announcement;           // the last one that was not empty
    std::optional<Inputs> announced_inputs;  // nothing: nothing was announced yet
};

}  // namespace attn
