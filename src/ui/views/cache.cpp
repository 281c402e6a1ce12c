// view=cache on the screen: what plays, and the picture, whose two ways are compared in slices of a frame.
#include "ui/views/cache.h"

#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "core/ground/check.h"
#include "playground/lessons/lessons.h"
#include "playground/text/format.h"
#include "playground/text/notes.h"
#include "ui/frame/layout.h"
#include "ui/kit/lock.h"
#include "ui/kit/scene_pen.h"
#include "ui/kit/setting_rows.h"
#include "ui/kit/slider.h"
#include "ui/kit/touch.h"
#include "ui/kit/widgets.h"
#include "ui/views/cache_check.h"
#include "ui/views/cache_say.h"
#include "views/cache/cache_meter.h"
#include "views/cache/cache_scene.h"
#include "views/cache/cache_text.h"

namespace attn {

// What decides the picture.
struct CacheKey {
    int version = -1;  // of the evaluation
    CacheSplit split;
    bool is_compared = false, asks_counts = false;
    std::optional<int> head;
    float width = 0;

    bool operator==(const CacheKey&) const = default;
};

// And the memory meter.
struct CacheMeterKey {
    int version = -1;
    int length = 0;
    CacheElement element = CacheElement::bf16;
    double card = 0;
    float width = 0;

