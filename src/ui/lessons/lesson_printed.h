// Printed numbers beside computed ones, one table a block; a mark on each number says whether it follows.
#pragma once

#include <span>

#include "playground/lessons/printed_check.h"
#include "ui/frame/frame.h"

namespace attn {

// How the tables stand in a width: as many in a line as fit, at least one.
struct PrintedLayout {
    std::size_t per_line = 1;
    float table_width = 0;        // of the widest
    float width = 0, height = 0;  // of all, with the words above them; 0 for no tables
    bool is_cut = false;          // some stand in several parts, or in less than the words above them want
};
PrintedLayout layout_printed(const Display& display, std::span<const PrintedTable> tables, float width);

// At the cursor: the sentence that counts them, then the tables. Columns that have no room stand below the others.
void put_printed_tables(Display& display, std::span<const PrintedTable> tables, const PrintedLayout& layout);

}  // namespace attn
