// What a lesson's step says of the numbers that are there: its text with the state's numbers put in, and the answer to
// the question of the step before. Panel, text version and announcement say the same.
//
// A text names numbers in braces, as links count: "{scores 1,10,4}" is head 1, row 10, column 4 of the stage scores.
//   {context 1,1,*}      the whole row, with spaces between the numbers
//   {(values 1,2,0)}     a negative number in brackets, as a factor or behind a minus
//   {0.5}                a number that is right whatever the seed
// A name that is no number is "…", and a brace without an end is a brace: teachers write texts, too.
// So another seed, or an edit, cannot make a text false. Numbers without braces are those of the step as it opens.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "playground/lessons/lessons.h"
#include "playground/numbers/evaluation.h"
#include "playground/state/state.h"

namespace attn {

struct StepWords {
    std::string_view goal;  // what the lesson is about, in its first step
    // "Answer to step 5: 0.4419." A line of its own, since a step may be opened by its link alone. Empty where the step
    // before asks nothing.
    std::string answer;
    std::string text;
    std::vector<std::string_view> keep;  // what to keep of the lesson, in its last step
};

// Of the step that is on; nothing outside lessons. `evaluation` is of `state`. A number that is not there is "…", one
// that is left blank for the visitor to find is "?". With other seeds than the step's, a text with numbers of its own
// says so, and such an answer is left out.
StepWords step_words(const PlaygroundState& state, const Evaluation& evaluation);

// All of it in one, for the ear and for a terminal.
std::string joined(const StepWords& words);

inline constexpr std::string_view kKeepTitle = "To keep";

// What stands in the braces of a text, in its order.
std::vector<std::string_view> named_in_braces(std::string_view text);

// Why such a name in a step's text is no number of `evaluation`, in a sentence; empty where it is one.
std::string why_no_number(std::string_view name, const Evaluation& evaluation);

// Whether a step's text holds for other seeds, too: it has no decimals but those in braces.
bool holds_for_any_seed(std::string_view text);

// take_new_numbers, and the same in a step whose words hold for them. False in other steps of lessons.
bool take_new_numbers_of_step(PlaygroundState& state);

// Why a step has no new numbers, where its words are all that forbids them; else nothing.
std::string_view why_no_new_numbers(const PlaygroundState& state);

}  // namespace attn
