// Decides which changes belong together: in the browser's history by the keys of the link, for undo by time.
#include "playground/visit/session.h"

#include <algorithm>
#include <utility>

#include "playground/link/hiding.h"
#include "playground/link/legal.h"
#include "playground/link/random_rows_offer.h"
#include "playground/link/state_url.h"
#include "playground/state/open_models.h"
#include "playground/state/shapes.h"
#include "playground/visit/reader.h"

namespace attn {
namespace {

// The keys whose values differ between the two states.
std::vector<std::string_view> changed_keys(const PlaygroundState& before, const PlaygroundState& after) {
    std::vector<std::string_view> changed;
    for (const KeyInfo& key : key_table()) {
        if (key.write(before) != key.write(after)) changed.push_back(key.key);
    }
    return changed;
}

template <class T>
bool contains(const std::vector<T>& list, const T& wanted) {
    return std::find(list.begin(), list.end(), wanted) != list.end();
}

// `before` with the sentences of `after`, where nothing but the shown one differs.
std::optional<PlaygroundState> with_typed_sentence(const PlaygroundState& before, const PlaygroundState& after) {
    PlaygroundState typed = before;
    const auto shown = static_cast<std::size_t>(before.view.sentence);
    if (shown >= after.inputs.texts.size()) return std::nullopt;
    if (typed.inputs.texts[shown] == after.inputs.texts[shown]) return std::nullopt;
    typed.inputs.texts[shown] = after.inputs.texts[shown];
    typed.inputs.targets = after.inputs.targets;  // undo gives back those that half a sentence had no room for
    if (typed != after) return std::nullopt;
    return typed;
}

std::string link_of(const Inputs& inputs) {
    return write_link({.inputs = inputs, .view = {}});
}

}  // namespace

void Session::open_link(std::string_view link) {
    if (has_begun_) keep_for_undo();
    ReadLink read = read_link(link);
    begin_anew();
    state_ = std::move(read.state);
    notes_ = std::move(read.notes);
    if (!has_begun_) {
        history_.reset();
        undoable_ = state_.inputs;
    }
    settled_ = state_;
    keep_for_undo();
    remembered_ = state_;
    last_key_ = {};
}

void Session::take_over(const PlaygroundState& state, const Notes& notes) {
    keep_for_undo();
    begin_anew();
    state_ = state;
    notes_ = notes;
}

// In the opening scene, once a model was opened.
bool Session::chooses_reader() const {
    return kOpensModels && state_.view.view == ViewKind::door && num_model_changes() > 0;
}

// Not inlined, for the same reason as end_typing.
[[gnu::noinline]] void Session::take_models() {
    model_changes_ = num_model_changes();
    const bool is_typed = typing_ && state_ == typing_->to && chooses_reader();
    if (state_.inputs.model.empty() && !is_typed) return;
    const PlaygroundState before = state_;
    if (is_typed) choose_reader(state_, typing_->from, false);
    if (std::exchange(is_cell_of_drawn_, false)) {
        Inputs drawn = state_.inputs;
        drawn.model.clear();
        keep_cell_at_its_words(drawn, state_.inputs);
    }
    append_notes(notes_, clamp_to_legal(state_));
    if (state_ == before) return;
    begin_anew();
    if (undoable_ == before.inputs) undoable_ = state_.inputs;
    if (settled_ == before) settled_ = state_;
    if (remembered_ == before && !is_typed) remembered_ = state_;  // another reader is another link
}

// A model cuts a text otherwise, and may put a token before it.
void Session::keep_cell_at_its_words(const Inputs& before, const Inputs& after) {
    View& view = state_.view;
    const auto sentence = static_cast<std::size_t>(view.sentence);
    if (!view.cell || sentence >= after.texts.size() || before.texts != after.texts) return;
    const StageInfo& stage = stage_info(view.stage);
    const Tokens old_tokens = tokens_of(before, sentence), new_tokens = tokens_of(after, sentence);
    const auto follow = [&](Axis axis, int& place) {
        if (axis != Axis::token && axis != Axis::key_token) return true;
        const std::optional<int> moved = same_place(old_tokens, place, new_tokens);
        place = moved.value_or(place);
        return moved.has_value();
    };
    Cell cell = *view.cell;
    if (follow(stage.rows, cell.row) && follow(stage.columns, cell.column))
        view.cell = cell;
    else
        view.cell.reset();
}

void Session::go_back_to(const PlaygroundState& state, const std::string& note) {
    begin_anew();
    state_ = state;
    notes_.clear();
    note_failure(note);
}

void Session::type_sentence(std::string_view sentence) {
    if (locks_control(state_.view, "text")) return;
    std::string& text = state_.inputs.texts[state_.view.sentence];
    if (text == sentence) return;  // as when the page sends it again once the engine is there
    text = sentence;
    state_.view.said = 0;  // the next word is the first one again
    make_legal();
}

void Session::note(const Notes& fresh) {
    if (fresh.empty()) return;
    notes_ = fresh;
    settled_notes_.clear();
}

void Session::note_failure(const std::string& note) {
    std::erase_if(failures_, [&](const std::string& failure) { return !contains(notes_, failure); });
    notes_.push_back(note);
    failures_.push_back(note);
}

bool Session::is_failure(const std::string& note) const {
    return contains(failures_, note);
}

void Session::begin_anew() {
    typing_.reset();
    is_cell_of_drawn_ = false;
    waiting_.clear();
    is_typing_ = has_typed_ = false;
    settled_notes_.clear();
    about_.clear();
}

void Session::drop_notes(bool all_gone) {
    if (settled_notes_.empty()) return;
    bool is_gone = all_gone || state_.inputs != settled_.inputs;
    if (!is_gone && !about_.empty()) {
        const std::vector<std::string_view> changed = changed_keys(settled_, state_);
        is_gone =
            std::any_of(about_.begin(), about_.end(), [&](std::string_view key) { return contains(changed, key); });
    }
    if (is_gone) std::erase_if(notes_, [&](const std::string& note) { return contains(settled_notes_, note); });
}

// Not inlined, so that it comes with a later part of the page, as everything that seldom runs.
[[gnu::noinline]] void Session::end_typing() {
    for (const std::string& note : waiting_) {
        if (!contains(notes_, note)) notes_.push_back(note);
    }
    waiting_.clear();
    is_typing_ = has_typed_ = false;
    if (!typing_ || state_ != typing_->to || !chooses_reader()) return;
    choose_reader(state_, typing_->from, false);
    append_notes(notes_, clamp_to_legal(state_));
    typing_->to = state_;
}

// The state before the first letter, with the sentence as it is now, made legal: so that nothing is lost while typing.
bool Session::take_typing() {
    if (!with_typed_sentence(typing_ ? typing_->to : settled_, state_)) return false;
    if (!typing_) typing_ = Typing{.from = settled_, .to = {}};
    std::vector<std::string> texts = std::move(state_.inputs.texts);
    state_ = typing_->from;
    state_.inputs.texts = std::move(texts);
    if (chooses_reader()) choose_reader(state_, typing_->from, true);
    const PlaygroundState asked = state_;
    waiting_ = clamp_to_legal(state_);
    if (takes_typed_rows_over(typing_->from.inputs, state_.inputs, state_.view.sentence))
        waiting_.emplace_back(kTypedForOldWords);
    about_ = changed_keys(asked, state_);
    typing_->to = state_;
    std::erase_if(notes_, [&](const std::string& note) {
        return contains(settled_notes_, note) && !contains(waiting_, note);  // what holds as before stays in its place
    });
    has_typed_ = is_typing_ = true;
    return true;
}

void Session::make_legal() {
    if ((typing_ && state_ == typing_->to) || take_typing()) return;
    typing_.reset();
    if (is_typing_) end_typing();
    const PlaygroundState asked = state_;
    const Notes fresh = clamp_to_legal(state_);
    drop_notes(!fresh.empty());
    if (fresh.empty()) return;
    append_notes(notes_, fresh);
    about_ = changed_keys(asked, state_);
}

bool Session::settle(double now) {
    has_begun_ = true;
    if (std::exchange(goes_on_, false) && is_waiting_) changed_at_ = now;
    const bool has_rested = now >= changed_at_ + kRestSeconds;
    if (has_rested && is_waiting_) add_to_history(settled_.inputs);
    const bool is_changed = state_ != settled_;
    if (is_changed && state_.inputs.model != settled_.inputs.model && state_.view == settled_.view) {
        keep_cell_at_its_words(settled_.inputs, state_.inputs);
        is_cell_of_drawn_ = settled_.inputs.model.empty() && !open_model_of(state_.inputs);
    }
    if (is_changed) make_legal();
    if (has_typed_) typed_at_ = now;
    has_typed_ = false;
    const bool has_paused = is_typing_ && now >= typed_at_ + kTypingPause;
    if (has_paused) end_typing();
    if (notes_ != settled_notes_) settled_notes_ = notes_;
    if (state_ != settled_) {  // it may have been moved back to what it was
        changed_at_ = now;
        is_waiting_ = true;
        settled_ = state_;
    }
    return is_changed || has_paused;
}

std::optional<double> Session::seconds_until_step(double now) const {
    if (settled_ == remembered_) return std::nullopt;
    return std::max(0.0, changed_at_ + kRestSeconds - now);
}

std::optional<double> Session::seconds_until_rest(double now) const {
    std::optional<double> rest = seconds_until_step(now);
    if (!is_typing_) return rest;
    const double pause = std::max(0.0, typed_at_ + kTypingPause - now);
    return std::min(rest.value_or(pause), pause);
}

std::optional<Step> Session::take_step(double now, bool in_a_hurry) {
    const std::optional<double> rest = seconds_until_step(now);
    if (!rest || (*rest > 0 && !in_a_hurry)) return std::nullopt;
    const std::vector<std::string_view> changed = changed_keys(remembered_, settled_);
    const std::string_view key = changed.size() == 1 ? changed.front() : std::string_view();
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
    if (state_ != settled_) make_legal();
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
