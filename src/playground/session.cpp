// See session.h. Which changes belong together in the browser's history is decided here, by the keys of the link.
#include "playground/session.h"

#include <algorithm>

#include "playground/state_url.h"

namespace attn {
namespace {

// The one key whose values differ between the two states; empty when none or several do.
std::string_view only_changed_key(const PlaygroundState& before, const PlaygroundState& after) {
    std::string_view changed;
    for (const KeyInfo& key : key_table()) {
        if (key.write(before) == key.write(after)) continue;
        if (!changed.empty()) return {};
        changed = key.key;
    }
    return changed;
}

}  // namespace

void Session::open_link(std::string_view link) {
    ReadLink read = read_link(link);
    state_ = std::move(read.state);
    notes_ = std::move(read.notes);
    settled_ = state_;
    remembered_ = state_;
    last_key_ = {};
}

void Session::type_sentence(std::string_view sentence) {
    state_.inputs.texts[state_.view.sentence] = sentence;
    make_legal();
}

void Session::make_legal() {
    Notes fresh = clamp_to_legal(state_);
    if (!fresh.empty()) notes_ = std::move(fresh);
}

bool Session::settle(double now) {
    if (state_ == settled_) return false;
    make_legal();
    if (state_ != settled_) changed_at_ = now;  // it may have been moved back to what it was
    settled_ = state_;
    return true;
}

std::optional<double> Session::seconds_until_step(double now) const {
    if (settled_ == remembered_) return std::nullopt;
    return std::max(0.0, changed_at_ + kRestSeconds - now);
}

std::optional<Step> Session::take_step(double now, bool in_a_hurry) {
    const std::optional<double> rest = seconds_until_step(now);
    if (!rest || (*rest > 0 && !in_a_hurry)) return std::nullopt;
    const std::string_view key = only_changed_key(remembered_, settled_);
    const bool is_new = key.empty() || key != last_key_;
    last_key_ = key;
    remembered_ = settled_;
    return Step{write_link(settled_), is_new};
}

}  // namespace attn
