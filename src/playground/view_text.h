// What the special views show, as tables of text: the text mirror, the page without a canvas, and tests read them.
#pragma once

#include <string>
#include <vector>

#include "playground/evaluation.h"
#include "playground/state.h"

namespace attn {

// The first column names the rows.
struct TextTable {
    std::string title;
    std::vector<std::string> columns;
    std::vector<std::vector<std::string>> rows;
};

// The tables of the view that is on; none for views whose numbers are those of the shown stage (matrix, lines,
// numbers). Numbers as the picture prints them.
std::vector<TextTable> tables_of_view(const PlaygroundState& state, const Evaluator& evaluator);

}  // namespace attn
