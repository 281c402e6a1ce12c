// The words that a worksheet and a question for a course system say alike: of what sizes the numbers are, how the asked
// ones are made, what a lesson's step says, and how a number is worked out. Parts of HTML that XML reads, too: every
// tag is closed. Knows no page and no file.
#pragma once

#include <string>
#include <string_view>

#include "playground/check/check_me.h"
#include "playground/numbers/evaluation.h"
#include "playground/state/state.h"
#include "share/worksheet/sheet_needs.h"

namespace attn {

// A paragraph of `html`, of a class where `kind` names one.
std::string sheet_paragraph(std::string_view html, std::string_view kind = "");

// "5 tokens, d_in = 8, d_out = 4, 2 heads of head_dim = 2; a token sees itself and those before it. Rows and columns
// count from 0, heads from 1.", plain text.
std::string sheet_sizes(const PlaygroundState& state, const Evaluation& evaluation);

// The formula of each stage that has to be computed, in the inspector's words, with the divisor or the slope in it:
// a paragraph each.
std::string sheet_formulas(const SheetTask& task, const PlaygroundState& state, const Evaluation& evaluation);

// What a lesson's step is about, in its own words: two paragraphs; empty outside lessons.
std::string sheet_step(const PlaygroundState& state, const Evaluation& evaluation);

// "weights, head 1, brush → artist: 0.1234", and the arithmetic of it as the inspector does it, a line each, as HTML;
// `line_break` stands between the lines.
std::string sheet_worked_out(const Evaluation& evaluation, const Question& question, std::string_view line_break);

}  // namespace attn
