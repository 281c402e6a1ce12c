// The number beside each row of the weights: its sum, its entropy in bits, or its largest weight.
#pragma once

#include "ui/matrix/heads_picture.h"

namespace attn {

inline constexpr float kLowestStatRow = 12;  // points: in lower rows the numbers would overlap

// The number that the view asks for, if the stage has it and numbers are not hidden.
RowStat wished_stat(const Shown& shown, const ShownStage& stage);

// Width of the column of picture.stat, with its distance to the cells; 0 for none.
float row_stat_width(const HeadsPicture& picture);

// The numbers of the rows [first, last) of the map whose cells begin at `corner`, under their heading.
void draw_row_stats(const HeadsPicture& picture, int head, ImVec2 corner, int first, int last);

// The legend's remark about them: that rows are too low, or what the warning means; may be empty.
std::string row_stat_remark(const HeadsPicture& picture);

}  // namespace attn
