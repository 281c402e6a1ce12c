// Check me: stages of a small case are left blank, the visitor types their numbers, and each is judged. Which stages
// are blank and how it went (View::check, View::score) is in the link; the answers are not. Those to the numbers that
// are there are in Answers, and all of the visit in its log, from which they come back.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/explain/explain.h"
#include "playground/check/answers.h"
#include "playground/link/blanks.h"
#include "playground/numbers/evaluation.h"
#include "playground/state/state.h"

namespace attn {

// So many numbers of one stage a person may be asked for.
inline constexpr std::int64_t kMaxQuestions = 256;

// Whether the visitor is asked for numbers of `stage`: it is in View::check, or these inputs make it a copy of one
// that is. For all of them, or for those that the author of the page left blank (View::hide) where there are any.
bool is_asked(const PlaygroundState& state, TensorId stage);

// Whether all numbers of `stage` are left out wherever they would be shown, because they are asked for.
bool is_blank(const PlaygroundState& state, TensorId stage);

// Whether the arithmetic behind a cell of `stage` would show a number that is blank.
bool tells_of_blank(const PlaygroundState& state, TensorId stage);

// Whether this arithmetic would show a number that is blank, or one that gives it away.
bool tells_of_blank(const Evaluation& evaluation, const Blanks& blanks, const Explanation& explanation);

// Whether the view that is on would show a number that is blank.
bool shows_blank(const PlaygroundState& state);

// The numbers of a stage that a person may be asked for, by head, row, column: all but hidden and infinite ones, or
// those that are blank one by one. Nothing when they are more than kMaxQuestions.
std::vector<Question> questions_of(const Evaluation& evaluation, TensorId stage, const Blanks& blanks = {});

// How close to the right number an answer is.
struct Judgement {
    Verdict verdict = Verdict::unclear;
    double typed = 0;
    double tolerance = 0;  // both for a number that was judged
};

// Right is what lies within half a unit of the last decimal typed, at most three of them counting: 0.39 stands for
// 0.385 to 0.395, 0.3910 for 0.3905 to 0.3915. With less than two decimals or three significant digits an answer can be
// wrong, but right only if it is the number itself ("1" for 1).
Judgement judge(double number, std::string_view typed);

// How far from the right number an answer of so many decimals may be: half a unit of the last one, and what a float is
// not exact by. `decimals` from -22 to 22.
double answer_tolerance(double number, int decimals);

// So many decimals are enough, as judging_rule() says.
inline constexpr int kEnoughDecimals = 2;

// What the screen says of judge(), in one sentence.
std::string_view judging_rule();

// Begins: `stages` are blank, nothing was asked.
void start_check(PlaygroundState& state, Answers& answers, const std::set<TensorId>& stages);

// Ends: all numbers are shown again. The score stays.
void stop_check(PlaygroundState& state, Answers& answers);

// To be called before answers are read: drops those to other numbers than the state's, whose score counts on, or of
// another step, brings back those that the log has, and returns whether there were other numbers before.
bool keep_answers(Answers& answers, const PlaygroundState& state);

// Judges what was typed, looks for the slip behind a wrong number, and counts. `evaluation` is of the state.
void answer(PlaygroundState& state, Answers& answers, const Evaluation& evaluation, const Question& question,
            std::string_view typed);

// Gives up: the number is told, and counts as asked and not right.
void show_answer(PlaygroundState& state, Answers& answers, const Evaluation& evaluation, const Question& question);

// The next numbers: the seed that decides them is one higher. False when no seed does, as with a trained model, and in
// a lesson, whose text quotes the numbers of its own.
bool take_new_numbers(PlaygroundState& state);

// "7 of 9 right, 1 hint".
std::string score_text(const Score& score);

// The same after a verdict, for the ear: "Right. Score: 7 of 9 right."; the verdict alone without a score.
std::string with_score(std::string_view verdict, const std::optional<Score>& score);

// Takes one more hint; counted. `evaluation` is of the state.
void take_hint(PlaygroundState& state, Answers& answers, const Evaluation& evaluation, const Question& question);

// The numbers that the answer is computed from, a line each: "masked scores of woman: −1.2000  −1.4300". A number of
// another blank stage that is not solved yet is "?".
std::vector<std::string> needs_of(const PlaygroundState& state, const Answers& answers, const Evaluation& evaluation,
                                  const Question& question);

// The hints taken so far: the formula, then the first numbers put in, then all of them; in a teacher’s task that has a
// hint, that one first, and the formula with the first numbers. A number of another blank stage that is not solved yet
// is "?".
std::vector<std::string> hints_of(const PlaygroundState& state, const Answers& answers, const Evaluation& evaluation,
                                  const Question& question);

}  // namespace attn
