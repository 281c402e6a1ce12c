// Several selected query tokens: where they look on average, and how widely each of them looks. Knows no screen.
#pragma once

#include <set>
#include <string>

#include "playground/text/text_table.h"
#include "views/lines/attention_lines.h"

namespace attn {

// Adds the token, or removes it if it is selected already.
void toggle_selected(View& view, int token);

// (T): the mean over the selected queries of the weights of one head, added in double. A key hidden from some of them
// counts as 0 there; a key hidden from all of them is -inf. `select` is not empty and within the tokens.
Vector mean_of_rows(const ShownWeights& weights, int head, const std::set<int>& select);

// The entropy in bits of one query's row.
double entropy_of_row(const ShownWeights& weights, int head, int query);

// The mean weights over the keys, and the entropy of each selected query: a column for each head that the view looks
// at. At most kMirrorHeads heads and kMirrorCells rows; none without a selection.
std::vector<TextTable> tables_of_selection(const View& view, const Evaluation& evaluation);

}  // namespace attn
