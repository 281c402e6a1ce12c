// The course of a prediction: what a step asks before it goes on, what can be chosen, and what is said to a choice.
// Which choice is right follows from the step's numbers (claims.h). Each choice is a try in the visitor's log, from
// which it comes back; the first wrong one tells how it is, and another choice is a second try. The picture and the
// text version both go by this.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "playground/check/answer_log.h"
#include "playground/lessons/lessons.h"
#include "playground/state/state.h"

namespace attn {

// What a prediction is in the log: AnswerPlace::question.
inline constexpr std::string_view kPredictionInLog = "prediction";

struct PredictionCourse {
    struct Choice {
        std::string says;
        int place = 0;  // head or cell: the head (from 0) or the column; else its place in the row's choices
    };
    std::string lesson;  // in whose step it is asked; empty: nothing is asked
    int step = 0;
    Inputs inputs;  // whose seeds decide
    int sentence = 0;
    int model_changes = 0;
    // An order: as the visitor has put them. Heads and cells: none while their model is not open.
    std::vector<Choice> choices;
    std::optional<int> chosen;      // of the choices, last; an order: 0 once it was given
    bool is_right = false;          // it is
    std::string said;               // on the last choice: "You said “with”; it is “Your”. …"; empty before
    int log_version = -1;           // when it was last held against the log
    std::optional<Cell> seen = {};  // the pinned cell, and the chosen head, when the picture was last looked at
    std::optional<int> seen_head = {};

    bool is_asked() const { return !lesson.empty(); }
    // Still to be chosen.
    bool is_open() const { return is_asked() && !chosen; }
};

// What the step asks; null outside lessons, and in a step that asks nothing.
const PredictionRow* asked_row(const View& view);

// To be called before it is read: begins anew in another step or with other seeds, and brings back what the log has.
void keep_prediction(PredictionCourse& course, const AnswerLog& log, const PlaygroundState& state);

// The choice number `choice`; of an order, the one that is there. Judges it, puts it into the log, shows what the step
// left blank, and returns what to say. A right answer stays as it is. Where the model that decides is not open yet it
// says so, and nothing was chosen.
std::string choose(PredictionCourse& course, AnswerLog& log, const PlaygroundState& state, PlaygroundState& next,
                   int choice);

// Puts the choice of an order one place up (-1) or down (1) and returns what to say; nothing at the ends, and after a
// right answer.
std::string move_choice(PredictionCourse& course, int choice, int way);

// How a choice looks and is called, with what became of it: "“with”, your answer, not right".
std::string choice_in_words(const PredictionCourse& course, int choice);

// Which choices are right, in the order of course.choices; of an order, all from the largest to the smallest. Empty
// where a number is missing.
std::vector<int> right_choices(const PredictionCourse& course);

// What a step asks, with all that can be chosen and what is wrong with each: for who asks it elsewhere.
struct WholePrediction {
    struct Answer {
        std::string says;
        bool is_right = false;
        std::string why;  // what is wrong with it; empty for a right one
    };
    std::string question, reason;  // the reason is told after any choice: how it is and why
    std::vector<Answer> answers;   // at least one is right
    PlaygroundState state;         // the step's, with the seeds that decide: its blanks hide the answer
};

// Each order of the texts is one answer, in an order of at most so many.
inline constexpr std::size_t kMostToOrder = 3;

// What the step asks that `state` is in, whatever else is changed in it; the seeds are those of `state`. Nothing
// outside steps that ask, while a number is missing as the model is not open, and for an order of more than
// kMostToOrder.
std::optional<WholePrediction> whole_prediction(const PlaygroundState& state);

// The choice that the visitor made in the picture since the last call: a cell of the row that is asked for, or a head.
// Looks only; nothing else than `seen` changes.
std::optional<int> choice_in_picture(PredictionCourse& course, const View& view);

}  // namespace attn
