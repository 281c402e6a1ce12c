// One visit: the state, the notes that changes left behind, and the link that remembers the state once it rests.
// Knows no clock, no screen and no address bar: it is told the seconds and hands out the links.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "playground/legal.h"
#include "playground/state.h"

namespace attn {

// So long must the state stay the same before its link is written. Safari refuses more than 100 links in 30 s.
inline constexpr double kRestSeconds = 0.3;

// A link to show and remember.
struct Step {
    std::string link;    // as write_link gives it
    bool is_new = true;  // false: the link before is replaced, because the same one key changed again
};

class Session {
public:
    // The panels write here; settle() afterwards makes it legal.
    PlaygroundState& state() { return state_; }
    const PlaygroundState& state() const { return state_; }

    // For the visitor, in plain words. They stay until a change brings others or the visitor clears them.
    Notes& notes() { return notes_; }

    // Takes over the state of a link from outside (Back, a pasted link, the state of the last visit). No step follows
    // from it.
    void open_link(std::string_view link);

    // Replaces the shown sentence of the batch. Any bytes.
    void type_sentence(std::string_view sentence);

    // To be called after whoever may change the state had a turn: makes it legal, and starts the rest anew when it
    // differs from the last call's. Returns whether somebody wrote to it: then the picture is older than state or
    // notes. `now` in seconds, never decreasing.
    bool settle(double now);

    // Seconds until take_step has something to hand out; nothing when all is remembered.
    std::optional<double> seconds_until_step(double now) const;

    // The step to remember, once the state has rested, or at once with `in_a_hurry`. Each step is handed out once.
    std::optional<Step> take_step(double now, bool in_a_hurry = false);

private:
    void make_legal();

    PlaygroundState state_;
    PlaygroundState settled_;     // as the last settle() left it
    PlaygroundState remembered_;  // what the last link says
    Notes notes_;
    double changed_at_ = 0;
    std::string_view
        last_key_;  // the one key in which the last step differed from the one before; empty: several, or none
};

}  // namespace attn
