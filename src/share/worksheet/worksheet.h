// What a state asks for as a page made for print, and its key: HTML that holds all it needs, without a script, safe
// under the strictest policy. One page has one sheet or those of a whole class, each from a page of its own on.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/ground/result.h"
#include "playground/numbers/evaluation.h"
#include "playground/state/state.h"

namespace attn {

enum class Paper { a4, letter };

// For whom a sheet is.
struct SheetOwner {
    std::string name;             // shown as it is; empty: a line to write one on
    std::string numbers_of_seed;  // "seed 123456789"; empty: nothing is said
};

// A name is cut on paper after so many code points, as one that is handed in (docs/files.md).
inline constexpr int kMostNameLetters = 80;

// One sheet, a <section>: name, date, sentence, the numbers that are given in the order in which they are computed,
// formulas, the stages with boxes to fill in, and lines for the arithmetic. With `is_key` the boxes hold their numbers,
// and each is worked out below, as the inspector does it. A number that would give a blank away is left out, too
// (withheld.h). `evaluation` is of the legal state, complete. The error is a sentence (sheet_task).
Result<std::string> write_sheet(const PlaygroundState& state, const Evaluation& evaluation, const SheetOwner& owner,
                                bool is_key);

// The whole page around some sheets. `title` is shown by the browser alone.
std::string write_sheet_page(std::string_view title, Paper paper, std::string_view sheets);

// A page with one sheet.
Result<std::string> write_worksheet(const PlaygroundState& state, const Evaluation& evaluation, Paper paper,
                                    bool is_key);

}  // namespace attn
