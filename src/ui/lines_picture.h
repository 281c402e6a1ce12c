// One frame of the lines view, handed from part to part of draw_lines: two columns of tokens and what runs between.
#pragma once

#include <imgui.h>

#include "ui/lines_memory.h"

namespace attn {

inline constexpr float kDotDistance = 12;  // from a token's label to where its lines begin

struct LinesPicture {
    UiFrame& frame;
    LinesMemory& memory;
    const ShownWeights& weights;
    HeadRange heads = {};
    float high = 1;           // the weight from which on lines are widest
    bool is_cut = false;      // some weights are larger
    float pitch = 28;         // from one token to the next
    float label_width = 100;  // of a column of tokens
    ImVec2 origin = {};       // screen: top left corner of the first query
    float width = 0;          // of everything
    int first = 0, end = 0;   // the tokens in view
    LineEnd pointed_at = {};

    // Screen: where a line of `head` begins at a query, and where it ends at a key. Heads keep a little apart.
    ImVec2 query_end(int query, int head) const;
    ImVec2 key_end(int key, int head) const;
    // The middle of a token's end of the lines.
    ImVec2 query_dot(int query) const;
    ImVec2 key_dot(int key) const;
};

// Which heads, whether they are combined, and what a click does. At the cursor.
void put_lines_bar(UiFrame& frame);

// The two columns in the current window, which scrolls. Finds out what is in view and what is pointed at; acts on
// clicks and keys.
void put_line_tokens(LinesPicture& picture);

// The lines between them, what is wished for, and the weights at the ends of the lines of one token.
void draw_strokes(const LinesPicture& picture);

// What the lines mean and what is left out, in words: at the cursor. Its height in a panel of `width`.
void put_lines_legend(const LinesPicture& picture);
float lines_legend_height(const LinesPicture& picture, float width);

}  // namespace attn
