// One visit: the state, the notes that changes left behind, the link that remembers the state once it rests, and what
// can be undone. Knows no clock, no screen and no address bar: it is told the seconds and hands out the links.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "playground/cache/cache_check.h"
#include "playground/check/check_me.h"
#include "playground/lessons/prediction.h"
#include "playground/link/legal.h"
#include "playground/state/open_models.h"
#include "playground/state/state.h"
#include "playground/visit/history.h"

namespace attn {

// How long the state must stay the same before its link is written. Safari refuses more than 100 links in 30 s.
inline constexpr double kRestSeconds = 0.3;

// How long nobody must type before notes speak of the sentence: half a sentence deserves no notes.
inline constexpr double kTypingPause = 1;

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

    // What the visitor answered where numbers are left blank: in no link.
    Answers& answers() { return answers_; }
    const Answers& answers() const { return answers_; }
    CacheCheck& cache_check() { return cache_check_; }
    const CacheCheck& cache_check() const { return cache_check_; }
    PredictionCourse& prediction() { return prediction_; }
    const PredictionCourse& prediction() const { return prediction_; }

    // For the visitor, in plain words. They stay until other inputs are chosen, what they speak of changes, a change
    // brings others, or the visitor clears them.
    Notes& notes() { return notes_; }

    // Adds a note on something that was asked for and not done: refused numbers, a file that cannot be opened.
    void note_failure(const std::string& note);

    // Whether a note is such a one: all others say what was moved, left out, or is worth knowing.
    bool is_failure(const std::string& note) const;

    // The sentence was changed less than kTypingPause before the last settle(): the notes on it wait.
    bool is_typing() const { return is_typing_; }

    // Notes on what could not be taken as it was typed; they replace those before. settle() adds its own.
    void note(const Notes& fresh);

    // Takes over the state of a link from outside (Back, a pasted link, a lesson, the state of the last visit). No link
    // to remember follows from it. It can be undone, except where the visit begins with it: before the first settle().
    void open_link(std::string_view link);

    // The same for a legal state that came in a file, with the notes it came with. Always can be undone, and a link
    // follows.
    void take_over(const PlaygroundState& state, const Notes& notes);

    // To be called before the state is evaluated. Where a model that it names was opened or closed since the last call,
    // what the model decides holds from here on: neither a step to remember nor one to undo, as the link says the same.
    // A sentence that was typed into the opening scene is read anew, and the link says by whom.
    void look_at_models() {
        if (model_changes_ != num_model_changes()) take_models();
    }

    // What was asked for cannot be shown, for the reason this note gives: goes back to the last state that could be.
    void go_back_to(const PlaygroundState& state, const std::string& note);

    // Replaces the shown sentence of the batch, unless it is locked. Any bytes. While nothing but the sentence changes,
    // what half of it has no room for (a pinned cell, targets, heads) comes back with the other half.
    void type_sentence(std::string_view sentence);

    // To be called after everyone who may change the state had a turn: makes it legal, and starts the time of rest
    // anew when it differs from the last call's. Returns whether somebody wrote to it: then the picture is older than
    // state or notes. `now` in seconds, never decreasing.
    bool settle(double now);

    // Somebody plays, and changes more with the next frame: until nobody calls this between two settle(), all that
    // changes is one step, and no link is written.
    void go_on_changing() { goes_on_ = true; }

    // Seconds until take_step has something to hand out; nothing when all is remembered.
    std::optional<double> seconds_until_step(double now) const;

    // Seconds until settle() or take_step() has something to do by time alone; nothing when all is at rest.
    std::optional<double> seconds_until_rest(double now) const;

    // The step to remember, once the state has rested, or at once with `in_a_hurry`. Each step is handed out once.
    std::optional<Step> take_step(double now, bool in_a_hurry = false);

    // Undo changes the inputs alone: the sentence, the settings, the numbers. The view stays, moved to
    // what is legal with the other inputs. Changes that follow one another without kRestSeconds of rest are undone
    // together. Both return false where there is nothing to undo or redo.
    bool can_undo() const { return (history_ && history_->can_undo()) || state_.inputs != undoable_; }
    bool can_redo() const { return history_ && history_->can_redo() && state_.inputs == undoable_; }
    bool undo();
    bool redo();

private:
    // A sentence that is being typed.
    struct Typing {
        PlaygroundState from;  // before the first letter
        PlaygroundState to;    // as the last one left it, legal
    };

    void make_legal();
    bool take_typing();              // false: something else than the shown sentence changed
    void drop_notes(bool all_gone);  // those that were there at the last settle(), where they no longer hold
    void end_typing();               // what waited is said
    void begin_anew();               // the state comes from elsewhere
    bool chooses_reader() const;
    void take_models();
    void keep_cell_at_its_words(const Inputs& before, const Inputs& after);
    void add_to_history(const Inputs& inputs);
    void keep_for_undo();  // what has not rested becomes a step of its own
    void take_from_history();

    PlaygroundState state_;
    PlaygroundState settled_;     // as the last settle() left it
    PlaygroundState remembered_;  // what the last link says
    Notes notes_;
    Notes failures_;                       // those of them, and of the last ones, that note_failure() added
    Notes settled_notes_;                  // as the last settle() left them
    std::vector<std::string_view> about_;  // the keys that legal moved with them
    std::optional<Typing> typing_;         // until something else changes
    Notes waiting_;                        // for the typing to pause
    bool is_typing_ = false;
    double typed_at_ = 0;
    bool has_typed_ = false;  // since the last settle()
    int model_changes_ = 0;   // num_model_changes() at the last look
    bool is_cell_of_drawn_ =
        false;  // the pinned cell counts the tokens of before a model was chosen that is not open yet
    Answers answers_;
    CacheCheck cache_check_;
    PredictionCourse prediction_;
    double changed_at_ = 0;
    bool goes_on_ = false;            // go_on_changing() was called since the last settle()
    bool has_begun_ = false;          // settle() was called
    bool is_waiting_ = false;         // settled_ has not rested yet, and the history may not know it
    std::optional<History> history_;  // of the inputs, as links; begun with the first change
    Inputs undoable_;                 // the present of the history
    std::string_view
        last_key_;  // the one key in which the last step differed from the one before; empty: several, or none
};

}  // namespace attn
