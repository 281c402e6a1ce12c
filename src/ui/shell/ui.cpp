// Puts the panels together, frame by frame, and decides when nothing moves any more.
#include "ui/shell/ui.h"
#include "ui/shell/panels.h"

#include <imgui_internal.h>  // the trail of input events, the tooltip's clock, the width of smoothed edges

#include <algorithm>
#include <utility>

#include "core/ground/check.h"
#include "playground/link/hiding.h"
#include "ui/frame/layout.h"
#include "ui/kit/place.h"
#include "ui/kit/touch.h"
#include "ui/kit/undo.h"
#include "ui/kit/widgets.h"
#include "ui/learn/playing.h"
#include "ui/lessons/lesson_lights.h"
#include "ui/lessons/lesson_visits.h"
#include "ui/settings/finding.h"
#include "ui/settings/performance.h"
#include "ui/share/file_offer.h"
#include "ui/share/share.h"
#include "ui/shell/body.h"
#include "ui/shell/focus_words.h"

namespace attn {
namespace {

// Frames that ImGui needs after the last input until every size and highlight has settled.
constexpr int kSettlingFrames = 3;

bool had_input() {
    return ImGui::GetCurrentContext()->InputEventsTrail.Size > 0;
}

// Whether time alone changes the picture: a held button or key repeats, or a tooltip is about to appear.
bool waits_for_time() {
    const ImGuiContext& context = *ImGui::GetCurrentContext();
    if (context.ActiveId != 0 && context.IO.MouseDown[ImGuiMouseButton_Left]) return true;
    for (int key = ImGuiKey_NamedKey_BEGIN; key < ImGuiKey_GamepadStart; ++key) {
        const auto named = static_cast<ImGuiKey>(key);
        const bool repeats =
            named < ImGuiKey_LeftCtrl || named > ImGuiKey_RightSuper;  // Ctrl, Shift, Alt, Super do not
        if (repeats && ImGui::IsKeyDown(named)) return true;
    }
    constexpr float kTooltipSeconds = 0.4F;
    return context.HoverItemDelayId != 0 &&
           (context.HoverItemDelayTimer < kTooltipSeconds || context.MouseStationaryTimer < kTooltipSeconds);
}

// A font learns the device pixels per point when it is pushed. Without this, text drawn with a font that was never
// pushed would be drawn for one pixel per point and stretched.
void tell_fonts_the_scale(const Fonts& fonts) {
    for (ImFont* font : {fonts.sans, fonts.sans_bold, fonts.mono}) {
        ImGui::PushFont(font, kTextSize);
        ImGui::PopFont();
    }
}

void begin_canvas() {
    ImGui::SetNextWindowPos({0, 0});
    ImGui::SetNextWindowSize(ImGui::GetIO().DisplaySize);
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(6, 6));
    ImGui::Begin("canvas", nullptr,
                 ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                     ImGuiWindowFlags_NoBringToFrontOnFocus);
}

void end_canvas() {
    ImGui::End();
    ImGui::PopStyleVar();
}

// Tokens and stages in one line; the tokens unfold by a press.
void draw_folded_head(UiFrame& frame) {
    const float margin = frame.layout == LayoutKind::phone ? 12 : kMargin;
    ImGui::Dummy({1, frame.is_touch ? 0.0F : 2.0F});
    ImGui::SetCursorPosX(margin);
    const float top = ImGui::GetCursorPosY();
    ImGui::SetCursorPosY(top + 2);  // level with the strip's boxes
    put_token_count(frame);
    ImGui::SameLine(0, 6);
    ImGui::SetCursorPosY(top);
    draw_stages(frame);
    if (frame.memory.shows_tokens) draw_tokens(frame);
}

// The panels above the picture.
void draw_head(UiFrame& frame) {
    if (!frame.surroundings.page_shows_sentence) draw_top_bar(frame);
    if (frame.evaluation.num_tokens() == 0 || shows_door(frame)) return;
    const bool has_tokens = shows_part(frame, "tokens");
    if (frame.is_folded && has_tokens && shows_part(frame, "stages")) {
        draw_folded_head(frame);
        return;
    }
    ImGui::Dummy({1, 2});
    if (has_tokens) draw_tokens(frame);
    if (shows_part(frame, "stages")) draw_stages(frame);
}

// A visitor who comes by keyboard sees the focus: where it was last, or at the first item. Not inlined: it comes with
// a later part of the page.
[[gnu::noinline]] void show_focus(bool was_there) {
    const ImGuiContext& context = *ImGui::GetCurrentContext();
    ImGui::SetNavCursorVisible(true);
    if (!was_there && context.NavWindow != nullptr) ImGui::NavInitWindow(context.NavWindow, true);
}

// Not inlined, as above.
[[gnu::noinline]] void focus_nearest(const std::vector<UiItem>& items, const FocusRing& ring) {
    const UiItem* nearest = nullptr;
    float least = 0;
    for (const UiItem& item : items) {
        if (!item.takes_focus || item.is_clipped) continue;
        const float x = std::max({item.min.x - ring.max.x, ring.min.x - item.max.x, 0.0F});
        const float y = std::max({item.min.y - ring.max.y, ring.min.y - item.max.y, 0.0F});
        if (nearest != nullptr && x * x + y * y >= least) continue;
        nearest = &item;
        least = x * x + y * y;
    }
    if (nearest != nullptr) ImGui::GetCurrentContext()->NavId = nearest->id;
}

// What was pointed at in the last frame, in the numbers of this one: they may be of another state.
Hover still_there(Hover hover, const PlaygroundState& state, const Evaluation& evaluation) {
    if (hover.cell && !has_cell(evaluation, state.view.stage, *hover.cell)) hover.cell.reset();
    if (hover.token && *hover.token >= evaluation.num_tokens()) hover.token.reset();
    return hover;
}

Fonts load_fonts_and_configure(const RasterizeText& rasterize) {
    ImGuiIO& io = ImGui::GetIO();
    io.ConfigFlags |= ImGuiConfigFlags_NavEnableKeyboard;
    io.ConfigInputTextCursorBlink = false;
    ImGui::GetCurrentContext()->ConfigNavWindowingKeyNext = ImGuiKey_None;  // Ctrl+Tab would list ImGui's own windows
    ImGui::GetCurrentContext()->ConfigNavWindowingKeyPrev = ImGuiKey_None;
    apply_style(palette_of(false));  // a frame begins with the style of the one before; so does the first
    return load_fonts(rasterize);
}

}  // namespace

