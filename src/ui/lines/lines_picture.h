// One frame of the lines view, handed from part to part of draw_lines: two columns of tokens and what runs between.
#pragma once

#include <imgui.h>

#include "ui/lines/lines_memory.h"

namespace attn {

inline constexpr float kEndOfToken = 12;  // from a column of tokens to where its lines begin

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
};

// Which heads, whether they are combined, and what a click does. At the cursor.
void put_lines_bar(UiFrame& frame);

// The tokens of both columns in the current window, which scrolls, for pointer and keys. Finds out what is in view and
// what is pointed at; acts on clicks and keys.
void put_line_tokens(LinesPicture& picture);

// Both columns and all that is between them.
void draw_line_picture(const LinesPicture& picture);

// What the lines mean and what is left out, in words: at the cursor. Its height in a panel of `width`.
void put_lines_legend(const LinesPicture& picture);
float lines_legend_height(const LinesPicture& picture, float width);

}  // namespace attn
