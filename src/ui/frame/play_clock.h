// The one clock of what plays by itself: training, the tokens of a cache, the shapes of a weight split, the words that
// a model says. One of them plays at a time. It counts the seconds of frames; the panel whose number counts up takes
// the steps.
#pragma once

#include "playground/state/state.h"

namespace attn {

enum class Playing { nothing, training, cache, split, words };

class PlayClock {
public:
    bool plays(Playing what) const { return what_ == what; }
    bool plays_something() const { return what_ != Playing::nothing; }

    // Stops what plays now. `next` is the state that playing begins with; the first step is due in `rest` seconds.
    void start(Playing what, const PlaygroundState& next, float rest) {
        what_ = what;
        took_step(next, rest);
    }

    void stop(Playing what) {
        if (what_ == what) what_ = Playing::nothing;
    }

    // The state as the last step left it: where it is another one, somebody else changed it.
    const PlaygroundState& played() const { return played_; }

    // Once a frame, which took `seconds`: whether the next step is due.
    bool is_due(float seconds) {
        rest_ -= seconds;
        return rest_ <= 0;
    }

    // The step that led to `next` was taken; the one after it is due in `rest` seconds.
    void took_step(const PlaygroundState& next, float rest) {
        played_ = next;
        rest_ = rest;
    }

private:
    Playing what_ = Playing::nothing;
    PlaygroundState played_;
    float rest_ = 0;
};

// Seconds of this frame. The first one after a rest may have lasted for hours and counts as a short one.
float frame_seconds();

}  // namespace attn