Ui::Ui(Fonts fonts, std::optional<HeatmapRenderer> heatmaps) : fonts_(fonts), heatmaps_(std::move(heatmaps)) {}

Result<Ui> Ui::create(const RasterizeText& rasterize) {
    Result<HeatmapRenderer> heatmaps = HeatmapRenderer::create();
    if (!heatmaps) return Result<Ui>::failure(heatmaps.error());
    return Ui(load_fonts_and_configure(rasterize), std::move(*heatmaps));
}

Ui Ui::create_without_gl(const RasterizeText& rasterize) {
    return {load_fonts_and_configure(rasterize), std::nullopt};
}

void Ui::ask_about(FileOffer offer) {
    memory_.offer = std::make_shared<FileOffer>(std::move(offer));
    settling_frames_ = kSettlingFrames + 1;  // as after input: a window opens
    wants_another_ = true;
}

void Ui::tell(std::string outcome) {
    share_memory(memory_).outcome = std::move(outcome);
    settling_frames_ = kSettlingFrames + 1;
    wants_another_ = true;
}

void Ui::show_performance(Performance performance) {
    keep_performance(memory_, std::move(performance));
    settling_frames_ = kSettlingFrames + 1;
    wants_another_ = true;
}

Result<bool> Ui::restore_gl() {
    if (!heatmaps_) return true;
    Result<HeatmapRenderer> heatmaps = HeatmapRenderer::create();
    if (!heatmaps) return Result<bool>::failure(heatmaps.error());
    heatmaps_ = std::move(*heatmaps);
    return true;
}

HeadsStep Ui::work(const Evaluator& evaluator, bool looks_on) {
    const HeadsStep step = go_on_with_heads(evaluator, heads_, heatmaps_ ? &*heatmaps_ : nullptr, looks_on);
    if (step.has_worked || !looks_on || widgets_.left.empty()) return step;
    const bool is_done = widgets_.left.back()();
    if (is_done) widgets_.left.pop_back();
    return {.has_worked = true, .wants_frame = is_done};
}

void Ui::draw(Session& session, const Evaluator& evaluator, const UiSurroundings& surroundings) {
    ATTN_CHECK(evaluator.state().has_value(), "nothing is begun: there are no numbers to show");
    const PlaygroundState& state = *evaluator.state();
    const Palette palette = surroundings.forced_colors ? forced_palette(*surroundings.forced_colors)
                                                       : palette_of(shows_dark(state.view.theme, surroundings.is_dark));
    begin_frame(palette, surroundings);
    const Canvas canvas = {Look{.palette = palette,
                                .fonts = fonts_,
                                .layout = layout_of(ImGui::GetIO().DisplaySize),
                                .is_folded = folds_head(ImGui::GetIO().DisplaySize),
                                .is_touch = surroundings.is_touch,
                                .reduces_motion = surroundings.reduces_motion},
                           heatmaps_ ? &*heatmaps_ : nullptr, items_, widgets_};
    const Hover hover = still_there(hover_, state, evaluator.shown());
    const Shown shown = {.evaluator = evaluator,
                         .state = state,
                         .evaluation = evaluator.shown(),
                         .version = evaluator.version(),
                         .hover = hover};
    Hover next_hover;
    const Wishes wishes = {.next = session.state(),
                           .next_hover = next_hover,
                           .notes = session.notes(),
                           .requests = requests_,
                           .said = said_};
    UiFrame frame = {Display{canvas, shown, surroundings, heads_, memory_}, wishes, session};
    draw_panels(frame);
    if (!state.view.lock.empty()) keep_locked(session.state(), state);  // whatever a panel wrote

    // A finger that was lifted points at nothing, wherever ImGui left the pointer.
    if (surroundings.is_touch && !ImGui::IsMouseDown(ImGuiMouseButton_Left)) next_hover = {};
    end_frame(shown, next_hover, surroundings.got_keyboard);
}

