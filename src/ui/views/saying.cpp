// A word that is drawn as a notebook draws it.
#include "ui/views/saying.h"

#include <imgui.h>

#include <cmath>
#include <optional>

#include "core/ground/check.h"
#include "playground/link/hiding.h"
#include "playground/text/format.h"
#include "playground/text/notes.h"
#include "ui/kit/lock.h"
#include "ui/kit/setting_rows.h"
#include "ui/kit/widgets.h"

namespace attn {
namespace {

constexpr float kSecondsOfWord = 0.5F;
constexpr std::int64_t kLong = 2'000'000'000;  // multiply-adds: some seconds in a page. To read a file takes longer

// The sentence grows by a word; false where it cannot, and why is said.
bool say_next(const Saying& saying) {
    UiFrame& frame = saying.frame;
    saying.memory.refusal = say_next_token(frame.next, frame.state, saying.shown, saying.row, saying.logits);
    saying.memory.refused = shown_sentence(frame.state);
    return saying.memory.refusal.empty();
}

// The sentence without the words that were said, the first one again.
void start_anew(UiFrame& frame, SayingMemory& memory) {
    std::string& text = frame.next.inputs.texts[static_cast<std::size_t>(frame.state.view.sentence)];
    for (int said = frame.state.view.said; said > 0; --said) {
        const std::size_t blank = text.find_last_of(' ');
        if (blank == std::string::npos) break;
        text.erase(blank);
    }
    frame.next.view.said = 0;
    frame.next.view.cell.reset();
    memory.refusal.clear();
}

std::optional<std::string> beside(double value, double step, double low, double high) {
    const double next = std::round((value + step) * 1e6) / 1e6;
    return next < low || next > high ? std::nullopt : std::optional(exact_number(next));
}

}  // namespace

StoppableWork stoppable(const ModelRun& run) {
    return {.is_long = run.model().store != nullptr || run.multiply_adds_to(run.model().config.num_layers) >= kLong};
}

void put_progress(UiFrame& frame, StoppableWork& stop, const ModelProgress& progress) {
    if (!stop.is_long) return put_wrapped_text(small(frame), "The layers are being computed …");
    put_progress(frame, stop, progress_in_words(progress));
}

void put_progress(UiFrame& frame, StoppableWork& stop, const std::string& words) {
    put_wrapped_text(small(frame), stop.is_stopped ? concat("Stopped: ", words, ".") : concat(words, " …"));
    if (button(frame, "next=stop", stop.is_stopped ? "Go on" : "Stop")) stop.is_stopped = !stop.is_stopped;
}

bool keep_writing(const Saying& saying) {
    PlayClock& clock = saying.frame.memory.clock;
    if (!clock.plays(Playing::words)) return false;
    if (locks_control(saying.frame.state.view, "text")) {
        clock.stop(Playing::words);
        return false;
    }
    saying.frame.widgets.is_moving = true;
    if (!clock.is_due(frame_seconds()) || saying.logits.empty()) return false;
    saying.frame.session.go_on_changing();
    const bool has_said = say_next(saying);
    clock.took_step(saying.frame.next, kSecondsOfWord);
    if (!has_said) clock.stop(Playing::words);
    return has_said;
}

bool put_say_buttons(const Saying& saying) {
    UiFrame& frame = saying.frame;
    PlayClock& clock = frame.memory.clock;
    const bool is_writing = clock.plays(Playing::words);
    if (saying.memory.refused != shown_sentence(frame.state)) saying.memory.refusal.clear();
    const bool is_refused = !saying.memory.refusal.empty();
    const LockScope lock(frame, "text", frame.palette.paper);
    bool has_said = false;
    if (button(frame, "next=say", "Say the next word", ButtonKind::primary, !saying.logits.empty() && !is_refused)) {
        clock.stop(Playing::words);
        has_said = say_next(saying);
    }
    ImGui::SameLine(0, 6);
    if (!frame.reduces_motion && icon_button(frame, "next=write", is_writing ? Icon::pause : Icon::play,
                                             is_writing ? "Pause" : "Write word by word", !is_refused)) {
        if (is_writing)
            clock.stop(Playing::words);
        else
            clock.start(Playing::words, frame.state, 0);
        frame.widgets.is_moving = true;
    }
    return has_said;
}

void put_draws(UiFrame& frame, SayingMemory& memory, float width) {
    const View& view = frame.state.view;
    if (!memory.refusal.empty()) {
        put_wrapped_text(small(frame), memory.refusal);
        const LockScope lock(frame, "text", frame.palette.paper);
        if (view.said > 0 && button(frame, "next=anew", "Start anew", ButtonKind::primary)) start_anew(frame, memory);
    }
    if (text_link(frame, "draws", {frame.fonts.sans, kTextSize, frame.palette.link},
                  memory.shows_draws ? "How words are drawn ▴" : "How words are drawn ▾"))
        memory.shows_draws = !memory.shows_draws;
    if (!memory.shows_draws) return;
    ImGui::BeginChild("draws", {width, 0}, ImGuiChildFlags_AutoResizeY | ImGuiChildFlags_NavFlattened,
                      ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
    number_row(frame, "next_temperature", exact_number(view.next_temperature),
               {.less = beside(view.next_temperature, -0.1, 0, kMaxNextTemperature),
                .more = beside(view.next_temperature, 0.1, 0, kMaxNextTemperature)});
    number_row(frame, "top_k", concat(view.top_k),
               {.less = beside(view.top_k, -1, 0, kMaxTopK), .more = beside(view.top_k, 1, 0, kMaxTopK)});
    number_row(frame, "top_p", exact_number(view.top_p),
               {.less = beside(view.top_p, -0.05, kMinTopP, 1), .more = beside(view.top_p, 0.05, kMinTopP, 1)});
    seed_row(frame, "next_seed", view.next_seed);
    put_wrapped_text(small(frame), concat("Drawn since the seed: ", counted(view.said, "word"),
                                          ". A notebook that seeds once and calls torch.multinomial for each word "
                                          "draws the same ones."));
    ImGui::EndChild();
}

}  // namespace attn
