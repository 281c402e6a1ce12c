// The ImGui canvas: reads state and evaluation, writes to the state and nowhere else. What the pointer is over is the only
// thing it remembers.
#pragma once

#include <imgui.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/result.h"
#include "playground/evaluation.h"
#include "playground/state.h"
#include "render/heatmap.h"
#include "ui/fonts.h"
#include "ui/theme.h"

namespace attn {

// What the panels need to know of the world around the canvas.
struct UiSurroundings {
    bool is_dark = false;             // of the system; the state's theme may overrule it
    bool reduces_motion = false;
    bool is_touch = false;            // the last input was a finger: larger targets
    bool page_shows_sentence = false; // the page around the canvas has the title bar and the sentence field
};

enum class LayoutKind { wide, narrow, phone };  // >= 900, >= 600, below

// What the pointer (or the keyboard's focus) is over. Rows and columns count from 0.
struct Hover {
    std::optional<Cell> cell;    // a cell of the shown stage
    std::optional<int> token;    // a token chip or an axis label
};

// Handed to every panel.
struct UiFrame {
    PlaygroundState& state;        // widgets write here
    const Evaluation& evaluation;  // of state.inputs as they were when the frame began
    int version;                   // of the evaluation
    const Notes& notes;            // to be shown
    const Palette& palette;
    const Fonts& fonts;
    HeatmapRenderer& heatmaps;
    const Hover& hover;            // of the last frame
    Hover& next_hover;             // panels write here
    UiSurroundings surroundings;
    LayoutKind layout;
};

class Ui {
public:
    // Needs a current GL context and ImGui context with its renderer backend started.
    static Result<Ui> create(const RasterizeText& rasterize);

    // Draws one frame between ImGui::NewFrame and ImGui::Render.
    void draw(PlaygroundState& state, const Evaluation& evaluation, int version, const Notes& notes,
              const UiSurroundings& surroundings);

    // True while something still moves: draw again without waiting for input.
    bool wants_another_frame() const;

    // After a lost GL context: makes the shaders and textures again.
    Result<bool> restore_gl();

private:
    Ui(Fonts fonts, HeatmapRenderer heatmaps);
    Fonts fonts_;
    HeatmapRenderer heatmaps_;
    Hover hover_;
    int settling_frames_ = 0;
};

// The panels, one a file. Each draws into the current ImGui window (or child) at the cursor.
void draw_top_bar(UiFrame& frame);    // desktop only: title, sentence, theme
void draw_tokens(UiFrame& frame);     // chips under the sentence
void draw_stages(UiFrame& frame);     // the stage strip
void draw_settings(UiFrame& frame);   // left column or drawer
void draw_heads(UiFrame& frame);      // the heat maps of all heads, or the enlarged one; legend
void draw_inspector(UiFrame& frame);  // the pinned cell in full
void draw_notes(UiFrame& frame);      // what was moved to a legal value
void draw_empty(UiFrame& frame);      // no tokens: a friendly word and examples

}  // namespace attn
