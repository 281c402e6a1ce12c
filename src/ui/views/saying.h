// The next word of a trained model, said: by a press, or word by word. In view=model, and in view=cache, where it is
// the next token of the cache.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "ui/frame/frame.h"
#include "views/model/shown_model.h"

namespace attn {

// A model's layers and logits under way. Where they take long the visitor sees how far they are, may stop them, and go
// on later.
struct StoppableWork {
    bool is_long = false;
    bool is_stopped = false;
};
StoppableWork stoppable(const ModelRun& run);  // not stopped; long or not by what the run has to do yet
void put_progress(UiFrame& frame, StoppableWork& stop, const ModelProgress& progress);
void put_progress(UiFrame& frame, StoppableWork& stop, const std::string& words);  // where it takes long

// Goes on with it, in this frame and between frames, by so many slices of so many multiply-adds at a time. Of what
// takes long there is a frame whenever there is something new to show.
template <typename Work>
void go_on_with_model(WidgetMemory& widgets, const StoppableWork& stop, const std::shared_ptr<Work>& work, int slices,
                      std::int64_t slice) {
    if (stop.is_stopped || work->is_done()) return;
    const auto step = [work, shows = stop.is_long, slices, slice] {
        const ModelProgress before = work->progress();
        for (int n = 0; n < slices && !work->is_done(); ++n) work->advance(slice);
        return work->is_done() || (shows && work->progress() != before);
    };
    step();
    if (!work->is_done()) widgets.left.push_back(step);
}

// The same between frames alone: a step that has something new to show, which is when `seen(work)` has changed, asks
// for the next frame, and that one goes on.
template <typename Work, typename Seen>
void go_on_between_frames(WidgetMemory& widgets, const StoppableWork& stop, const std::shared_ptr<Work>& work,
                          const Seen& seen) {
    constexpr std::int64_t kSlice = 6'000'000;  // multiply-adds at once: a row's exponentials, some milliseconds
    constexpr int kSlices = 8;
    if (stop.is_stopped || work->is_done()) return;
    widgets.left.emplace_back([work, seen] {
        const auto before = seen(*work);
        for (int n = 0; n < kSlices && !work->is_done(); ++n) work->advance(kSlice);
        return work->is_done() || seen(*work) != before;
    });
}

struct SayingMemory {
    std::string refusal;       // why no word was said
    std::string refused;       // after this sentence
    bool shows_draws = false;  // how words are drawn is unfolded
};

// What a word is said after.
struct Saying {
    UiFrame& frame;
    SayingMemory& memory;
    const ModelText& shown;
    int row = 0;                    // of its tokens
    std::span<const float> logits;  // after that row; empty while they are being computed
};

// Each returns whether a word was said: then the sentence of the next state is longer by it.

// Writes word by word, while that plays (PlayClock) and there are logits. To be called in each frame.
bool keep_writing(const Saying& saying);
// "Say the next word", and what writes on by itself. A locked sentence stays as it is.
bool put_say_buttons(const Saying& saying);

// Why the last press said nothing, where it did; and what decides a draw, folded. `width` in points.
void put_draws(UiFrame& frame, SayingMemory& memory, float width);

}  // namespace attn
