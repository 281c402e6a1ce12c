// What Check me asked and what the visitor answered: plain data, how it is counted, what of it stands in the log of the
// visit, and what comes back from there.
#pragma once

#include <compare>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "core/explain/explain.h"
#include "playground/check/answer_log.h"
#include "playground/numbers/evaluation.h"
#include "playground/state/state.h"

namespace attn {

inline constexpr int kNumHints = 3;

// One number that is asked for. Counts from 0; head 0 in stages without heads.
struct Question {
    TensorId stage = TensorId::weights;
    int head = 0;
    int row = 0;
    int column = 0;

    auto operator<=>(const Question&) const = default;
    Cell cell() const { return {.head = head, .row = row, .column = column}; }
};

enum class Verdict {
    right,
    wrong,
    unclear,  // no number, or near it with too few digits: does not count
};

struct Answer {
    std::string typed;
    std::optional<Verdict> verdict;  // none: not answered
    std::string remark;              // what was found out about it, in a sentence
    int num_hints = 0;               // that were taken, 0 to kNumHints
    bool is_shown = false;           // the visitor gave up and was told
};

// What the visitor did so far.
struct Answers {
    Inputs inputs;  // whose numbers were asked for
    int sentence = 0;
    std::string lesson;  // in whose step they were asked for; empty: in none
    int step = 0;
    std::map<Question, Answer> given;
    Score earlier;         // of the numbers before these
    AnswerLog log;         // of all questions of the visit
    int num_replaced = 0;  // of the log when `given` was last held against it
};

// Whether this number was answered right, or told.
bool is_solved(const Answers& answers, const Question& question);

// Of all answers.
Score score_of(const Answers& answers);

// "weights[1,10,4]": the stage and the cell, the head counted from 1 and left out where the stage has none; and how a
// sheet says it: "weights, head 1, brush → artist".
std::string question_in_log(const Question& question);
std::string question_for_sheet(const Evaluation& evaluation, const Question& question);

// Where in the log an answer to a question of the present numbers stands.
AnswerPlace log_place(const Answers& answers, const Question& question);

// One judged try, a hint, an answer told. `mistake`: the named slip of a wrong one, or empty. What was right or told
// already stays as it is.
void log_try(AnswerLog& log, const AnswerPlace& place, std::string_view asked, std::string_view typed, bool is_right,
             std::string_view mistake);
void log_hint(AnswerLog& log, const AnswerPlace& place, std::string_view asked);
void log_told(AnswerLog& log, const AnswerPlace& place, std::string_view asked);

// Forgets all answers but the log.
void ask_anew(Answers& answers);

// Takes into `given` what the log has on the present numbers, and drops from it what the log has no more. Their score
// is not counted twice.
void bring_back(Answers& answers);

}  // namespace attn
