// The model computes all of its layers for the next word; the view shows what one of them keeps.
#include "ui/views/cache_say.h"

#include <imgui.h>

#include "core/ground/check.h"
#include "playground/text/format.h"
#include "playground/text/notes.h"
#include "ui/kit/lock.h"
#include "ui/kit/widgets.h"

namespace attn {
namespace {

constexpr std::int64_t kSaySlice = 64'000'000;  // multiply-adds at once: some milliseconds (BlockedProduct)

bool put_goal_word(UiFrame& frame, const SaidWord& word) {
    const LockScope lock(frame, "text", frame.palette.paper);
    const bool is_pressed = button(frame, "cache=say", concat("Say “", word.word, "”"));
    ImGui::SameLine(0, 10);
    ImGui::AlignTextToFramePadding();
    put_wrapped_text(small(frame), concat("the most probable next word, ", shown_number(word.probability)));
    if (is_pressed) frame.next.inputs = word.inputs;
    return is_pressed;
}

bool put_model_word(UiFrame& frame, CacheSaying& saying, bool is_ready) {
    if (frame.memory.clock.plays(Playing::words)) saying.stop.is_stopped = false;
    go_on_with_model(frame.widgets, saying.stop, saying.logits, 1, kSaySlice);
    const bool is_computed = saying.logits->is_done();
    const NextDraw draw = next_draw(frame.state.view);
    if (is_computed && (!saying.drawn || draw != saying.draw)) {
        saying.draw = draw;
        saying.drawn = drawn_in_words(*saying.shown, draw, saying.logits->logits());
    }
    const Saying next = {.frame = frame,
                         .memory = saying.memory,
                         .shown = *saying.shown,
                         .row = saying.shown->input.num_tokens() - 1,
                         .logits = is_computed && is_ready ? saying.logits->logits() : std::span<const float>()};
    bool has_said = keep_writing(next);
    if (put_say_buttons(next)) has_said = true;
    ImGui::SameLine(0, 10);
    ImGui::AlignTextToFramePadding();
    if (saying.drawn)
        put_wrapped_text(small(frame), *saying.drawn);
    else
        put_progress(frame, saying.stop, saying.logits->progress());
    put_draws(frame, saying.memory, std::min(420.0F, ImGui::GetContentRegionAvail().x));
    return has_said;
}

}  // namespace

void begin_saying(CacheSaying& saying, const Display& display) {
    saying.goal_word = say_next_word(display.evaluator.inputs(), display.evaluation, display.state.view.sentence);
    saying.shown = model_text(display.evaluator);
    saying.logits.reset();
    saying.drawn.reset();
    saying.problem.clear();
    if (saying.shown) {
        const int last = saying.shown->input.num_tokens() - 1;
        saying.problem = find_saying_problem(*saying.shown, last);
        if (saying.problem.empty()) saying.logits = std::make_shared<RowLogits>(saying.shown->run, last);
        saying.stop = stoppable(*saying.shown->run);
    }
}

bool put_cache_saying(UiFrame& frame, CacheSaying& saying, bool is_ready) {
    if (!saying.logits) frame.memory.clock.stop(Playing::words);  // a shorter sentence does not go on by itself
    if (saying.goal_word) return put_goal_word(frame, *saying.goal_word);
    if (!saying.problem.empty()) put_wrapped_text(small(frame), saying.problem);
    return saying.logits && put_model_word(frame, saying, is_ready);
}

}  // namespace attn
