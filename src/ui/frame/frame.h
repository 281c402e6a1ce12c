// What every panel is handed: the state to write to, the numbers to show, and the world around the canvas.
#pragma once

#include <imgui.h>

#include <optional>
#include <string>
#include <vector>

#include "playground/numbers/computation.h"
#include "playground/numbers/evaluation.h"
#include "playground/state/state.h"
#include "playground/visit/session.h"
#include "render/heatmap.h"
#include "share/exports/export_kinds.h"
#include "ui/frame/heads_memory.h"
#include "ui/frame/panel_memory.h"
#include "ui/look/fonts.h"
#include "ui/look/theme.h"

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
    Progress progress;            // of the computation, while it takes longer than a frame
};

// Something the visitor asked for that a panel cannot do. The program does it after the frame.
struct UiRequest {
    enum class Kind {
        save,         // `what` as a file
        copy,         // `what`, a text, into the clipboard
        copy_text,    // `text` into the clipboard
        copy_digest,  // likewise
        share_link,   // `text`, to whomever the system offers
        open,         // ask for a file
        open_recent,  // surroundings.recent[index]
        stop,         // the computation, where it is
        go_on,        // with it
        measure,      // how long the numbers take: Ui::show_performance
        prepare,      // opens the author's page with this state
    };
    Kind kind = Kind::save;
    ExportKind what = ExportKind::session;
    ExportOptions options;
    std::string text;
    int index = 0;
};

enum class LayoutKind { wide, narrow, phone };  // see layout_of

// What the pointer (or the keyboard's focus) is over. Rows and columns count from 0.
struct Hover {
    std::optional<Cell> cell;  // a cell of the shown stage
    std::optional<int> token;  // a token chip or an axis label

    bool operator==(const Hover&) const = default;
};

// One item of the screen, for tests that drive the program from outside. Named after what it does, in the words of the
// link where there is one: "mask=none", "stage=weights", "heads+", "token=7".
struct UiItem {
    std::string name;
    ImGuiID id = 0;
    ImVec2 min, max;          // points from the canvas's top left corner
    bool is_clipped = false;  // by the window it stands in: scrolled out of sight, wholly or in part
    float own_bottom = 0;  // where its own part ends and the words that it shares with its neighbours begin; 0: nowhere
};

// Handed to every panel.
struct UiFrame {
    Session& session;
    const Evaluator& evaluator;
    const PlaygroundState& state;  // the numbers belong to it; all panels of a frame show this one
    PlaygroundState& next;         // of the session: widgets write here, and the session makes it legal after the frame
    const Evaluation& evaluation;  // evaluator.shown(): of state.inputs
    int version;                   // of the evaluation
    Notes& notes;                  // shown to the visitor; panels remove what was read and add what they could not use
    const Palette& palette;
    const Fonts& fonts;
    HeatmapRenderer* heatmaps;         // null without GL (tests): maps then stay blank, all else is the same
    const Hover& hover;                // of the last frame
    Hover& next_hover;                 // panels write here
    std::vector<UiItem>& items;        // panels write here, too: what stands where
    std::vector<UiRequest>& requests;  // panels write here what they cannot do themselves
    UiSurroundings surroundings;
    LayoutKind layout;
    bool is_folded;       // a phone or a low canvas: what stands above the picture is one line
    HeadsMemory& heads;   // of the room matrix alone
    PanelMemory& memory;  // of the other panels

    // A phone, upright or on its side, or a window at 200 %: shows one head at a time, and no button twice.
    bool is_small() const { return layout == LayoutKind::phone || (is_folded && layout == LayoutKind::narrow); }
};

}  // namespace attn
