// Where the numbers of view=split stand in each of the three shapes, and how they are drawn there or on their way
// between two of them. Pure drawing: knows no settings and no time.
#pragma once

#include <imgui.h>

#include <array>
#include <string>

#include "playground/weight_split.h"
#include "ui/ui.h"

namespace attn {

// One shape, laid out: blocks of cells, side by side and below each other.
struct SplitLayout {
    ImVec2 block = {};  // one block of cells with its title
    float left = 0;     // room for labels beside the cells, as part of the block
    float top = 0;      // room for the block's title
    int per_row = 1;    // blocks side by side
    ImVec2 pitch = {};  // from one block to the next
    ImVec2 size = {};   // of everything
};

struct SplitPicture {
    UiFrame& frame;
    TensorId tensor;
    Sizes sizes;  // of what is drawn
    std::array<SplitPhase, kNumPhases> phases;
    bool shows_values = true;
    ImVec2 cell = {};  // the same in all shapes, so that a cell only moves
    std::array<SplitLayout, kNumPhases> layouts = {};
};

// Chooses the largest cells with which every shape is at most `width` wide, and if possible as high as `height`.
void arrange(SplitPicture& picture, float width, float height);

// Draws the numbers at `origin`, the share `progress` of the way from shape `from` to shape `to`.
void draw_blocks(const SplitPicture& picture, ImVec2 origin, int from, int to, float progress);

// The first numbers in the order in which shape `phase` writes them row by row; returns the height it took.
float draw_memory_order(const SplitPicture& picture, ImVec2 corner, float width, int phase);

}  // namespace attn
