// What was printed beside what the method gives, one table a block, each number marked whether it follows.
#pragma once

#include <span>

#include "playground/printed_check.h"
#include "ui/ui.h"

namespace attn {

float printed_tables_width(const UiFrame& frame, std::span<const PrintedTable> tables);  // 0 for none
float printed_tables_height(std::span<const PrintedTable> tables);                       // 0 for none

// At the cursor: the sentence that counts them, then the tables one under the other. Wider tables than `width` are to
// be scrolled by the window around them.
void put_printed_tables(UiFrame& frame, std::span<const PrintedTable> tables, float width);

}  // namespace attn
