// The user's settings for all programs: dark or light, more contrast or not, motion or none. Reads them from the
// freedesktop settings portal over the session bus; without one the answer is light, as usual, and with motion.
#pragma once

#include <array>
#include <functional>
#include <memory>

namespace attn {

class SystemSettings {
public:
    // Asks in a thread of its own, and listens from then on. `on_change` is called in that thread whenever an answer
    // differs from the one before.
    explicit SystemSettings(std::function<void()> on_change);
    ~SystemSettings();

    // Waits for the first answers, at most this long: a program that opens dark should not flash light first.
    void wait(double seconds) const;

    bool is_dark() const;
    bool wants_contrast() const;  // asked for by itself, or by one of GTK's contrast themes
    bool reduces_motion() const;

private:
    struct Listener;
    std::unique_ptr<Listener> listener_;
};

// The colours of a contrast theme, as FrameInput::forced_colors has them: the portal names none.
std::array<unsigned, 5> contrast_colors(bool is_dark);

}  // namespace attn
