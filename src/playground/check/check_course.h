// The course of a check: what begins and ends it, which question is asked now and which comes next. The picture and the
// text version both go by it.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "playground/check/check_me.h"
#include "playground/text/notes.h"

namespace attn {

// What the current view asks for is being asked for.
bool is_asking(const View& view);

// Whether a check can begin or end here: every view can end one, experiments have nothing to ask for.
bool can_toggle_check(const PlaygroundState& state, const Evaluation& evaluation);

// What the button does, in a sentence without its point.
std::string_view toggle_check_help(const View& view);

// Begins the check of the stage that `state` shows, or of the cache's counts; ends the one that is on. `evaluation` is
// of `state`. Returns why nothing began.
Notes toggle_check(PlaygroundState& next, Answers& answers, const PlaygroundState& state, const Evaluation& evaluation);

// "weights has 1,024 numbers here: more than the 256 one can be asked for. Take fewer tokens, channels or heads"
std::string too_many_questions(const Evaluation& evaluation, TensorId stage);

// Whether a lesson's step asks for a number, and still does: its stage is blank as the step left it.
bool is_exercise(const View& view);

// The numbers of the shown stage that are asked for. In a lesson's exercise the one that the step pins, or those that
// it leaves blank one by one; else all that are blank.
std::vector<Question> asked_questions(const PlaygroundState& state, const Evaluation& evaluation);

// Whether all that an exercise asks for is right, or told.
bool is_exercise_done(const PlaygroundState& state, const Evaluation& evaluation, const Answers& answers);

// What is said when nothing is left to answer.
std::string_view done_in_words(const View& view);

// For View::check: every stage.
std::set<TensorId> whole_case();

// What is said in place of a view that would show blank numbers.
std::string gives_away_in_words(const PlaygroundState& state);

// What is said in place of the arithmetic of a number that is blank itself, or has blank ones in its arithmetic.
std::string_view blank_in_words(bool is_own);

// The pinned cell's question, else the first open one, in the pinned row if there is one there. Nothing when all are
// solved. Only of the enlarged head if there is one.
std::optional<Question> current_question(const PlaygroundState& state, const Answers& answers,
                                         const std::vector<Question>& questions);

// The next open question; after the last one it begins again.
std::optional<Question> question_after(const std::vector<Question>& questions, const Answers& answers,
                                       const Question& question);

// The visitor's answer so far; null: none.
const Answer* answer_to(const Answers& answers, const Question& question);

// "Hint", "Hint 2 of 3"; empty when all were taken.
std::string next_hint_label(const Answer* answer);

}  // namespace attn
