// The way out of the program and back in: the link, figures, numbers, scripts, session files. Walks the export table;
// does not know how files are made or where they go: every action is a UiRequest.
#pragma once

#include <span>
#include <string>

#include "share/exports/exports.h"
#include "ui/frame/frame.h"

namespace attn {

// How the visitor wants exports, and the outcome of the last request. In no link.
struct ShareMemory {
    ExportOptions options;
    std::string outcome;  // a sentence; empty: nothing was asked for yet
    float height = 0;     // of the panel, as it was drawn last
};

// The panel's memory, made when it is first wanted.
ShareMemory& share_memory(PanelMemory& memory);

// The button at the cursor, and the panel while it is open.
void put_share_button(UiFrame& frame);
float share_button_width(const Look& look);

// Ctrl+S saves the session, Ctrl+O opens a file, wherever the focus is. Before the panels are drawn.
void take_share_keys(UiFrame& frame);

// A row of the panel: `label` on the left, and the cursor where a control of this size stands on the right.
void begin_share_row(const Look& look, std::string_view label, ImVec2 control);

// How figures are drawn, and which stage is written; one row for each kind of export, with what can be done with it.
// Into the current window at the cursor.
void put_figure_options(Display& display);
void put_stage_choice(Display& display);
void put_export_row(UiFrame& frame, const ExportInfo& info);

}  // namespace attn
