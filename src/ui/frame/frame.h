// What panels are handed. A frame has parts, and a function takes the smallest part that holds what it reads:
//
//   Look      colours, fonts, sizes                        const
//   Canvas    Look, and what widgets leave behind
//   Shown     the state and its numbers                    const
//   Display   Canvas and Shown, and what panels remember: shows numbers, changes no state
//   Wishes    the next state, notes, requests
//   UiFrame   all of it, and the session
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "playground/numbers/computation.h"
#include "playground/visit/session.h"
#include "ui/frame/canvas.h"
#include "ui/frame/heads_memory.h"
#include "ui/frame/panel_memory.h"
#include "ui/frame/shown.h"
#include "ui/frame/wishes.h"

namespace attn {

// What the panels need to know of the world around the canvas.
struct UiSurroundings {
    bool is_dark = false;  // of the system; the state's theme may overrule it
    bool reduces_motion = false;
    std::optional<ForcedColors> forced_colors;  // of the system, in place of ours
    bool got_keyboard = false;                  // just now, and not by a pointer
    bool is_touch = false;                      // the last input was a finger: larger targets
    bool page_shows_sentence = false;           // the page around the canvas has the title bar and the sentence field
    std::vector<std::string> recent;            // names of files opened lately; empty: none, or nobody keeps them
    std::string page_address;     // of the page around: '#' and a link follow; empty: no page, links stand alone
    bool can_share_link = false;  // the system has a sheet for handing links on
    bool has_fetch_page = false;  // beside the page around: it fetches models from an address
    Progress progress;            // of the computation, while it takes longer than a frame
    std::optional<float> read_share = {};  // of a model's files that are being read: the part that is there, 0 to 1
};

struct Display : Canvas, Shown {
    const UiSurroundings& surroundings;
    HeadsMemory& heads;   // of the room matrix alone
    PanelMemory& memory;  // of the other panels
};

struct UiFrame : Display, Wishes {
    Session& session;  // undo, redo, answers, what failed
};

}  // namespace attn
