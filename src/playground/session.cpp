// See session.h. Which changes belong together is decided here: in the browser's history by the keys of the link, for
// undo by time.
#include "playground/session.h"

#include <algorithm>

#include "playground/hiding.h"
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

std::string link_of(const Inputs& inputs) {
    return write_link({.inputs = inputs, .view = {}});
}

}  // namespace

void Session::open_link(std::string_view link) {
    if (has_begun_) keep_for_undo();
    ReadLink read = read_link(link);
    state_ = std::move(read.state);
    notes_ = std::move(read.notes);
    if (!has_begun_) {
        history_.reset();
        undoable_ = state_.inputs;
    }
    keep_for_undo();
    settled_ = state_;
    remembered_ = state_;
    last_key_ = {};
}

void Session::take_over(const PlaygroundState& state, const Notes& notes) {
    keep_for_undo();
    state_ = state;
    notes_ = notes;
}

void Session::go_back_to(const PlaygroundState& state, const std::string& note) {
    state_ = state;
    notes_ = {note};
}

void Session::type_sentence(std::string_view sentence) {
    if (locks_control(state_.view, "text")) return;
    state_.inputs.texts[state_.view.sentence] = sentence;
    make_legal();
}

void Session::make_legal() {
    Notes fresh = clamp_to_legal(state_);
    if (!fresh.empty()) notes_ = std::move(fresh);
}

bool Session::settle(double now) {
    has_begun_ = true;
    const bool has_rested = now >= changed_at_ + kRestSeconds;
    if (has_rested && is_waiting_) add_to_history(settled_.inputs);
    if (state_ == settled_) return false;
    make_legal();
    if (state_ != settled_) {  // it may have been moved back to what it was
        changed_at_ = now;
        is_waiting_ = true;
    }
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

void Session::add_to_history(const Inputs& inputs) {
    is_waiting_ = false;
    if (inputs == undoable_) return;
    if (!history_) history_ = History(link_of(undoable_));
    history_->add(link_of(inputs));
    undoable_ = inputs;
}

void Session::keep_for_undo() {
    make_legal();
    add_to_history(state_.inputs);
}

// The link of legal inputs gives back exactly those.
void Session::take_from_history() {
    state_.inputs = read_link(history_->present()).state.inputs;
    undoable_ = state_.inputs;
    make_legal();
}

bool Session::undo() {
    if (!can_undo()) return false;
    keep_for_undo();
    if (!history_ || !history_->undo()) return false;
    take_from_history();
    return true;
}

bool Session::redo() {
    if (!can_redo()) return false;
    history_->redo();
    take_from_history();
    return true;
}

}  // namespace attn
