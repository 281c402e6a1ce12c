// What panels ask for while a frame is drawn. All of it happens after the frame.
#pragma once

#include <string>
#include <vector>

#include "playground/state/state.h"
#include "playground/text/notes.h"
#include "share/exports/export_kinds.h"
#include "ui/frame/shown.h"

namespace attn {

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
        stop_model,   // the reading of a model's files
        measure,      // how long the numbers take: Ui::show_performance
        prepare,      // opens the author's page with this state
        fetch_model,  // opens the page that fetches models, with this state
        sheet,        // shows the sheet of answers, where the page has one
    };
    Kind kind = Kind::save;
    ExportKind what = ExportKind::session;
    ExportOptions options;
    std::string text;
    int index = 0;
};

struct Wishes {
    PlaygroundState& next;  // of the session, which makes it legal after the frame
    Hover& next_hover;      // what the pointer is over now
    Notes& notes;           // shown to the visitor; panels remove what was read and add what they could not use
    std::vector<UiRequest>& requests;  // what panels cannot do themselves
    std::vector<std::string>& said;    // to screen readers, where neither state nor notes nor focus tell it: sentences
};

}  // namespace attn
