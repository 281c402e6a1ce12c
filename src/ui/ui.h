// The ImGui canvas: reads state and evaluation, writes to the state and the notes and nowhere else. What the pointer is
// over and where the reading eye is are all it remembers; ImGui itself remembers focus, scroll positions and drawers.
#pragma once

#include <imgui.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/result.h"
#include "playground/computation.h"
#include "playground/evaluation.h"
#include "playground/session.h"
#include "playground/state.h"
#include "render/heatmap.h"
#include "share/exports.h"
#include "share/open_file.h"
#include "ui/fonts.h"
#include "ui/heads_memory.h"
#include "ui/heads_work.h"
#include "ui/panel_memory.h"
#include "ui/theme.h"

namespace attn {

struct Performance;

// What the panels need to know of the world around the canvas.
struct UiSurroundings {
    bool is_dark = false;  // of the system; the state's theme may overrule it
    bool reduces_motion = false;
    bool is_touch = false;             // the last input was a finger: larger targets
    bool page_shows_sentence = false;  // the page around the canvas has the title bar and the sentence field
    std::vector<std::string> recent;   // names of files opened lately; empty: none, or nobody keeps them
    std::string page_address;          // of the page around: '#' and a link follow; empty: no page, links stand alone
    Progress progress;                 // of the computation, while it takes longer than a frame
};

// Something the visitor asked for that a panel cannot do itself. The program does it after the frame.
struct UiRequest {
    enum class Kind {
        save,         // `what` as a file
        copy,         // `what`, a text, into the clipboard
        copy_text,    // `text` into the clipboard
        copy_digest,  // likewise
        open,         // ask for a file
        open_recent,  // surroundings.recent[index]
        stop,         // the computation, where it is
        go_on,        // with it
        measure,      // how long the numbers take: Ui::show_performance
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
};

// Handed to every panel.
struct UiFrame {
    Session& session;
    const Evaluator& evaluator;
    PlaygroundState& state;        // of the session; widgets write here
    const Evaluation& evaluation;  // evaluator.shown(): of state.inputs as they were when the frame began
    int version;                   // of the evaluation
    Notes& notes;                  // to be shown; panels take away what was read and add what could not be used
    const Palette& palette;
    const Fonts& fonts;
    HeatmapRenderer* heatmaps;         // nothing without GL (tests): the maps then stay blank, all else is the same
    const Hover& hover;                // of the last frame
    Hover& next_hover;                 // panels write here
    std::vector<UiItem>& items;        // panels write here, too: what stands where
    std::vector<UiRequest>& requests;  // panels write here what they cannot do themselves
    UiSurroundings surroundings;
    LayoutKind layout;
    HeadsMemory& heads;   // of draw_heads alone
    PanelMemory& memory;  // of the other panels
};

class Ui {
public:
    // Needs a current GL context and ImGui context with its renderer backend started.
    static Result<Ui> create(const RasterizeText& rasterize);

    // The same without a GL context: everything but the colours of the heat maps.
    static Ui create_without_gl(const RasterizeText& rasterize);

    // Draws one frame between ImGui::NewFrame and ImGui::Render. A sentence typed here, a setting, a pin: all in the
    // session's state, to be settled afterwards. The evaluator has begun that state.
    void draw(Session& session, const Evaluator& evaluator, const UiSurroundings& surroundings);

    // True while something still moves: draw again without waiting for input.
    bool wants_another_frame() const { return wants_another_; }

    // Whether the last frame left something of the heat maps, for work().
    bool has_work() const { return heads_.shown && heads_.shown->has_more; }

    // Goes on with it, between frames: go_on_with_heads. The GL context must be current.
    HeadsStep work(const Evaluator& evaluator, bool looks_on);

    // What the last frame drew, in order.
    const std::vector<UiItem>& items() const { return items_; }

    // What the pointer was over in the last frame.
    const Hover& hover() const { return hover_; }

    // What the visitor asked for in the last frame. Empty after the call.
    std::vector<UiRequest> take_requests() { return std::exchange(requests_, {}); }

    // A file that came in and can be used in several ways: the next frame asks which.
    void ask_about(FileOffer offer);

    // Whether the pointer is over something that can be zoomed: the wheel with Ctrl is for the picture there.
    bool takes_zoom() const { return heads_.takes_zoom; }

    // True while a file waits for the answer.
    bool is_asking() const { return memory_.offer != nullptr; }

    // What became of a request, as a sentence: the share panel shows it while it is open.
    void tell(std::string outcome);

    // What was measured for the performance card.
    void show_performance(Performance performance);

    // After a lost GL context: makes the shaders and textures again.
    Result<bool> restore_gl();

private:
    Ui(Fonts fonts, std::optional<HeatmapRenderer> heatmaps);
    Fonts fonts_;
    std::optional<HeatmapRenderer> heatmaps_;
    Hover hover_;
    std::vector<UiItem> items_;
    std::vector<UiRequest> requests_;
    HeadsMemory heads_;
    PanelMemory memory_;
    int drawn_version_ = -1;
    bool drawn_complete_ = false;  // the evaluator was
    ImVec2 drawn_size_ = {0, 0};
    int settling_frames_ = 0;
    bool wants_another_ = true;
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