    bool operator==(const CacheMeterKey&) const = default;
};

struct CacheMemory {
    int version = -1;
    CacheSplit split;  // that the run is of
    CacheRun run;
    std::optional<AttentionProblem> problem;  // that the cache was filled for
    int num_kept = 0;                         // its tokens
    std::string news;                         // what was thrown away
    std::string step;                         // of a lesson: "cache 5"
    CacheSaying saying;                       // of `version`
    bool shows_meter = false;                 // it scrolls into sight in this frame
    KeptScene<CacheKey> scene;
    KeptScene<CacheMeterKey> meter;
};

namespace {

constexpr float kSecondsOfStep = 0.8F;
constexpr float kBesideSteps = 420;              // the meter's button and the prompt, from kWide on
constexpr float kWide = 620;                     // from here on settings stand beside each other
constexpr std::int64_t kCacheSlice = 4'000'000;  // multiply-adds a frame

CacheMemory& cache_memory(PanelMemory& memory) {
    if (!memory.cache) memory.cache = std::make_shared<CacheMemory>();
    return *memory.cache;
}

// Restarts the comparison when the numbers or the split change, and says what becomes of the cache.
void keep_run(Display& display, CacheMemory& memory, const CacheSplit& split) {
    const Evaluation& evaluation = display.evaluation;
    if (memory.version != display.version || memory.split != split) {
        const bool goes_on = memory.problem && memory.run.go_on(*memory.problem, evaluation, split);
        if (!goes_on) memory.run = CacheRun(evaluation, split);
        // A lesson's next step changes the numbers itself, and is no news.
        const std::string step = concat(display.state.view.lesson, " ", display.state.view.step);
        const bool is_new_step = std::exchange(memory.step, step) != step;
        if (memory.version != display.version && memory.problem)
            memory.news = goes_on || is_new_step
                              ? std::string()
                              : thrown_away_in_words(*memory.problem, memory.num_kept, *evaluation.problem);
        if (memory.version != display.version) {
            memory.problem = *evaluation.problem;
            begin_saying(memory.saying, display);
        }
        memory.version = display.version;
        memory.split = split;
        memory.num_kept = split.num_tokens();
    }
    if (!memory.run.advance(evaluation, kCacheSlice)) display.widgets.is_moving = true;
}

void go_to(UiFrame& frame, int at, int last) {
    frame.memory.clock.stop(Playing::cache);
    frame.next.view.at = std::clamp(at, 0, last);
}

void keep_playing_cache(UiFrame& frame, const CacheMemory& memory, int last) {
    PlayClock& clock = frame.memory.clock;
    if (!clock.plays(Playing::cache)) return;
    const View& played = clock.played().view;
    const bool is_other = frame.state.view != played || frame.next.view != played;
    if (is_other || frame.state.view.at >= last || locks_control(frame.state.view, "at"))
        return clock.stop(Playing::cache);
    frame.widgets.is_moving = true;
    if (!clock.is_due(frame_seconds()) || !memory.run.is_done()) return;
    frame.session.go_on_changing();
    ++frame.next.view.at;
    clock.took_step(frame.next, kSecondsOfStep);
}

void play_cache(UiFrame& frame, int last) {
    const bool is_at_end = frame.state.view.at >= last;
    if (frame.reduces_motion) return go_to(frame, is_at_end ? 0 : last, last);
    if (is_at_end) frame.next.view.at = 0;
    frame.memory.clock.start(Playing::cache, frame.next, kSecondsOfStep / 4);
    frame.widgets.is_moving = true;
}

// Start again, back, play, one step, the scrubber, which leaves room for what stands `beside`.
void put_steps(UiFrame& frame, const CacheSplit& split, int last, float beside) {
    const LockScope lock(frame, "at", frame.palette.paper);
    const int at = split.at;
    if (icon_button(frame, "cache=again", Icon::first, "Back to the prompt", at > 0)) go_to(frame, 0, last);
    ImGui::SameLine(0, 4);
    if (icon_button(frame, "cache=back", Icon::left, "One token back", at > 0)) go_to(frame, at - 1, last);
    ImGui::SameLine(0, 4);
    const bool plays = frame.memory.clock.plays(Playing::cache);
    if (icon_button(frame, "cache=play", plays ? Icon::pause : Icon::play,
                    plays       ? "Pause"
                    : at < last ? "Play"
                                : "Play from the start",
                    plays || last > 0, ButtonKind::primary)) {
        plays ? frame.memory.clock.stop(Playing::cache) : play_cache(frame, last);
    }
    ImGui::SameLine(0, 4);
    if (icon_button(frame, "cache=step", Icon::right, "One token", at < last)) go_to(frame, at + 1, last);
    ImGui::SameLine(0, 10);
    const float width = std::min(280.0F, ImGui::GetContentRegionAvail().x - beside);
    const SliderEvent event =
        slider(frame, "at", at, {.low = 0, .high = static_cast<double>(std::max(last, 1))}, {}, width);
    if (event.value && static_cast<int>(std::lround(*event.value)) != at) {
        go_to(frame, static_cast<int>(std::lround(*event.value)), last);
    }
    if (event.step != 0) go_to(frame, at + event.step, last);
}

std::optional<std::string> beside(int number, int low, int high) {
    return number < low || number > high ? std::nullopt : std::optional(concat(number));
}

// Settings in a part of the row, `width` wide.
template <class Put>
void put_part(const char* id, float width, Put put) {
    ImGui::BeginChild(id, {width, 0}, ImGuiChildFlags_AutoResizeY | ImGuiChildFlags_NavFlattened,
                      ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
    put();
    ImGui::EndChild();
}

void put_prompt(UiFrame& frame, const CacheSplit& split, int num_tokens) {
    number_row(frame, "prompt", concat(split.prompt),
               {.less = beside(split.prompt - 1, 1, num_tokens), .more = beside(split.prompt + 1, 1, num_tokens)});
}

void put_length(UiFrame& frame) {
    const int length = frame.state.view.length;
    number_row(frame, "length", concat(length),
               {.less = beside(length / 2, 1, kMaxLength), .more = beside(length * 2, 1, kMaxLength)});
    const SliderEvent event = slider(frame, "length", length, {.low = 1, .high = kMaxLength}, {},
                                     std::min(420.0F, ImGui::GetContentRegionAvail().x));
    if (event.value) {  // two digits
        const double unit = std::pow(10.0, std::max(0.0, std::floor(std::log10(std::max(*event.value, 1.0))) - 1));
        frame.next.view.length = static_cast<int>(
            std::lround(std::clamp(std::round(*event.value / unit) * unit, 1.0, static_cast<double>(kMaxLength))));
    }
    if (event.step != 0) frame.next.view.length = std::clamp(length + event.step, 1, kMaxLength);
}

void put_card(UiFrame& frame) {
    const int card = static_cast<int>(frame.state.view.card);
    number_row(frame, "card", exact_number(frame.state.view.card),
               {.less = beside(card - 8, 1, 10000), .more = beside(card + 8, 1, 10000)});
}

// The meter stands below the picture of the cache: its own figure stands here, and a press brings all of it into sight.
void put_meter_link(UiFrame& frame, CacheMemory& memory) {
    const View& view = frame.state.view;
    const std::string own = own_cache_in_words(frame.evaluator.inputs(), frame.evaluation.sizes, view);
    if (button(frame, "cache=meter", concat("Memory meter: ", own), ButtonKind::quiet)) memory.shows_meter = true;
    put_tooltip(frame, concat("What one user's cache of ", with_thousands(view.length), " tokens takes"),
                "Press to see it beside the caches of other models.", {});
}

// A step of a lesson that has just come speaks of the meter.
bool is_meter_pointed_at(const UiFrame& frame) {
    const LessonStep* step = frame.memory.scroll_frames > 0 ? step_of(frame.state.view) : nullptr;
    return step != nullptr && std::ranges::find(step->points_at, "length+") != step->points_at.end();
}

void put_meter_controls(UiFrame& frame, CacheMemory& memory) {
    if (std::exchange(memory.shows_meter, false) || is_meter_pointed_at(frame)) ImGui::SetScrollHereY(0);
    put_heading(frame, "MEMORY METER");
    const float room = ImGui::GetContentRegionAvail().x;
    if (room < kWide) {
        put_length(frame);
        choice_row(frame, "element");
        return put_card(frame);
    }
    constexpr float kBetween = 28;
    const float each = (room - 2 * kBetween) / 3;
    put_part("meter length", each, [&] { put_length(frame); });
    ImGui::SameLine(0, kBetween);
    put_part("meter element", each, [&] { choice_row(frame, "element"); });
    ImGui::SameLine(0, kBetween);
    put_part("meter card", each, [&] { put_card(frame); });
}

}  // namespace

void draw_cache(UiFrame& frame) {
    const Evaluation& evaluation = frame.evaluation;
    if (evaluation.is_empty()) return;
    CacheMemory& memory = cache_memory(frame.memory);
    const int num_tokens = evaluation.sizes.num_tokens;
    const CacheSplit split = cache_split(frame.state.view, num_tokens);
    const int last = num_tokens - split.prompt;
    ImGui::Dummy({1, 2});
    keep_playing_cache(frame, memory, last);
    const float room = ImGui::GetContentRegionAvail().x;
    const bool is_wide = room >= kWide;
    const float left = ImGui::GetCursorPosX();
    put_steps(frame, split, last, is_wide ? kBesideSteps : 0);  // stays in sight while the picture scrolls
    if (is_wide) {
        constexpr float kPromptWidth = 190;
        ImGui::SameLine(0, 10);
        put_meter_link(frame, memory);
        ImGui::SameLine(left + room - kPromptWidth);
        put_part("prompt part", kPromptWidth, [&] { put_prompt(frame, split, num_tokens); });
    }
    put_wrapped_text(bold(frame), cache_step_in_words(split, evaluation));
    ImGui::BeginChild("cache", {0, 0}, ImGuiChildFlags_NavFlattened);
    if (!evaluation.is_complete()) {
        put_wrapped_text(small(frame), "The numbers are still being computed.");
        frame.widgets.is_moving = true;
        scroll_by_finger(frame);
        return ImGui::EndChild();
    }
    keep_run(frame, memory, split);
    if (!is_wide) put_meter_link(frame, memory);
    if (!is_wide) put_prompt(frame, split, num_tokens);
    if (put_cache_saying(frame, memory.saying, memory.run.is_done())) go_to(frame, last + 1, last + 1);
    if (frame.state.view.asks_counts) put_cache_check(frame, split);
    if (!memory.news.empty()) put_wrapped_text(small(frame), memory.news);
    const View& view = frame.state.view;
    const float width = ImGui::GetContentRegionAvail().x - 6;
    const CachePicture picture = {frame.evaluator.inputs(), view, evaluation, &memory.run};
    const CacheKey key = {frame.version, split, memory.run.is_done(), view.asks_counts, view.head, width};
    put_scene(frame, memory.scene.at(frame, key, [&](const SceneStyle& style) {
        return cache_scene(style, picture, static_cast<double>(width));
    }));
    ImGui::Dummy({1, 10});
    put_meter_controls(frame, memory);
    ImGui::Dummy({1, 4});
    const CacheMeterKey meter_key = {frame.version, view.length, view.element, view.card, width};
    put_scene(frame, memory.meter.at(frame, meter_key, [&](const SceneStyle& style) {
        return cache_meter(style, frame.evaluator.inputs(), evaluation.sizes, view, static_cast<double>(width));
    }));
    ImGui::Dummy({1, 8});
    scroll_by_finger(frame);
    ImGui::EndChild();
}

}  // namespace attn