void Ui::begin_frame(const Palette& palette, const UiSurroundings& surroundings) {
    apply_style(palette);
    // Edges are smoothed over one device pixel, whatever a point is.
    const float scale = std::max(1.0F, ImGui::GetIO().DisplayFramebufferScale.x);
    ImGui::GetDrawListSharedData()->InitialFringeScale = 1 / scale;
    items_.clear();
    widgets_.is_moving = false;
    widgets_.left.clear();
    widgets_.finger_scrolls = false;
    widgets_.finger_is_taken = heads_.dragged_from || heads_.brush || memory_.sheet.is_held;
    widgets_.focus.name.clear();
    if (surroundings.got_keyboard) show_focus(has_focused_item_);
    memory_.sheet.follows_up = memory_.sheet.follows_down = false;
    const bool uses_keys = surroundings.got_keyboard || ImGui::IsKeyDown(ImGuiKey_Tab);
    memory_.may_load = memory_.may_load || ImGui::IsMousePosValid() || uses_keys;
    memory_.shown_notes.clear();
    heads_.takes_zoom = false;
    heads_.shown.reset();
    tell_fonts_the_scale(fonts_);
}

void Ui::draw_panels(UiFrame& frame) {
    ImGui::PushFont(fonts_.sans, kTextSize);
    begin_canvas();
    take_undo_keys(frame);
    take_share_keys(frame);
    take_find_key(frame);
    draw_head(frame);
    draw_body(frame);
    end_canvas();
    draw_file_offer(frame);
    follow_lesson_step(frame);
    draw_lesson_lights(frame);
    if (widgets_.focus.name.empty()) {
        memory_.focus_words.clear();
        widgets_.focus.field.clear();
    } else {
        memory_.focus_words = words_of_focus(frame);
    }
    has_focused_item_ = ImGui::GetCurrentContext()->NavIdIsAlive;
    find_lost_focus();
    draw_focus_ring(frame);
    ImGui::PopFont();
}

void Ui::find_lost_focus() {
    const ImGuiContext& context = *ImGui::GetCurrentContext();
    const bool is_lost = context.NavCursorVisible && context.NavId != 0 && !context.NavIdIsAlive &&
                         context.ActiveId == 0 && !context.NavInitRequest && context.OpenPopupStack.empty();
    lost_frames_ = is_lost ? lost_frames_ + 1 : 0;
    if (!is_lost) return;
    widgets_.is_moving = true;  // it may come back, as a number does after its field
    if (lost_frames_ >= kSettlingFrames) focus_nearest(items_, widgets_.focus);
}

void Ui::end_frame(const Shown& shown, const Hover& next_hover, bool got_keyboard) {
    const ImVec2 size = ImGui::GetIO().DisplaySize;
    const bool is_complete = shown.evaluator.is_complete();
    const bool has_changed = shown.version != drawn_version_ || is_complete != drawn_complete_ ||
                             size.x != drawn_size_.x || size.y != drawn_size_.y || !(next_hover == hover_) ||
                             had_input() || got_keyboard;
    settling_frames_ = has_changed ? kSettlingFrames : std::max(0, settling_frames_ - 1);
    wants_another_ = settling_frames_ > 0 || waits_for_time() || widgets_.is_moving || is_tip_unplaced();
    hover_ = next_hover;
    drawn_version_ = shown.version;
    drawn_complete_ = is_complete;
    drawn_size_ = size;
}

bool Ui::is_playing() const {
    return memory_.clock.plays_something();
}

std::string Ui::visited_steps() const {
    return write_visited(memory_.visited_steps, {.lesson = memory_.last_lesson, .step = memory_.last_step});
}

void Ui::add_visited_steps(std::string_view text) {
    const LessonPlace last = add_visited(memory_.visited_steps, text);
    if (!memory_.last_lesson.empty() || last.lesson.empty()) return;
    memory_.last_lesson = last.lesson;
    memory_.last_step = last.step;
}

}  // namespace attn
