// A state as a worked solution: Markdown with LaTeX for a handout, numbers put in. With blanks it is a worksheet.
#pragma once

#include <string>

#include "core/ground/result.h"
#include "playground/numbers/evaluation.h"
#include "playground/state/state.h"

namespace attn {

// With a pinned cell the steps for its row in its head, from the embedding to the output. Without one the matrices of
// the enlarged (or first) head, then the steps for the last token. Formulas stand in $…$ and $$…$$, in the LaTeX that
// KaTeX, MathJax and pandoc all read. Numbers that are blank on the screen are \square, and so are
// those that would give them away (withheld.h); the steps after the last blank are left out.
// With a goal and without blanks the row's backward pass follows. `evaluation` is of the legal
// `state`. The error is a sentence: an empty sentence.
Result<std::string> worked_solution(const PlaygroundState& state, const Evaluation& evaluation);

}  // namespace attn
