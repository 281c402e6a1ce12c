// Wished-for patterns: which query should look at which key, and how much each head does. Knows no screen.
#pragma once

#include <string>

#include "playground/text/text_table.h"
#include "views/lines/attention_lines.h"

namespace attn {

// Adds the wish, or takes it away where it is there already; keeps the list sorted. Returns whether there was room
// (kMaxWishes).
bool toggle_wish(View& view, const Wish& wish);

// Makes the wishes the targets of the heads that are looked at (`view.head`, or all) in the shown sentence, in place of
// those they had, and training's goal.
void teach_wishes(PlaygroundState& state);

// What one head makes of a wish.
struct WishScore {
    float weight = 0;         // 0 for a hidden key
    bool is_hidden = false;   // the mask hides the key from the query
    bool is_largest = false;  // no key has a larger weight in this query's row
};
// `row`: the weights of the wish's query, -inf for hidden keys.
WishScore score_wish(const Vector& row, const Wish& wish);

// "woman → brush". The evaluation has both tokens.
std::string wish_text(const Evaluation& evaluation, const Wish& wish);

// Each wish with its weight in each head that the view looks at, at most kMirrorHeads of them; none without wishes.
std::vector<TextTable> tables_of_wishes(const View& view, const Evaluation& evaluation);

}  // namespace attn
