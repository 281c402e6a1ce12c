// Begins an evaluation where there is memory for it, and works on it in slices.
#include "playground/numbers/computation.h"
#include "playground/numbers/memory_needs.h"
#include "playground/state/open_models.h"

#include <algorithm>
#include <utility>

namespace attn {
namespace {

constexpr double kMemory = 0.05;       // seconds of work that the pace is learned from
constexpr double kShortSlice = 0.002;  // seconds; the clock is asked in between
constexpr std::int64_t kSmall =
    1 << 20;  // multiply-adds, some milliseconds: done whole: the clock tells of other programs, too
constexpr double kEnoughToTell = 0.15;   // seconds of running before the time that is left is told
constexpr int kMaxSlicesOfOneTick = 10;  // of a clock that stands still, as some browsers' do for privacy

// Whether the two differ in the view alone, and not in what it needs computed.
bool decides_same_numbers(const PlaygroundState& a, const PlaygroundState& b) {
    return decide_same_numbers(a.inputs, b.inputs) && a.view.sentence == b.view.sentence &&
           a.view.view == b.view.view && a.view.compare == b.view.compare;
}

}  // namespace

std::int64_t Pace::amount(double seconds) const {
    return std::max<std::int64_t>(static_cast<std::int64_t>(done_ / seconds_ * seconds), 1);
}

void Pace::learn(std::int64_t multiply_adds, double seconds) {
    waiting_ += static_cast<double>(multiply_adds);
    if (seconds <= 0) return;
    done_ += std::exchange(waiting_, 0);
    seconds_ += seconds;
    if (seconds_ <= kMemory) return;
    done_ *= kMemory / seconds_;
    seconds_ = kMemory;
}

void Computation::begin(const PlaygroundState& state) {
    evaluator_.begin(state);
    if (begun_ == evaluator_.num_begun()) return;
    begun_ = evaluator_.num_begun();
    is_stopped_ = false;
    began_at_ = -1;
    seconds_running_ = 0;
}

std::optional<PlaygroundState> Computation::begin_if_room(const PlaygroundState& state) {
    const std::optional<PlaygroundState>& begun = evaluator_.state();
    if (evaluator_.is_begun(state)) return std::nullopt;
    if (begun && decides_same_numbers(*begun, state)) {
        begin(state);
        return std::nullopt;
    }
    const bool is_large = bytes_needed_at_most(state) > kLittleMemory;
    const std::int64_t needed = is_large ? bytes_needed(state) : 0;
    const bool is_same_size = needed == std::exchange(large_bytes_, needed);
    const auto has_room = [&] { return is_large ? has_room_for(needed) : has_room_for(state); };
    if (is_large && is_same_size ? !has_room_for(bytes_needed_again(state)) : !has_room()) {
        const PlaygroundState before = begun.value_or(PlaygroundState());
        give_up_memory();  // the two need not fit together
        if (!has_room()) {
            large_bytes_ = 0;
            return before;
        }
    }
    begin(state);
    return std::nullopt;
}

void Computation::work(double seconds, const Clock& clock) {
    if (!is_running()) return;
    const double start = clock();
    if (began_at_ < 0) {
        began_at_ = start;
        left_at_first_ = evaluator_.multiply_adds_left();
    }
    const bool is_small = evaluator_.multiply_adds_left() <= kSmall;
    double now = start;
    for (int slices_of_tick = 0; is_small || (now < start + seconds && slices_of_tick < kMaxSlicesOfOneTick);
         ++slices_of_tick) {
        const std::int64_t amount = is_small ? kSmall : pace_.amount(std::min(kShortSlice, start + seconds - now));
        const bool is_done = evaluator_.advance(amount);
        const double end = clock();
        if (end > now) slices_of_tick = 0;
        const bool waits = !is_done && waits_for_models();  // it has done less, too
        if (!is_done && !is_small && !waits)
            pace_.learn(amount, end - now);  // at the end it was less, nobody knows how much
        now = end;
        if (is_done || waits) break;
    }
    seconds_running_ = now - began_at_;
}

void Computation::stop() {
    is_stopped_ = !is_complete();
}

void Computation::go_on() {
    is_stopped_ = false;
    began_at_ = -1;
    seconds_running_ = 0;
}

Progress Computation::progress() const {
    const Evaluation& shown = evaluator_.shown();
    Progress progress = {.is_running = is_running(),
                         .is_stopped = is_stopped_,
                         .num_heads_done = shown.work.num_heads_done(),
                         .num_heads = shown.sizes.num_heads,
                         .seconds_running = seconds_running_};
    const std::int64_t left = evaluator_.multiply_adds_left();
    const std::int64_t done = left_at_first_ - left;
    if (seconds_running_ >= kEnoughToTell && done > 0)
        progress.seconds_left = seconds_running_ * static_cast<double>(left) / static_cast<double>(done);
    return progress;
}

void Computation::give_up_memory() {
    evaluator_.give_up_memory();
    begun_ = -1;
}

}  // namespace attn
