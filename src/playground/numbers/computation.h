// An evaluation under way as the visitor meets it: worked on in slices between frames, with its progress and the time
// that is left; it can be stopped and gone on with. Knows no clock: it is given one.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "playground/numbers/evaluation.h"
#include "playground/state/state.h"

namespace attn {

// How many multiply-adds fit into a time, learned from slices that were timed.
class Pace {
public:
    // Multiply-adds that take about so long; at least 1.
    std::int64_t amount(double seconds) const;
    // About so many were done in so long. Where the clock stands still for a while, its next tick counts for all.
    void learn(std::int64_t multiply_adds, double seconds);

private:
    // Of the last slices, older ones counting less and less. Begins with a guess, so that a slow machine does not miss
    // its first slice.
    double done_ = 5e6, seconds_ = 0.01;
    double waiting_ = 0;  // done since the clock's last tick
};

struct Progress {
    bool is_running = false;
    bool is_stopped = false;  // by the visitor, before all was there
    int num_heads_done = 0, num_heads = 0;
    double seconds_running = 0;  // up to now
    double seconds_left = 0;     // about; 0 while nobody can tell
};

class Computation {
public:
    using Clock = std::function<double()>;  // seconds, never decreasing

    const Evaluator& evaluator() const { return evaluator_; }

    // Takes up what `state` needs; goes on with it if that is what is under way already.
    void begin(const PlaygroundState& state);

    // The same where there is room for it in memory; it asks first, because a failed allocation ends the program. Where
    // there is no room nothing is begun, and the state that was there before is returned: begin that one.
    std::optional<PlaygroundState> begin_if_room(const PlaygroundState& state);

    // Bytes that the numbers take, where they are many; else 0.
    std::int64_t large_bytes() const { return large_bytes_; }

    // Works until all is there, or about `seconds` are over, or the visitor has stopped it. What is left of a small
    // state is done whole, however long that takes by the clock.
    void work(double seconds, const Clock& clock);

    // What is ready stays. Another state begins anew.
    void stop();
    void go_on();

    bool is_complete() const { return evaluator_.is_complete(); }
    bool is_running() const { return !is_complete() && !is_stopped_; }
    Progress progress() const;

    // See Evaluator. The state has to be begun again.
    void give_up_memory();

private:
    Evaluator evaluator_;
    Pace pace_;
    std::int64_t large_bytes_ = 0;
    int begun_ = 0;  // Evaluator::num_begun() of what is under way
    bool is_stopped_ = false;
    // Since it was begun or gone on with: when that was, what was left then, and how long it has run.
    double began_at_ = -1;  // below 0: not yet
    std::int64_t left_at_first_ = 0;
    double seconds_running_ = 0;
};

}  // namespace attn
