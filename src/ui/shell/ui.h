// The ImGui canvas: reads state and evaluation, writes only to the state and the notes. It remembers only what the
// pointer is over and where the visitor is reading; ImGui itself remembers focus, scroll positions and drawers.
#pragma once

#include <imgui.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/ground/result.h"
#include "playground/numbers/computation.h"
#include "playground/numbers/evaluation.h"
#include "playground/state/state.h"
#include "playground/visit/session.h"
#include "render/heatmap.h"
#include "share/opening/open_file.h"
#include "ui/frame/frame.h"
#include "ui/frame/heads_memory.h"
#include "ui/frame/heads_work.h"
#include "ui/look/fonts.h"
#include "ui/look/theme.h"

namespace attn {

struct Performance;

class Ui {
public:
    // Needs a current GL context and ImGui context with its renderer backend started.
    static Result<Ui> create(const RasterizeText& rasterize);

    // The same without a GL context: everything but the colours of the heat maps.
    static Ui create_without_gl(const RasterizeText& rasterize);

    // Draws one frame between ImGui::NewFrame and ImGui::Render. A typed sentence, a setting, a pin: all go into the
    // session's state, which the caller settles afterwards. The evaluator has begun that state.
    void draw(Session& session, const Evaluator& evaluator, const UiSurroundings& surroundings);

    // True while something still moves: draw again without waiting for input.
    bool wants_another_frame() const { return wants_another_; }

    // Whether the last frame left something of the heat maps or of a view's long work, for work().
    bool has_work() const { return (heads_.shown && heads_.shown->has_more) || !widgets_.left.empty(); }

    // Goes on with it, between frames: one step of the heads (go_on_with_heads), or where they have none and
    // `looks_on`, of a view. The GL context must be current.
    HeadsStep work(const Evaluator& evaluator, bool looks_on);

    // What the last frame drew, in order.
    const std::vector<UiItem>& items() const { return items_; }

    // What the pointer was over in the last frame.
    const Hover& hover() const { return hover_; }

    // What the visitor asked for in the last frame. Empty after the call.
    std::vector<UiRequest> take_requests() { return std::exchange(requests_, {}); }

    // What screen readers are to be told of the last frame beside what state and focus tell: each a sentence. Empty
    // after the call.
    std::vector<std::string> take_said() { return std::exchange(said_, {}); }

    // The notes above the picture in the last frame.
    const Notes& shown_notes() const { return memory_.shown_notes; }

    // A file that came in and can be used in several ways: the next frame asks which.
    void ask_about(FileOffer offer);

    // Whether the pointer is over something that can be zoomed, where the wheel with Ctrl belongs to the picture.
    bool takes_zoom() const { return heads_.takes_zoom; }

    // The item with the keyboard's focus, by name and in words; both empty if no focus is shown.
    const std::string& focused_item() const { return widgets_.focus.name; }
    const std::string& focus_words() const { return memory_.focus_words; }

    // Whether a finger on the screen can drag something up or down besides scrolling.
    bool follows_up() const { return memory_.sheet.follows_up; }
    bool follows_down() const { return memory_.sheet.follows_down; }

    // True while training, a cache or a split plays: each frame asks for the next.
    bool is_playing() const;

    // True while a file waits for the answer.
    bool is_asking() const { return memory_.offer != nullptr; }

    // All of the program is there: what nobody has asked for yet may be shown.
    void has_all() { memory_.may_load = true; }

    // What became of a request, as a sentence: the share panel shows it while it is open.
    void tell(std::string outcome);

    // The visited steps of lessons, as write_visited writes them; and those of earlier visits.
    std::string visited_steps() const;
    void add_visited_steps(std::string_view text);

    // What was measured for the performance card.
    void show_performance(Performance performance);

    // After a lost GL context: makes the shaders and textures again.
    Result<bool> restore_gl();

private:
    Ui(Fonts fonts, std::optional<HeatmapRenderer> heatmaps);
    // Forgets what was true of the last frame alone.
    void begin_frame(const Palette& palette, const UiSurroundings& surroundings);
    void draw_panels(UiFrame& frame);
    // Where the item with the keyboard's focus is gone, as a button that led elsewhere, the nearest one gets it.
    void find_lost_focus();
    // Decides whether the picture needs another frame to settle.
    void end_frame(const Shown& shown, const Hover& next_hover, bool got_keyboard);
    Fonts fonts_;
    std::optional<HeatmapRenderer> heatmaps_;
    Hover hover_;
    std::vector<UiItem> items_;
    std::vector<UiRequest> requests_;
    std::vector<std::string> said_;
    HeadsMemory heads_;
    WidgetMemory widgets_;
    PanelMemory memory_;
    int drawn_version_ = -1;
    bool drawn_complete_ = false;    // the evaluator was
    bool has_focused_item_ = false;  // the item that has ImGui's focus, seen or not, was drawn
    int lost_frames_ = 0;            // since the one that had the keyboard's focus is gone
    ImVec2 drawn_size_ = {0, 0};
    int settling_frames_ = 0;
    bool wants_another_ = true;
};

}  // namespace attn
